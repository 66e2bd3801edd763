"""Quick quizzes: the questions of a course in a row; a quiz file that is opened, given its answers,
edited, asked, saved as GIFT and dropped on the window again. Nothing of it is anybody's progress."""

import os
import subprocess

import lab_app
from lab_app import Lab, check, courses, lesson, wrong_option

QUIZ = """Two questions

1. Which number is even?
- Three
- Four
- Five

2. Which is the largest?
- A byte
- A kibibyte

3. Only one option
- Alone
"""


def one_wrong(lab):
    """The first course: one answer by mouse that is wrong, the others by keys."""
    questions = courses()[0]["lessons"]
    lab.open_place("Quick quiz")
    lab.picture("1-choice")
    lab.click(lab.await_name(f"Ask the questions of {courses()[0]['title']}", "push button"))
    lab.await_text(f"Question 1 of {len(questions)}")
    lab.click(lab.await_answer(wrong_option(questions[0])))
    lab.await_text("Not that one.")
    lab.picture("2-answered")
    lab.key("Return")
    for each in questions[1:]:
        right = next(o for o in each["question"]["options"] if o.get("right"))
        letter = lab.await_answer(right).name[0]
        lab.key(letter.lower())
        lab.await_text("Right.")
        lab.key("Return")
    lab.await_text(f"{len(questions) - 1} of {len(questions)} right.")
    lab.picture("3-score")
    lab.await_name(f"Open the lesson {lesson(questions[0]['id'])['title']}", "push button")
    check(lab.progress() is None or not lab.progress()["lessons"], "a quiz became progress")


def mark_and_edit(lab):
    lab.await_text("2 questions")
    lab.await_text("Line 12: ")
    lab.await_text("2 without a marked answer")
    lab.picture("4-file")
    lab.click(lab.await_name("Answers, a letter for each question"))
    lab.type("b-")
    lab.key("Return")
    lab.await_text("1 without a marked answer")
    lab.click(lab.await_name("Edit question 2", "push button"))
    lab.await_text("Question 2 of 2")
    lab.click(lab.await_name("Mark B as the right option"))
    lab.picture("5-edited")
    lab.click(lab.await_name("Done", "push button"))
    lab.wait("all to be marked", lambda: not any("without a marked" in t for t in lab.texts()))


def closing_asks(lab):
    subprocess.run(["xdotool", "key", "--window", lab.window, "ctrl+q"], check=True)
    lab.await_text("Close without saving?")
    lab.close_dialog()


def aiken_lists_losses(lab):
    """Before it asks where: Aiken has no place for a title."""
    lab.click(lab.await_name("Save as Aiken", "push button"))
    lab.await_text("Not all of it fits into Aiken")
    lab.await_text("the title “Two questions” is not kept")
    lab.picture("6-losses")
    lab.close_dialog()


def ask(lab, n):
    lab.click(lab.await_ready("Ask the questions"))
    lab.await_text(f"Question 1 of {n}")
    lab.key("2")
    lab.await_text("Right.")
    lab.key("Return")
    lab.await_text(f"Question 2 of {n}")
    lab.key("a")
    lab.await_text("The right answer: A kibibyte")
    lab.key("Return")
    lab.await_text("1 of 2 right.")
    lab.click(lab.await_name("Back to the list", "push button"))


def test():
    home = os.environ["LAB_HOME"]
    quiz, gift = (os.path.join(home, name) for name in ("mine.txt", "mine.gift"))
    with open(quiz, "w", encoding="utf-8") as file:
        file.write(QUIZ)
    lab = Lab(home, *lab_app.screen(), watches_text=True)
    one_wrong(lab)
    lab.close()
    lab = Lab(home, *lab_app.screen(), arguments=[quiz], watches_text=True)
    mark_and_edit(lab)
    closing_asks(lab)
    ask(lab, 2)
    aiken_lists_losses(lab)
    lab.click(lab.await_name("Save as GIFT", "push button"))
    lab.choose_file(gift)
    lab.refocus()
    lab.await_text("Saved: mine.gift")
    with open(gift, encoding="utf-8") as file:
        saved = file.read()
    check("=Four" in saved and "=A kibibyte" in saved and saved.count("=") == 2, saved)
    lab.drop(quiz)
    lab.await_text("2 without a marked answer")
    lab.drop(gift)
    lab.wait("all to be marked still", lambda: "mine.gift · 2 questions" in lab.texts())
    lab.await_ready("Ask the questions")
    lab.close()


lab_app.main(test)
