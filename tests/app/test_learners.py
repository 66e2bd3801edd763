"""Several learners on one computer: each has progress of their own, by name; it is begun anew and
brought back, goes into a file and comes from one, and never gets mixed up."""

import csv
import getpass
import json
import os
import subprocess

import lab_app
from lab_app import Lab, check, lesson, right_option, write_progress

FIRST = "why-offload"


def kept(home, learner):
    """What the disk has of a learner's lessons."""
    path = os.path.join(home, "data", "offload-lab", f"progress-{learner}.json")
    with open(path, encoding="utf-8") as file:
        return json.load(file)["lessons"]


def button(lab, learner):
    return lab.await_name(f"{learner} learns: progress, and other learners")


def choose(lab, learner, item):
    """By the menu below the learner's name."""
    lab.refocus()
    lab.click(button(lab, learner))
    lab.click(lab.await_name(item, starts=True))


def type_name(lab, name, learner):
    lab.focus_dialog()
    subprocess.run(["xdotool", "type", "--delay", "15", name], check=True)
    lab.key("Return")
    await_learner(lab, learner)


def await_learner(lab, learner):
    """Another window has taken the place of the one before."""
    lab.await_text(f"{learner} learns now")
    lab.wait("one window alone", lambda: lab.application.childCount == 1)
    lab.place_anew()


def answer(lab):
    """The first lesson's question, whose predictions and runs are there."""
    lab.click(lab.await_answer(right_option(lesson(FIRST))))
    lab.await_text("Right.")


def add(lab, me):
    choose(lab, me, "Somebody else…")
    lab.focus_dialog()
    lab.picture("2-who")
    type_name(lab, "  Ada ", "Ada")
    lab.await_text("1 of 8")
    check(kept_is_empty(lab.home, "Ada"), "somebody new has progress already")
    # With somebody else's work she begins at the first move, not at theirs.
    lab.await_name(lesson(FIRST)["prediction"]["ask"], "slider")
    lab.picture("3-ada")


def kept_is_empty(home, learner):
    return not kept(home, learner)


def begin_anew(lab, me):
    """One lesson, by the menu; brought back by the toast, and once more by the menu."""
    lab.click(lab.await_name(lesson(FIRST)["title"], starts=True))
    answer_before = kept(lab.home, me)[FIRST]
    choose(lab, me, "Begin this lesson anew")
    lab.await_text("1 lesson begins anew")
    lab.await_name(lesson(FIRST)["prediction"]["ask"], "slider")
    check("answers" not in kept(lab.home, me)[FIRST], "the answer is still there")
    lab.picture("5-anew")
    lab.click(lab.await_name("Undo", "push button"))
    lab.await_text("1 lesson is as it was")
    check(kept(lab.home, me)[FIRST]["answers"] == answer_before["answers"], "not as it was")
    choose(lab, me, "Begin all lessons anew…")
    dialog = lab.focus_dialog()
    lab.key("Tab", "Return")
    lab.await_gone(dialog)
    lab.refocus()
    lab.await_text("1 lesson begins anew")
    choose(lab, me, "Undo: bring 1 lesson back")
    lab.wait("all to be back",
             lambda: kept(lab.home, me)[FIRST].get("answers") == answer_before["answers"])


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
                          capture_output=True, text=True,
                          env={**os.environ, "HOME": lab.home,
                               "XDG_DATA_HOME": os.path.join(lab.home, "data")}).stdout
    with open(table, encoding="utf-8", newline="") as file:
        check(file.read() == twin, "the table is not as the terminal has it")
    check(len(list(csv.reader(twin.splitlines()))) == 17, twin)
    choose(lab, me, "Save a copy of the progress…")
    lab.choose_file(os.path.join(lab.home, "data", "offload-lab", "progress-Ada.json"),
                    replace=True)
    lab.await_text("the lab keeps progress of a learner there")
    lab.close_dialog()
    check(kept_is_empty(lab.home, "Ada"), "somebody's progress was written over")
    return copy


def take(home, copy):
    """Ada is given the copy: another start of the program names it, and the window asks."""
    lab = Lab(home, *lab_app.screen(), arguments=[copy], watches_text=True)
    lab.await_text("Ada learns now")
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
    lab = Lab(home, *lab_app.screen(), watches_text=True)
    lab.click(button(lab, me))
    lab.await_name("Somebody else…")
    lab.picture("1-menu")
    lab.key("Escape")
    add(lab, me)
    choose(lab, "Ada", me)
    await_learner(lab, me)
    lab.await_name(lesson(FIRST)["title"] + ", done", starts=True)
    begin_anew(lab, me)
    copy = files(lab, me)

    # On the page of progress all of it is in sight; small letters mean the same Ada.
    choose(lab, me, "Show progress")
    lab.reveal(lab.await_name("Add a learner", "push button"))
    lab.picture("6-page")
    lab.click(lab.await_name("Add a learner", "push button"))
    type_name(lab, "ada", "Ada")
    check(not os.path.exists(os.path.join(home, "data", "offload-lab", "progress-ada.json")),
          "two learners by one name")
    lab.close()

    # Who learned last learns at the next start.
    lab = take(home, copy)
    lab.close()


lab_app.main(test)
