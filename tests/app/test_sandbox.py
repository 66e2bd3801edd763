"""The sandbox: to out of memory and out of it again, what is typed, undone, saved, opened and
dropped, and nonsense that is told beside its key."""

import json
import os
import subprocess
import time

import pyatspi

import lab_app
from lab_app import Lab, check, courses, make_engine

FITS, NOT = "Fits", "Does not fit: GPU needs "


def open_sandbox(lab):
    lessons = [each for course in courses() for each in course["lessons"]]
    lab.key(*["ctrl+Page_Down"] * len(lessons))
    lab.await_name("Sandbox, open")
    lab.await_text(FITS)
    lab.await_text("at full size")


def type_in(lab, name, text):
    lab.click(lab.await_name(name, "text"))
    lab.key("ctrl+a")
    subprocess.run(["xdotool", "type", text], check=True)


def run(lab, ends_with):
    lab.click(lab.await_ready("Run it"))
    lab.await_text(ends_with, patience=lab_app.RUN_PATIENCE_S)
    lab.await_ready("Run it", patience=lab_app.RUN_PATIENCE_S)


def slide_out_of_memory_and_back(lab):
    slider = lab.await_name("Layers", "slider")
    lab.click(slider, at=0.97)
    words = lab.await_text(NOT)
    check("of 44.7 MiB" in words, f"the forecast says: {words}")
    lab.picture("1-does-not-fit")
    run(lab, "Out of memory on GPU")
    check(any("total" in t and "weights" in t for t in lab.texts()), "nobody says who holds what")
    lab.picture("2-out-of-memory")
    lab.click(slider, at=0.1)
    lab.wait("a forecast that fits", lambda: FITS in lab.texts())
    predicted = next(t for t in lab.texts() if t.endswith("of 44.7 MiB"))
    lab.picture("3-fits-again")
    run(lab, "Done")
    lab.picture("4-done")
    peak = predicted.split()[0]
    check(any(f"GPU peaks at {peak} MiB" in d for d in descriptions(lab)),
          f"the run's peak is not the {peak} MiB that were forecast")
    check(lab.find("Run 1: ", starts=True), "the first run has no tab any more")


def descriptions(lab):
    found = []
    for accessible in lab_app.walk(lab.application):
        try:
            found.append(f"{accessible.name} {accessible.description}")
        except Exception:
            continue
    return found


def type_nonsense(lab):
    type_in(lab, "Layers", "ninety")
    lab.await_text('must be a whole number from 1 to 1000; it is "ninety"')
    lab.await_text("“Layers” below cannot stand")
    check(lab.find("Run it") and not is_ready(lab, "Run it"), "a config at fault can be run")
    lab.picture("5-nonsense")
    lab.key("ctrl+z")
    lab.wait("no fault", lambda: not any("cannot stand" in t for t in lab.texts()))
    lab.click(lab.await_name("Optimizer states: GPU"))
    lab.await_text("a host update would have to fetch all states")
    lab.picture("6-a-rule-between-keys")
    lab.key("ctrl+z")
    lab.wait("no fault", lambda: not any("cannot stand" in t for t in lab.texts()))


def type_too_much_quickly(lab):
    """On its way to 2000 it is 200: the figures that stay are of that, not of what came before."""
    type_in(lab, "Layers", "200")
    lab.await_text(NOT)
    lab.wait("the forecast", lambda: not any("Working it out" in t for t in lab.texts()))
    of_200 = next(t for t in lab.texts() if t.startswith(NOT))
    lab.key("ctrl+z")
    lab.wait("a forecast that fits", lambda: FITS in lab.texts())
    type_in(lab, "Layers", "2000")
    lab.await_text("these figures are of the last config that could")
    check(of_200 in lab.texts(), f"the figures that stay are not those of 200 layers: {of_200}")
    lab.key("ctrl+z")
    lab.wait("no fault", lambda: not any("cannot stand" in t for t in lab.texts()))


def is_ready(lab, name):
    return pyatspi.STATE_SENSITIVE in lab_app.states(lab.find(name))


def entry_text(lab, name):
    entry = lab.await_name(name, "text").queryText()
    return entry.getText(0, entry.characterCount)


def answer_chooser(lab, path):
    """GTK's own dialog takes a path at its place of names."""
    dialog = lab.wait("the dialog", lambda: [
        w for w in lab.application if w.name in ("Open a config", "Save the config")])[0]
    found = subprocess.run(["xdotool", "search", "--name", dialog.name], capture_output=True,
                           text=True).stdout.split()
    subprocess.run(["xdotool", "windowfocus", found[-1]], check=True)
    return dialog


def save_and_open(lab, folder):
    path = os.path.join(folder, "mine.json")
    type_in(lab, "Width", "160")
    lab.key("ctrl+s")
    answer_chooser(lab, path)
    lab.key("ctrl+a")
    subprocess.run(["xdotool", "type", path], check=True)
    lab.key("Return")
    lab.wait("the saved file", lambda: os.path.exists(path))
    with open(path, encoding="utf-8") as file:
        check(json.load(file)["model"]["width"] == 160, "another config was saved")
    subprocess.run(["xdotool", "windowfocus", lab.window], check=True)
    lab.click(lab.await_name("Back to the defaults"))
    lab.wait("the defaults", lambda: entry_text(lab, "Width") == "128")
    lab.key("ctrl+o")
    answer_chooser(lab, path)
    lab.key("slash")
    lab.key("ctrl+a")
    subprocess.run(["xdotool", "type", path], check=True)
    lab.key("Return")
    lab.wait("what was saved", lambda: entry_text(lab, "Width") == "160")
    subprocess.run(["xdotool", "windowfocus", lab.window], check=True)
    lab.key("ctrl+z")
    lab.wait("the defaults again", lambda: entry_text(lab, "Width") == "128")


def drop_files(lab, folder):
    bad = os.path.join(folder, "bad.json")
    with open(bad, "w", encoding="utf-8") as file:
        json.dump({"model": {"layers": "six"}}, file)
    lab.drop(bad)
    lab.await_text("bad.json: model.layers: must be a whole number")
    lab.picture("7-bad-file")
    lab.key("ctrl+Page_Up")  # a lesson is open: what is dropped opens the sandbox
    lab.wait("a lesson", lambda: not lab.find("Sandbox, open"))
    lab.drop(os.path.join(folder, "mine.json"))
    lab.await_name("Sandbox, open")
    lab.wait("what was dropped", lambda: entry_text(lab, "Width") == "160")
    lab.picture("8-dropped")


def test():
    home = os.environ["LAB_HOME"]
    width, height = map(int, os.environ["LAB_SCREEN"].split("x"))
    lab = Lab(home, width, height, engine=make_engine(home, os.path.join(home, "late")))
    open_sandbox(lab)
    slide_out_of_memory_and_back(lab)
    type_nonsense(lab)
    type_too_much_quickly(lab)
    save_and_open(lab, home)
    drop_files(lab, home)
    lab.close()


lab_app.main(test)
