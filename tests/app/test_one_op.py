"""A training step op by op: begun held, the next node and what it waits for told, one node at a
time, slower, and on to the end; such a run tells no times and counts for nothing."""

import os

import bench_lesson
import lab_app
from lab_app import check


def next_words(lab):
    found = lab.find("Next: ", starts=True)
    return found.name if found else ""


def await_next(lab, other_than):
    return lab.wait("another node", lambda: next_words(lab) not in ("", other_than)
                    and next_words(lab), lab_app.RUN_PATIENCE_S)


def step_on(lab):
    words = await_next(lab, "")
    check("before the first step" in words, f"a held run does not begin at its beginning: {words}")
    lab.picture("1-held-at-the-beginning")
    for _ in range(80):
        if "Forward" in words:
            break
        lab.key("F8")
        words = await_next(lab, words)
    check("Forward" in words and "step 1" in words, f"stepping never came to a forward: {words}")
    for _ in range(4):
        lab.click(lab.find("Next op"))
        words = await_next(lab, words)
    check("(done)" in words, f"it is not told what has been waited for: {words}")
    lab.picture("2-next-node")


def change_speed(lab):
    lab.click(lab.find("Slower"))
    lab.await_text("Speed × 1/2")
    for part in ("1/5", "1/10", "1/20", "1/50"):
        lab.click(lab.find("Slower"))
        lab.await_text(f"Speed × {part}")
    lab.click(lab.find("Go on"))
    lab.await_name("Pause")
    lab.picture("3-slow")
    lab.key("shift+F8")
    lab.await_name("Go on")


def test():
    home = os.environ["LAB_HOME"]
    width, height = map(int, os.environ["LAB_SCREEN"].split("x"))
    lab = bench_lesson.start(bench_lesson.make(steps=2), home, width, height)
    lab.key("F8")
    step_on(lab)
    change_speed(lab)
    lab.click(lab.find("To the end"))
    lab.wait("the run's end", lambda: lab.engine() is None, lab_app.RUN_PATIENCE_S)
    lab.wait("the bar gone", lambda: not lab.find("Next op"))
    lab.key("alt+2")
    lab.await_text("Looked at op by op")
    check(not (lab.progress() or {}).get("runs"), "a run that was stepped counts as made")
    lab.picture("4-ended")
    lab.close()


lab_app.main(test)
