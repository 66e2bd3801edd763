"""The window as a learner meets it: started under a display of its own, found by assistive
technology's names, moved by a real pointer and real keys, and kept as pictures.

GTK 4.8 tells extents within the window, not on the screen; the window is moved to the screen's
corner, so that only its frame lies between the two.
"""

import getpass
import json
import os
import re
import signal
import stat
import subprocess
import sys
import time

import gi

gi.require_version("Atspi", "2.0")
import pyatspi  # noqa: E402
from gi.repository import Atspi  # noqa: E402

NAME = "offload-lab"
PATIENCE_S = 20  # for what takes no engine
RUN_PATIENCE_S = 90  # for a run, on a slow and busy machine


class Failure(Exception):
    pass


def walk(accessible):
    """All accessibles below, in order; what goes away meanwhile is passed over."""
    if accessible is None:
        return
    yield accessible
    try:
        count = accessible.childCount
    except Exception:
        return
    for i in range(count):
        try:
            child = accessible.getChildAtIndex(i)
        except Exception:
            continue
        yield from walk(child)


def find_scroller(accessible):
    """What it scrolls in, or None."""
    while accessible is not None and accessible.getRoleName() != "scroll pane":
        accessible = accessible.parent
    return accessible


def states(accessible):
    return accessible.getState().getStates()


class Lab:
    def __init__(self, home, width=1440, height=900, engine=None, extra=None, arguments=()):
        environment = dict(os.environ)
        environment.update(
            HOME=home,
            XDG_DATA_HOME=os.path.join(home, "data"),
            XDG_CONFIG_HOME=os.path.join(home, "config"),
            XDG_CACHE_HOME=os.environ.get("LAB_CACHE", os.path.join(home, "cache")),
        )
        environment.update(extra or {})
        if engine:
            environment["OFFLOAD_LAB_CLI"] = engine
        self.home = home
        self.size = (width, height)
        self.process = subprocess.Popen([os.environ["LAB_WINDOW"], *arguments], env=environment)
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
            return found[-1] if found else None

        self.window = self.wait("the window's X id", find_window)
        width, height = map(str, self.size)
        subprocess.run(["xdotool", "windowmove", self.window, "0", "0", "windowsize", self.window,
                        width, height, "windowfocus", self.window], check=True)
        time.sleep(1)

    def _frame(self):
        """From the screen's corner to the window's own: half of what its frame adds."""
        frame = self.application.getChildAtIndex(0).queryComponent().getExtents(
            pyatspi.WINDOW_COORDS)
        return (self.size[0] - frame.width) // 2, (self.size[1] - frame.height) // 2

    def close(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(10)

    # Looking

    def wait(self, what, look, patience=PATIENCE_S):
        """The first true value that `look` gives."""
        end = time.monotonic() + patience
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise Failure(f"the window ended with {self.process.returncode} before {what}")
            try:
                found = look()
            except Failure:
                raise
            except Exception:  # an accessible went away while it was looked at
                found = None
            if found:
                return found
            time.sleep(0.15)
        raise Failure(f"waited {patience} s in vain for {what}")

    def find(self, name, role=None, starts=False):
        """What has this name and lies on the screen, or None."""
        for accessible in walk(self.application):
            try:
                matches = accessible.name.startswith(name) if starts else accessible.name == name
                if not matches or (role and accessible.getRoleName() != role):
                    continue
                if self.extents(accessible)[2] > 0:
                    return accessible
            except Exception:
                continue
        return None

    def await_name(self, name, role=None, starts=False, patience=PATIENCE_S):
        return self.wait(f"“{name}”", lambda: self.find(name, role, starts), patience)

    def await_ready(self, name, role="push button", starts=False, patience=PATIENCE_S):
        """The same, once it can be pressed."""
        def look():
            found = self.find(name, role, starts)
            return found if found and pyatspi.STATE_SENSITIVE in states(found) else None

        return self.wait(f"“{name}” ready", look, patience)

    def extents(self, accessible):
        box = accessible.queryComponent().getExtents(pyatspi.WINDOW_COORDS)
        return box.x, box.y, box.width, box.height

    def _still_extents(self, accessible):
        """The same once it has stopped moving: what comes above it may push it down."""
        seen = None
        for _ in range(30):
            now = self.extents(accessible)
            if now == seen:
                break
            seen = now
            time.sleep(0.1)
        return seen

    def find_answer(self, option):
        """The button of an option of the question: its name begins with the letter shown."""
        for accessible in walk(self.application):
            try:
                if (accessible.getRoleName() in ("push button", "toggle button")
                        and option["text"] in accessible.name
                        and self.extents(accessible)[2] > 0):
                    return accessible
            except Exception:
                continue
        return None

    def await_answer(self, option):
        return self.wait(f"the answer “{option['text']}”", lambda: self.find_answer(option))

    def texts(self):
        """All that can be read in the window now."""
        seen = []
        for accessible in walk(self.application):
            try:
                if accessible.getRoleName() == "label" and self.extents(accessible)[2] > 0:
                    seen.append(accessible.name)
            except Exception:
                continue
        return seen

    def await_text(self, part, patience=PATIENCE_S):
        return self.wait(f"the words “{part}”",
                         lambda: next((t for t in self.texts() if part in t), None), patience)

    def await_steps(self):
        """Until a run is in its steps, or over: on a fast machine they may pass unseen."""
        seen = re.compile(r"\bstep \d+ of|^Done|^Out of memory")
        self.wait("a step", lambda: any(seen.search(t) for t in self.texts()), RUN_PATIENCE_S)

    def details(self):
        """The line below the charts."""
        for accessible in walk(self.application):
            try:
                if accessible.getRoleName() in ("status bar", "statusbar"):
                    return accessible.name
            except Exception:
                continue
        return ""

    def middle(self, accessible):
        x, y, width, height = self.extents(accessible)
        dx, dy = self._frame()
        return x + dx + width / 2, y + dy + height / 3

    def picture(self, name):
        path = os.path.join(os.environ["LAB_PICTURES"], name + ".png")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        time.sleep(0.5)
        subprocess.run(["import", "-window", "root", path], check=True)

    # Acting

    def click(self, accessible, at=0.5, button=1):
        self.reveal(accessible)
        x, y, width, height = self._still_extents(accessible)
        dx, dy = self._frame()
        subprocess.run(["xdotool", "mousemove", str(int(x + dx + width * at)),
                        str(int(y + dy + height / 2)), "click", str(button)], check=True)
        time.sleep(0.3)

    def reveal(self, accessible):
        """Turns the wheel over what a widget scrolls in until it can be clicked."""
        scroller = find_scroller(accessible)
        dx, dy = self._frame()
        for _ in range(120 if scroller else 0):
            x, y, width, height = self.extents(accessible)
            left, top, across, down = self.extents(scroller)
            if y >= top and y + height <= top + down:
                return
            subprocess.run(["xdotool", "mousemove", str(int(x + dx + width / 2)),
                            str(int(top + dy + down / 2)), "click", "4" if y < top else "5"],
                           check=True)
            time.sleep(0.15)
        check(scroller is None, f"the wheel never brought “{accessible.name}” into sight")

    def hover(self, x, y):
        subprocess.run(["xdotool", "mousemove", str(int(x)), str(int(y))], check=True)
        time.sleep(0.3)

    def turn(self, x, y, button, times=1, held=None):
        """Turns the wheel at a point: 4 up, 5 down, 6 left, 7 right."""
        self.hover(x, y)
        if held:
            subprocess.run(["xdotool", "keydown", held], check=True)
        subprocess.run(["xdotool", "click", "--repeat", str(times), "--delay", "120", str(button)],
                       check=True)
        if held:
            subprocess.run(["xdotool", "keyup", held], check=True)
        time.sleep(0.4)

    def press(self, x, y, button=1):
        subprocess.run(["xdotool", "mousemove", str(int(x)), str(int(y)), "click", str(button)],
                       check=True)
        time.sleep(0.4)

    def place(self, accessible):
        """Its box on the screen."""
        x, y, width, height = self.extents(accessible)
        dx, dy = self._frame()
        return x + dx, y + dy, width, height

    def key(self, *names):
        for name in names:
            subprocess.run(["xdotool", "key", "--clearmodifiers", name], check=True)
            time.sleep(0.12)

    def _dialogs(self):
        """X ids of what lies above the window, the newest last."""
        found = subprocess.run(
            ["xdotool", "search", "--onlyvisible", "--pid", str(self.process.pid)],
            capture_output=True, text=True).stdout.split()
        return sorted((w for w in found if w != self.window), key=int)

    def focus_dialog(self, besides=()):
        """Keys go to the dialog that has come up: there is no window manager to see to that."""
        dialog = self.wait("a dialog", lambda: next(
            (w for w in reversed(self._dialogs()) if w not in besides), None))
        subprocess.run(["xdotool", "windowfocus", dialog], check=True)
        time.sleep(0.5)
        return dialog

    def await_gone(self, *dialogs):
        """Nobody looks at them on their way (see __init__)."""
        self.wait("the dialog to go", lambda: not set(dialogs) & set(self._dialogs()))
        time.sleep(0.5)

    def choose_file(self, path, replace=False):
        """Types a whole path into the file chooser that has come up, and ends it."""
        chooser = self.focus_dialog()
        self.key("ctrl+l", "ctrl+a")
        subprocess.run(["xdotool", "type", "--delay", "15", path], check=True)
        time.sleep(0.5)
        self.key("Return")
        if replace:
            self.focus_dialog(besides=[chooser])
            self.key("Return")
        self.await_gone(chooser)

    def close_dialog(self):
        dialog = self.focus_dialog()
        self.key("Escape")
        self.await_gone(dialog)
        self.refocus()

    def refocus(self):
        """Keys go to the window again."""
        subprocess.run(["xdotool", "windowfocus", self.window], check=True)
        time.sleep(0.3)

    def focused(self):
        for accessible in walk(self.application):
            try:
                if pyatspi.STATE_FOCUSED in states(accessible):
                    return accessible
            except Exception:
                continue
        return None

    def tab_to(self, name, starts=False, most=60):
        """Presses Tab until the named widget has the focus: the learner's way without a mouse."""
        for _ in range(most):
            focused = self.focused()
            if focused is not None:
                held = focused.name
                if held == name or (starts and held.startswith(name)):
                    return focused
            self.key("Tab")
        raise Failure(f"Tab never came to “{name}”")

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


def right_option(lesson_object):
    return next(o for o in lesson_object["question"]["options"] if o.get("right"))


def wrong_option(lesson_object):
    return next(o for o in lesson_object["question"]["options"] if not o.get("right"))


def offered_runs(lesson_object):
    return [r for r in lesson_object["experiment"]["runs"] if not r.get("hidden")]


def check(condition, words):
    if not condition:
        raise Failure(words)


def main(test):
    """Runs a test; what goes wrong is told, with a picture of it."""
    try:
        test()
    except Failure as failure:
        subprocess.run(["import", "-window", "root",
                        os.path.join(os.environ["LAB_PICTURES"], "failure.png")])
        print(f"FAILED: {failure}", file=sys.stderr)
        sys.exit(1)
