"""A run that does not fit: its block as a ghost, who holds what as a table, and both in words."""

import os

import bench_lesson
import lab_app
from lab_app import check


def test():
    home = os.environ["LAB_HOME"]
    width, height = map(int, os.environ["LAB_SCREEN"].split("x"))
    lesson = bench_lesson.make()
    lesson["experiment"]["runs"].reverse()
    lesson["evidence"][0]["run"], lesson["evidence"][0]["fails_on"] = "overlap", "small"
    lab = bench_lesson.start(lesson, home, width, height)
    lab.key("F5")
    lab.await_text("Out of memory on GPU", lab_app.RUN_PATIENCE_S)
    tiers = lab.await_name("Where the bytes are", "image")
    check("There was no room for" in tiers.description, f"nothing is said of it: {tiers.description}")
    memory = lab.await_name("Memory over time", "image")
    check("There was no room for" in memory.description, f"nor there: {memory.description}")
    check(any("activations" in t and "MiB" in t for t in lab.texts()), "who holds what is not told")
    lab.picture("1-ghost")
    lab.click(lab.await_name("Where the bytes are as a table"))
    lab.await_text("There was no room for")
    lab.picture("2-table")
    lab.click(lab.await_name("Memory over time as a table"))
    lab.await_text("activations, no room")
    lab.picture("3-peaks")
    lab.close()


lab_app.main(test)
