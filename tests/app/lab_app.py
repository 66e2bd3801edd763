"""The window as a learner meets it: started under a display of its own, found by assistive
technology's names (lab_eyes.py), moved by a real pointer and real keys (lab_hands.py), and kept as
pictures. Tests take all of it from here.

GTK 4.8 tells extents within the window, not on the screen; the window is moved to the screen's
corner, so that only its frame lies between the two.
"""

import getpass
import json
import os
import signal
import stat
import subprocess
import sys
import time

import gi

gi.require_version("Atspi", "2.0")
import pyatspi  # noqa: E402
from gi.repository import Atspi  # noqa: E402

from lab_eyes import (  # noqa: E402, F401
    RUN_PATIENCE_S, Failure, check, find_scroller, states, walk)
from lab_hands import Hands  # noqa: E402


MOST_FRAME = 100  # pixels that the frame around a window may add to its width


class Lab(Hands):
    def __init__(self, home, width=1440, height=900, engine=None, extra=None, arguments=(),
                 watches_text=False):
        environment = dict(os.environ)
        environment.update(
            HOME=home,
            XDG_DATA_HOME=os.path.join(home, "data"),
            XDG_CONFIG_HOME=os.path.join(home, "config"),
            XDG_CACHE_HOME=os.environ.get("LAB_CACHE", os.path.join(home, "cache")),
        )
        if watches_text:
            self.cut_off = os.path.join(home, "cut-off")
            environment.update(LD_PRELOAD=os.environ["LAB_TEXT_WATCH"], TEXT_WATCH=self.cut_off)
        environment.update(extra or {})
        if engine:
            environment["OFFLOAD_LAB_CLI"] = engine
        self.home = home
        self.size = (width, height)
        self.process = subprocess.Popen([os.environ["LAB_WINDOW"], *arguments], env=environment,
                                        restore_signals=False)  # a limit on files is a full disk
        self.application = self.wait("the window", self._find_application)
        # Asking GTK 4.8 for a child that has just gone is a critical warning, and so the end: what
        # the tree was like a moment ago is not to be believed.
        self.application.set_cache_mask(
            Atspi.Cache(Atspi.Cache.DEFAULT & ~Atspi.Cache.CHILDREN))
        self._place()

    # Starting and ending

    def _find_application(self):
        for application in pyatspi.Registry.getDesktop(0):
            try:
                if application and application.get_process_id() == self.process.pid:
                    if application.childCount > 0:
                        return application
            except Exception:
                continue
        return None

    def _place(self):
        def find_window():
            found = subprocess.run(
                ["xdotool", "search", "--onlyvisible", "--pid", str(self.process.pid)],
                capture_output=True, text=True).stdout.split()
            return min(found, key=int) if found else None  # what lies above it came later

        self.window = self.wait("the window's X id", find_window)
        width, height = map(str, self.size)
        subprocess.run(["xdotool", "windowmove", self.window, "0", "0", "windowsize", self.window,
                        width, height, "windowfocus", self.window], check=True)
        self._settle()

    def _settle(self):
        """A second at most, until the window has had the size that it was given for a moment: it
        folds by its size."""
        seen = None
        for _ in range(10):
            time.sleep(0.1)
            frame = self.application.getChildAtIndex(0).queryComponent().getExtents(
                pyatspi.WINDOW_COORDS)
            now = (frame.width, frame.height)
            if now == seen and self.size[0] - now[0] in range(MOST_FRAME):
                break
            seen = now
        time.sleep(0.2)

    def place_anew(self):
        """The window is another one since a learner has taken over."""
        self._place()

    def close(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(10)

    # What is on disk

    def progress(self):
        folder = os.path.join(self.home, "data", "offload-lab")
        names = [n for n in os.listdir(folder) if n.startswith("progress-")] \
            if os.path.isdir(folder) else []
        if not names:
            return None
        with open(os.path.join(folder, names[0]), encoding="utf-8") as file:
            return json.load(file)

    def engine(self):
        """Process id of the engine under way, or None."""
        found = subprocess.run(["pgrep", "-P", str(self.process.pid), "-f", "offload-lab-cli"],
                               capture_output=True, text=True).stdout.split()
        return int(found[0]) if found else None

    def kill_engine(self):
        pid = self.wait("an engine to kill", self.engine)
        os.kill(pid, signal.SIGKILL)


def make_engine(home, late_flag):
    """The engine, but whether its runs were late is ours to say: they were while `late_flag` lies
    there. What a test finds then does not depend on how busy this machine is."""
    path = os.path.join(home, "offload-lab-cli")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"""#!/bin/sh
late=0
[ ! -e '{late_flag}' ] || late=0.07
'{os.environ["LAB_ENGINE"]}' "$@" | sed -u "s/\\"late\\":[^,}}]*/\\"late\\":$late/"
""")
    os.chmod(path, stat.S_IRWXU)
    return path


def make_long_engine(home, long_flag):
    """The engine, but while `long_flag` lies there its runs have far more steps than they are told:
    whoever is to stop or kill one is never too late."""
    path = os.path.join(home, "offload-lab-cli")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"""#!/bin/sh
[ ! -e '{long_flag}' ] || set -- "$@" --set steps=1000
exec '{os.environ["LAB_ENGINE"]}' "$@"
""")
    os.chmod(path, stat.S_IRWXU)
    with open(long_flag, "w", encoding="utf-8"):
        pass
    return path


def make_data(home, *lessons):
    """The lab's data with a course of these lessons in place of its own."""
    folder, given = os.path.join(home, "lab-data"), os.environ["OFFLOAD_LAB_DATA"]
    os.makedirs(os.path.join(folder, "courses"))
    for name in os.listdir(given):
        if name != "courses":
            os.symlink(os.path.join(given, name), os.path.join(folder, name))
    course = {"format": 1, "id": "of-tests", "title": "Tests", "lessons": list(lessons)}
    with open(os.path.join(folder, "courses", "tests.json"), "w", encoding="utf-8") as file:
        json.dump(course, file)
    return folder


def lesson(lesson_id):
    """The lesson as its course file has it."""
    return next(l for course in courses() for l in course["lessons"] if l["id"] == lesson_id)


def courses():
    """All courses in the order in which the lab shows them."""
    folder = os.path.join(os.environ["OFFLOAD_LAB_DATA"], "courses")
    found = []
    for name in sorted(os.listdir(folder)):
        if name.endswith(".json"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                found.append(json.load(file))
    return found


def write_progress(home, lesson_objects):
    """As a learner has it who has gone through these lessons, and no others."""
    folder = os.path.join(home, "data", "offload-lab")
    os.makedirs(folder, exist_ok=True)
    learner = getpass.getuser()
    done = {}
    for each in lesson_objects:
        when = {"time": "2026-01-01T00:00:00Z"}
        option = each["question"]["options"].index(right_option(each))
        done[each["id"]] = {
            "predictions": [{"value": 1.0, **when}],
            "runs": [{"run": run["name"], **when} for run in offered_runs(each)],
            "answers": [{"option": option, "right": True, **when}]}
    with open(os.path.join(folder, f"progress-{learner}.json"), "w", encoding="utf-8") as file:
        json.dump({"schema": 1, "learner": learner, "lessons": done}, file)


def screen():
    """Width and height of the display."""
    return [int(n) for n in os.environ["LAB_SCREEN"].split("x")]


def right_option(lesson_object):
    return next(o for o in lesson_object["question"]["options"] if o.get("right"))


def wrong_option(lesson_object):
    return next(o for o in lesson_object["question"]["options"] if not o.get("right"))


def offered_runs(lesson_object):
    return [r for r in lesson_object["experiment"]["runs"] if not r.get("hidden")]


def main(test):
    """Runs a test; what goes wrong is told, with a picture of it."""
    try:
        test()
    except Failure as failure:
        subprocess.run(["import", "-window", "root",
                        os.path.join(os.environ["LAB_PICTURES"], "failure.png")])
        print(f"FAILED: {failure}", file=sys.stderr)
        sys.exit(1)
