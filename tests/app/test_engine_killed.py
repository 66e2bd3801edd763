"""The engine is killed in the middle of a run: the window says so, keeps what it was told, and can
run again. A program that is not there, and one that talks nonsense, are told apart."""

import os
import re
import stat
import time

import lab_app
from lab_app import Lab, lesson, make_long_engine, offered_runs


def predict(lab):
    why = lesson("why-offload")
    lab.click(lab.await_name(why["prediction"]["ask"], "slider"), at=0.5)
    lab.click(lab.await_ready("Lock in my prediction"))
    return offered_runs(why)[0]["title"]


def charts(lab):
    """All that the charts tell of the run: their descriptions, with the range and the time in them,
    and what of the run is in sight."""
    told = [lab.await_name(name, "image").description
            for name in ("Where the bytes are", "Memory over time", "What runs when")]
    return told + [t for t in lab.texts() if t.startswith("the whole run, ")]


def look_at_frozen(lab):
    """Nothing moves any more, for longer than a step takes; the charts answer nevertheless."""
    lab_app.check(lab.engine() is None, "there is an engine still")
    frozen = charts(lab)
    time.sleep(3)
    lab_app.check(charts(lab) == frozen, f"moved without an engine: {frozen}, {charts(lab)}")
    lab.click(lab.find("What runs when", "image"), at=0.02)
    lab.key("Right")
    lab.wait("an answer to the keys", lambda: not lab.details().startswith("Point at a span"))
    lab_app.check(charts(lab)[3:] == frozen[3:], "looking at a span moved the run's end")
    return frozen


def test_killed(home):
    long_flag = os.path.join(home, "long")
    lab = Lab(home, engine=make_long_engine(home, long_flag))
    title = predict(lab)
    lab.click(lab.await_ready(f"Run: {title}"))
    lab.await_steps()
    lab.kill_engine()
    os.unlink(long_flag)
    lab.await_text("signal 9 (Killed)")
    lab.await_text("stays on the charts")
    lab.picture("1-killed")
    frozen = look_at_frozen(lab)
    lab.click(lab.await_ready(f"Run again: {title}"))
    lab.await_text("Done", patience=lab_app.RUN_PATIENCE_S)
    lab_app.check("signal 9" not in "".join(lab.texts()), "the old failure is still shown")
    lab_app.check(charts(lab) != frozen, "the charts did not go on")
    lab.picture("2-run-again")
    lab.close()


def test_no_engine(home):
    lab = Lab(home, engine="/nonexistent/offload-lab-cli")
    title = lesson("why-offload")["experiment"]["runs"][0]["title"]
    lab.click(lab.await_ready("Run", starts=True))
    lab.await_text("could not be started")
    lab.await_ready("Run", starts=True)
    lab.picture("3-no-engine")
    lab.close()
    return title


def test_babbling_engine(home):
    babbler = os.path.join(home, "babbler")
    with open(babbler, "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\nhead -c 100000 /dev/urandom\necho 'what is this' >&2\nexit 3\n")
    os.chmod(babbler, stat.S_IRWXU)
    lab = Lab(home, engine=babbler)
    lab.click(lab.await_ready("Run", starts=True))
    lab.await_text("exit status 3")
    lab.await_text("what is this")
    lab.picture("4-babbling-engine")
    lab.close()


def test():
    home = os.environ["LAB_HOME"]
    test_killed(home)
    # A home of its own, where the first run is still to be made; its prediction is there already.
    test_no_engine(home)
    test_babbling_engine(home)


lab_app.main(test)
