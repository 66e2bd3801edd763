"""A disk that is full, a folder that goes away, a program that is killed: the learner is told, goes
on, and loses nothing once there is room again."""

import getpass
import json
import os
import random
import resource
import signal
import subprocess
import time

import lab_app
from lab_app import Lab, check, lesson, offered_runs, right_option

ANSWERED, LATER = "why-offload", "twelve-bytes"


def write_all_but_answers(home):
    """Two lessons of which only the question is left."""
    folder = os.path.join(home, "data", "offload-lab")
    os.makedirs(folder, exist_ok=True)
    when = {"time": "2026-01-01T00:00:00Z"}
    done = {each: {"predictions": [{"value": 2.0, **when}],
                   "runs": [{"run": run["name"], **when} for run in offered_runs(lesson(each))]}
            for each in (ANSWERED, LATER)}
    learner = getpass.getuser()
    with open(os.path.join(folder, f"progress-{learner}.json"), "w", encoding="utf-8") as file:
        json.dump({"schema": 1, "learner": learner, "lessons": done}, file)


def answers(lab, which):
    return lab.progress()["lessons"].get(which, {}).get("answers", [])


def answer(lab, which):
    lab.click(lab.await_name(lesson(which)["title"], starts=True))
    lab.click(lab.await_name("4 Answer", starts=True))
    lab.click(lab.await_answer(right_option(lesson(which))))
    lab.await_text("Right.")


def fill(lab, full):
    """As a full disk does: no byte can be written."""
    most = resource.prlimit(lab.process.pid, resource.RLIMIT_FSIZE)[1]
    resource.prlimit(lab.process.pid, resource.RLIMIT_FSIZE, (0 if full else most, most))


def disk_full(lab):
    fill(lab, True)
    answer(lab, ANSWERED)
    lab.await_text("Not saved yet")
    lab.await_text("kept in memory")
    check(not answers(lab, ANSWERED), "it was saved all the same")
    lab.picture("1-told")
    # Closing asks first.
    subprocess.run(["xdotool", "key", "--window", lab.window, "ctrl+q"], check=True)
    lab.await_text("Close without saving?")
    dialog = lab.focus_dialog()
    lab.picture("2-closing")
    lab.key("Escape")
    lab.await_gone(dialog)
    lab.refocus()
    fill(lab, False)
    lab.await_text("is on the disk again")
    check(answers(lab, ANSWERED)[0]["right"], "it was lost")
    lab.wait("the warning to go", lambda: not any("Not saved yet" in t for t in lab.texts()))


def folder_gone(lab):
    folder = os.path.join(lab.home, "data", "offload-lab")
    os.rename(folder, folder + "-away")
    with open(folder, "w", encoding="utf-8"):
        pass
    answer(lab, LATER)
    lab.await_text("Not saved yet")
    os.remove(folder)
    os.rename(folder + "-away", folder)
    lab.click(lab.await_ready("Try now"))
    lab.wait("the answer on the disk", lambda: answers(lab, LATER))


def killed(home):
    """At a random moment about an answer: what is there is whole, and has what was there before."""
    for _ in range(int(os.environ.get("LAB_KILLS", "1"))):
        write_all_but_answers(home)
        lab = Lab(home)
        before = lab.progress()["lessons"]
        lab.click(lab.await_name("4 Answer", starts=True))
        lab.click(lab.await_answer(right_option(lesson(ANSWERED))))
        time.sleep(random.uniform(0, 0.1))
        lab.process.send_signal(signal.SIGKILL)
        lab.process.wait()
        after = lab.progress()["lessons"]
        given = after[ANSWERED].pop("answers", [{"right": True}])
        check(after == before and given[0]["right"], f"not as it was: {after}")


def test():
    home = os.environ["LAB_HOME"]
    write_all_but_answers(home)
    lab = Lab(home, watches_text=True)
    disk_full(lab)
    folder_gone(lab)
    lab.close()
    killed(home)


lab_app.main(test)
