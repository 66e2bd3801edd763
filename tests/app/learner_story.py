"""A learner's whole way through a lesson: predicts and says how sure, runs, looks, answers wrong,
runs again, answers right; and in between the program is closed and opened again, twice. What moves
the window is given: a pointer, keys, or what assistive technology does."""

import os

import lab_app
from lab_app import Lab, check, lesson, offered_runs, right_option, wrong_option

SURE = "Fairly sure"
SHARE = 0.7


def start(home):
    width, height = map(int, os.environ.get("LAB_SCREEN", "1440x900").split("x"))
    return Lab(home, width, height, watches_text=True)


def entry(lab, lesson_id):
    """What the progress file has of the lesson."""
    progress = lab.progress()
    return progress["lessons"].get(lesson_id, {}) if progress else {}


def predict(lab, hand, each):
    hand.open_lesson(lab, each)
    lab.await_text(each["prediction"]["ask"])
    lab.picture(f"{each['id']}-1-predict")
    hand.predict(lab, each)
    hand.press(lab, SURE)
    lab.picture(f"{each['id']}-2-said")
    hand.press(lab, "Lock in my prediction")
    lab.await_text("You predicted")
    lab.await_text(f"How sure you were: {SURE}")
    kept = entry(lab, each["id"])["predictions"]
    check(len(kept) == 1 and kept[0]["sure"] == SHARE, f"kept of the prediction: {kept}")


def run_all(lab, hand, each):
    for run in offered_runs(each):
        hand.press(lab, f"Run: {run['title']}")
        lab.await_ready(f"Run again: {run['title']}", patience=lab_app.RUN_PATIENCE_S)
    lab.await_text("You said")
    lab.picture(f"{each['id']}-3-run")


def observe(lab, hand, each):
    hand.press(lab, "Go on: what to look at")
    seen = False
    for i, point in enumerate(each["observe"]):
        hand.press(lab, f"Show me: observation {i + 1}")
        if point["run"] == each["prediction"]["run"] and not seen:  # its chart has the ghost
            seen = True
            lab.wait("the prediction in its chart's description", lambda: "measured" in lab.await_name(
                "Where the bytes are", "image").description)
            lab.picture(f"{each['id']}-ghost")
    lab.picture(f"{each['id']}-4-observe")
    hand.press(lab, "Go on to the question")


def answer_wrong(lab, hand, each):
    hand.answer(lab, wrong_option(each))
    lab.await_text("Not that one")
    lab.await_text(f"Right is: {right_option(each)['text']}")
    lab.await_text("This answer counts")
    check("is not kept" not in "".join(lab.texts()), "an explanation lacks figures of runs just made")
    hand.press(lab, "Show me: why not that one")
    hand.press(lab, "Show me: the right answer")
    lab.picture(f"{each['id']}-5-wrong")


def run_again(lab, hand, each):
    again = next(a for a in lab_app.walk(lab.application)
                 if (a.name or "").startswith("Run again, then answer"))
    hand.press(lab, again.name)
    lab.await_text("what do you say now", patience=lab_app.RUN_PATIENCE_S)
    check(not any(t.startswith("Right is") for t in lab.texts()), "what is right is still told")


def answer_right(lab, hand, each):
    hand.answer(lab, right_option(each))
    lab.await_text("Right.")
    lab.await_text("Your first answer was another one")
    lab.picture(f"{each['id']}-6-right")
    answers = entry(lab, each["id"])["answers"]
    check([a["right"] for a in answers] == [False, True], f"kept of the answers: {answers}")
    lab.await_name(f"{each['title']}, done")


def tell(hand, *lesson_ids):
    for lesson_id in lesson_ids:
        each, home = lesson(lesson_id), os.path.join(os.environ["LAB_HOME"], lesson_id)
        os.makedirs(home)
        os.symlink(os.path.join(os.environ["LAB_HOME"], "config"), os.path.join(home, "config"))
        lab = start(home)
        predict(lab, hand, each)
        lab.close()
        lab = start(home)
        hand.open_lesson(lab, each)
        lab.await_text(f"How sure you were: {SURE}")  # locked, and still there
        run_all(lab, hand, each)
        observe(lab, hand, each)
        answer_wrong(lab, hand, each)
        lab.close()
        lab = start(home)
        hand.open_lesson(lab, each)
        lab.await_text("This answer counts")
        run_again(lab, hand, each)
        answer_right(lab, hand, each)
        lab.close()
