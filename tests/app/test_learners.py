"""Several learners on one computer: each has progress of their own, by name; it is begun anew and
brought back, and never gets mixed up."""

import getpass
import os
import subprocess

import lab_app
from lab_app import Lab, check, lesson, right_option, write_progress
from learner_menu import FIRST, button, choose, kept, kept_is_empty


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


def begin_anew(lab, me):
    """One lesson, by the menu; brought back by the toast, and once more by the menu."""
    lab.click(lab.await_name(lesson(FIRST)["title"], starts=True))
    answer_before = kept(lab.home, me)[FIRST]
    choose(lab, me, "Begin this lesson anew")
    lab.await_text("1 lesson begins anew")
    lab.await_name(lesson(FIRST)["prediction"]["ask"], "slider")
    check("answers" not in kept(lab.home, me)[FIRST], "the answer is still there")
    lab.picture("5-anew")
    lab.click(lab.await_name("Undo", "push button", starts=True))  # GTK 4.8 doubles its name
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
    lab = Lab(home, *lab_app.screen(), watches_text=True)
    lab.await_text("Ada learns now")
    lab.close()


lab_app.main(test)
