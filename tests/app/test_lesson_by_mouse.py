"""A learner finishes why-offload with the mouse alone; the lab remembers it."""

import os

import lab_app
from lab_app import Lab, check, lesson, offered_runs, right_option, wrong_option


def predict(lab):
    lab.picture("1-first-start")
    check(not lab.find("Lock in my prediction", "push button").getState().contains(
        lab_app.pyatspi.STATE_SENSITIVE), "a prediction can be locked before one is made")
    lab.click(lab.await_name(lesson("why-offload")["prediction"]["ask"], "slider"), at=0.6)
    lab.click(lab.await_ready("Lock in my prediction"))
    lab.await_text("You predicted")


def run(lab, title, picture):
    lab.click(lab.await_ready(f"Run: {title}"))
    if picture:
        lab.await_steps()
        lab.picture("2-running")
    lab.await_ready(f"Run again: {title}", patience=lab_app.RUN_PATIENCE_S)


def look_around(lab, chart):
    """Hover, click, drag and wheel on the lanes."""
    x, y, width, height = lab.extents(chart)
    dx, dy = lab._frame()
    for share in (0.3, 0.4, 0.5, 0.6):
        lab.hover(x + dx + width * share, y + dy + height * 0.2)
    lab.click(chart, at=0.45)


def test():
    home = os.environ["LAB_HOME"]
    lab = Lab(home)
    why = lesson("why-offload")
    predict(lab)
    for i, each in enumerate(offered_runs(why)):
        run(lab, each["title"], i == 0)
        if each["name"] == "one-more":
            lab.await_text("Out of memory")
            lab.picture("3-out-of-memory")
    lab.picture("4-all-run")
    look_around(lab, lab.await_name("What runs when", "image"))
    lab.click(lab.await_ready("Go on: what to look at"))
    for i in range(len(why["observe"])):
        lab.click(lab.await_ready(f"Show me: observation {i + 1}"))
        if i == 0:
            lab.picture("5-observe")
    lab.click(lab.await_ready("Go on to the question"))

    lab.click(lab.await_answer(wrong_option(why)))
    lab.await_text("Not that one")
    lab.await_text(f"Right is: {right_option(why)['text']}")
    lab.picture("6-wrong")
    lab.click(lab.await_ready("Run again, then answer", starts=True))
    lab.await_text("what do you say now", patience=lab_app.RUN_PATIENCE_S)
    lab.click(lab.await_answer(right_option(why)))
    lab.await_text("Right.")
    check("is not kept" not in "".join(lab.texts()), "an explanation lacks figures of runs just made")
    lab.picture("7-right")
    check("why-offload" in str(lab.progress()), "the answer is not in the progress file")
    lab.await_name("Why offload at all, done")
    lab.await_ready("Next lesson")
    lab.close()

    again = Lab(home)
    again.await_name("Why offload at all, done")
    again.await_text("Offloading · 2 of")
    again.picture("8-started-again")
    again.close()


lab_app.main(test)
