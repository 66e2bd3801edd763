"""A learner's progress goes into a file and comes from one, and results become a table; nothing else
is written over, and what is no progress changes nothing."""

import csv
import getpass
import json
import os
import subprocess

import lab_app
from lab_app import Lab, check, lesson, write_progress
from learner_menu import FIRST, choose, kept, kept_is_empty


def write_empty(home, learner):
    path = os.path.join(home, "data", "offload-lab", f"progress-{learner}.json")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f'{{"schema": 1, "learner": "{learner}", "lessons": {{}}}}')


def files(lab, me):
    """A copy, by keys; results as the terminal writes them; a place that is refused."""
    copy, table = (os.path.join(lab.home, name) for name in ("copy.json", "results.csv"))
    choose(lab, me, "Save a copy of the progress…")
    lab.choose_file(copy)
    lab.refocus()
    lab.await_text("Saved: copy.json")
    with open(copy, encoding="utf-8") as file:
        check(json.load(file)["lessons"] == kept(lab.home, me), "the copy is another")
    choose(lab, me, "Save the results as a table…")
    lab.choose_file(table)
    lab.refocus()
    lab.await_text("Saved: results.csv")
    twin = subprocess.run([os.environ["LAB_ENGINE"], "progress", "--results", "-"], check=True,
                          capture_output=True,
                          env={**os.environ, "HOME": lab.home,
                               "XDG_DATA_HOME": os.path.join(lab.home, "data")}).stdout
    with open(table, "rb") as file:
        check(file.read() == twin, "the table is not as the terminal has it")
    check(len(list(csv.reader(twin.decode("utf-8").splitlines()))) == 17, twin)
    choose(lab, me, "Save a copy of the progress…")
    lab.choose_file(os.path.join(lab.home, "data", "offload-lab", "progress-Ada.json"),
                    replace=True)
    lab.await_text("the lab keeps progress of a learner there")
    lab.close_dialog()
    check(kept_is_empty(lab.home, "Ada"), "somebody's progress was written over")
    return copy


def take(home, copy):
    """Ada is given the copy: another start of the program names it, and the window asks."""
    lab = Lab(home, *lab_app.screen(), watches_text=True)
    choose(lab, getpass.getuser(), "Ada")
    lab.await_text("Ada learns now")
    lab.close()
    lab = Lab(home, *lab_app.screen(), arguments=[copy], watches_text=True)
    lab.await_text("Add this progress?")
    lab.await_text("who is somebody else by name")
    lab.picture("7-offered")
    dialog = lab.focus_dialog()
    lab.key("Return")
    lab.await_gone(dialog)
    lab.refocus()
    lab.await_text("Added: ")
    lab.await_name(lesson(FIRST)["title"] + ", done", starts=True)
    check(kept(home, "Ada")[FIRST]["answers"][0]["right"], "the answer did not come")
    # Nothing that is no progress changes anything.
    broken = os.path.join(home, "broken.json")
    with open(broken, "w", encoding="utf-8") as file:
        file.write('{"schema": 1, "learner": "Eve", "lessons": {"why-offload": {"answers": 3}}}')
    choose(lab, "Ada", "Add progress from a file…")
    lab.choose_file(broken)
    lab.await_text("This progress cannot be added")
    lab.await_text("lessons.why-offload.answers: must be a list")
    lab.close_dialog()
    return lab


def test():
    home, me = os.environ["LAB_HOME"], getpass.getuser()
    write_progress(home, [lesson(FIRST)])
    write_empty(home, "Ada")
    lab = Lab(home, *lab_app.screen(), watches_text=True)
    copy = files(lab, me)
    lab.close()
    lab = take(home, copy)
    lab.close()


lab_app.main(test)
