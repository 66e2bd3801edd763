"""A class of two questions, as a remote and a keyboard drive it: votes that nobody sees before they are
closed, a second one after discussion, the right answer, why, a blank screen, out and in again, the
results as a table; then a class about a quiz file; and of all that nothing is anybody's progress."""

import csv
import os

import lab_app
from lab_app import Lab, check, courses

LESSONS = courses()[0]["lessons"]


def choose_two(lab):
    lab.open_place("Classroom")
    for each in LESSONS[2:]:
        lab.click(lab.await_name(each["title"], "check box"))
    lab.picture("1-lessons")


def begin(lab):
    """As a remote does."""
    lab.refocus()
    lab.key("F5")
    return lab.focus_dialog()


def options(lab):
    return LESSONS[0]["question"]["options"]


def await_votes(lab, count):
    votes = f"{count} vote" + ("" if count == 1 else "s")
    lab.wait(f"{votes} to be counted", lambda: any(
        a.name.startswith("The vote is open") and a.name.endswith(votes)
        for a in lab_app.walk(lab.application)))


def vote(lab, keys, count):
    for key in keys:
        lab.key(key)
    await_votes(lab, count)
    check(not any("voter" in text for text in lab.texts()), "counts are told before the vote is over")


def right_key():
    return str(1 + [bool(o.get("right")) for o in options(None)].index(True))


def go_through(lab):
    right, wrong = right_key(), "2" if right_key() == "1" else "1"
    letter = "ABCDEFGH"[int(right) - 1]
    lab.await_text("Offloading · 1 of 2")
    lab.await_text(LESSONS[0]["question"]["text"])
    lab.picture("2-question")
    lab.key("Next")
    lab.await_name("What runs when", "image")
    if os.environ.get("LAB_RUNS"):
        lab.key("r")
        lab.await_text("Done", patience=lab_app.RUN_PATIENCE_S)
    lab.picture("3-bench")
    lab.key("Next")
    await_votes(lab, 0)
    vote(lab, right + wrong + wrong + "1", 4)
    lab.key("BackSpace")
    await_votes(lab, 3)
    lab.picture("4-vote")
    lab.key("Next")
    lab.await_text("hatched: first vote, 3 voters")
    lab.picture("5-tally")
    lab.key("v")
    vote(lab, right + right + right, 3)
    lab.key("Next")
    lab.await_text("solid: after discussion, 3 voters")
    lab.key("Next", "Next")
    lab.await_name(f"{letter}: {options(lab)[int(right) - 1]['text']}", starts=True)
    lab.wait("the right one to be told",
             lambda: any(a.name.endswith("; right") for a in lab_app.walk(lab.application)))
    lab.picture("6-explained")


def blank(lab):
    lab.key("b")
    lab.await_name("The screen is blank: any key or a click brings it back")
    lab.key("Next")
    lab.await_text("Offloading · 1 of 2")


def out_and_in(lab):
    lab.key("Escape")
    lab.await_name("Go on with the class", "push button")
    lab.await_text("classes/class-")
    lab.picture("7-left")
    begin(lab)
    lab.await_text("solid: after discussion, 3 voters")


def save(lab, path):
    """A file chooser lies above the class, which lies above the window."""
    lab.key("ctrl+s")
    lab.wait("the chooser", lambda: len(lab._dialogs()) > 1)
    lab.choose_file(path)
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    check(len(rows) == len(options(lab)), rows)
    numbers = sorted(tuple(v for v in row.values() if v.isdigit()) for row in rows)
    check(any("2" in n for n in numbers) and any("3" in n for n in numbers), rows)


QUIZ = """::Capitals::Which city is the capital of Italy? {
=Rome#It has been since 1871.
~Milan
~Turin
}

// an essay is nothing to vote on
Tell us about it. {}

2 + 2 is 4. {T}
"""


def write_quiz(home):
    path = os.path.join(home, "Capitals.gift")
    with open(path, "w", encoding="utf-8") as file:
        file.write(QUIZ)
    return path


def ask_quiz(lab, path):
    """Its questions take the place of the lessons; the bench is left out, and the why that there is is told."""
    lab.click(lab.await_name("Add a quiz file…", "push button"))
    lab.choose_file(path)
    lab.await_name("1 thing was skipped or changed while reading")
    lab.await_name("Remove the quiz Capitals", "push button")
    lab.picture("8-quiz")
    lab.click(lab.await_name("Begin a class", "push button"))
    question = lab.focus_dialog()
    lab.key("Return")
    lab.await_gone(question)
    lab.focus_dialog()
    lab.await_text("Which city is the capital of Italy?")
    lab.key("Next")
    await_votes(lab, 0)
    vote(lab, "112", 3)
    lab.key("Next", "Next", "Next")
    lab.await_name("A: Rome", starts=True)
    lab.await_text("It has been since 1871.")
    lab.picture("9-quiz-explained")
    lab.key("Next")
    lab.await_text("2 + 2 is 4.")
    lab.key("Escape")
    lab.refocus()
    lab.click(lab.await_name("Remove the quiz Capitals", "push button"))
    lab.wait("the quiz to go", lambda: not any(a.name.startswith("Remove the quiz")
                                               for a in lab_app.walk(lab.application)))


def test():
    home = os.environ["LAB_HOME"]
    lab = Lab(home, *lab_app.screen(), watches_text=True)
    choose_two(lab)
    begin(lab)
    go_through(lab)
    blank(lab)
    out_and_in(lab)
    save(lab, os.path.join(home, "class.csv"))
    lab.key("Escape")
    ask_quiz(lab, write_quiz(home))
    check(lab.progress() is None or not lab.progress()["lessons"], "the class became progress")
    lab.close()


lab_app.main(test)
