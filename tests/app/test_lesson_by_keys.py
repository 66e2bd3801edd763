"""A learner finishes why-offload with the keyboard alone: no pointer is moved at all."""

import os

import lab_app
from lab_app import (Lab, check, lesson, make_long_engine, offered_runs, right_option,
                     wrong_option)


def letter_key(lab, option):
    """The letter that the window shows for an option, as a key."""
    return lab.await_answer(option).name[0].lower()


def predict(lab, why):
    lab.key("F5")  # a run before any prediction is refused, and says why
    lab.await_text("Predict first")
    lab.tab_to(why["prediction"]["ask"])
    lab.key("Up", "Up", "Up")
    lab.tab_to("Lock in my prediction")
    lab.key("space")
    lab.await_text("You predicted")


def walk_the_chart(lab):
    lab.tab_to("What runs when")
    before = lab.details()
    lab.key("Right")
    first = lab.wait("details of a span", lambda: lab.details() != before and lab.details())
    lab.key("Right")
    lab.wait("details of the next span", lambda: lab.details() not in (before, first))
    lab.key("Return", "plus", "plus", "minus")
    lab.picture("2-zoomed-by-keys")
    lab.key("Home")
    lab.await_text("the whole run")
    lab.key("Escape")
    lab.wait("a cleared selection", lambda: lab.details() == before)


def test():
    home = os.environ["LAB_HOME"]
    long_flag = os.path.join(home, "long")
    lab = Lab(home, engine=make_long_engine(home, long_flag))
    why = lesson("why-offload")
    lab.await_name("Lock in my prediction")
    predict(lab, why)
    runs = offered_runs(why)
    lab.key("F5")
    lab.await_steps()
    lab.key("Escape")  # stops it: it is then made again
    lab.await_text("Stopped ", patience=lab_app.RUN_PATIENCE_S)
    lab.picture("1-stopped")
    os.unlink(long_flag)
    for i, run in enumerate(runs):
        # F5, Ctrl+R, or the button: the focus waits there for the next run.
        if i < 2:
            lab.key("F5" if i == 0 else "ctrl+r")
        else:
            lab.wait("the focus", lambda: lab.focused().name == f"Run: {run['title']}")
            lab.key("space")
        lab.await_ready(f"Run again: {run['title']}", patience=lab_app.RUN_PATIENCE_S)
        lab.wait("the run's end", lambda: lab.engine() is None, lab_app.RUN_PATIENCE_S)
    walk_the_chart(lab)
    lab.key("alt+3")
    for i in range(len(why["observe"])):
        lab.tab_to(f"Show me: observation {i + 1}")
        lab.key("space")
    lab.key("alt+4")
    lab.key(letter_key(lab, wrong_option(why)))
    lab.await_text("Not that one")
    lab.key(letter_key(lab, right_option(why)))  # takes no answer before a run is made again
    lab.await_text("This answer counts")
    lab.tab_to("Run again, then answer", starts=True)
    lab.key("space")
    lab.await_text("what do you say now", patience=lab_app.RUN_PATIENCE_S)
    position = ord(letter_key(lab, right_option(why))) - ord("a") + 1
    lab.key(str(position))
    lab.await_text("Right.")
    lab.picture("3-right")
    check("why-offload" in str(lab.progress()), "the answer is not in the progress file")
    lab.await_name("Why offload at all, done")
    lab.key("ctrl+Page_Down")
    lab.await_text("2 of")
    lab.key("ctrl+Page_Up")
    lab.await_text("1 of")
    lab.key("ctrl+question")
    lab.wait("the shortcuts window", lambda: lab.application.childCount > 1)
    lab.picture("4-shortcuts")
    lab.close()


lab_app.main(test)
