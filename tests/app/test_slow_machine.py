"""A machine too busy to keep the scale model's clock: the lab says so, and makes the runs again on
a slower one."""

import os

import lab_app
from lab_app import Lab, check, lesson, make_engine, offered_runs


def scale(lab):
    return next(t for t in lab.texts() if "1 MiB is" in t)


def test():
    home = os.environ["LAB_HOME"]
    flag = os.path.join(home, "late")
    with open(flag, "w", encoding="utf-8"):
        pass
    lab = Lab(home, engine=make_engine(home, flag))
    why = lesson("why-offload")
    runs = offered_runs(why)[:2]
    lab.click(lab.await_name(why["prediction"]["ask"], "slider"), at=0.5)
    lab.click(lab.await_ready("Lock in my prediction"))
    for run in runs:
        lab.click(lab.await_ready(f"Run: {run['title']}"))
        lab.await_ready(f"Run again: {run['title']}", patience=lab_app.RUN_PATIENCE_S)
    lab.click(lab.await_name("Run 1", starts=True))
    lab.await_text("This run was 7.0 % late: its times do not count")
    lab.await_text("Done · 7.0 % late: times do not count")
    lab.picture("1-late")
    before = scale(lab)

    # Still late: the other run waits for the learner's word, and is not forgotten.
    lab.click(lab.await_ready("Make both runs again, slower"))
    lab.await_name(f"Stop: {runs[0]['title']}")
    lab.picture("2-made-again")
    lab.await_ready("Make both runs again, slower", patience=lab_app.RUN_PATIENCE_S)
    check(scale(lab) != before, "the clock is as fast as it was")
    lab.await_text("To be made again, slower")

    # In time: one after the other, by themselves.
    os.unlink(flag)
    lab.click(lab.await_ready("Make both runs again, slower"))
    lab.await_text("Out of memory", patience=lab_app.RUN_PATIENCE_S)
    lab.wait("the end of both", lambda: lab.engine() is None, lab_app.RUN_PATIENCE_S)
    lab.await_text(" a step")
    lab.picture("3-in-time")
    words = "".join(lab.texts())
    check("late" not in words and "To be made again" not in words, "something still waits")
    lab.close()


lab_app.main(test)
