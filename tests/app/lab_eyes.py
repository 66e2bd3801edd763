"""What of the window can be seen: by the names that assistive technology reads, and as pictures."""

import os
import re
import subprocess
import time

import gi

gi.require_version("Atspi", "2.0")
import pyatspi  # noqa: E402

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


def check(condition, words):
    if not condition:
        raise Failure(words)


class Eyes:
    """Of a window whose `process`, `application` and `size` are set."""

    cut_off = None  # the file of text-watch.c, where that watches

    def _frame(self):
        """From the screen's corner to the window's own: half of what its frame adds."""
        frame = self.application.getChildAtIndex(0).queryComponent().getExtents(
            pyatspi.WINDOW_COORDS)
        return (self.size[0] - frame.width) // 2, (self.size[1] - frame.height) // 2

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

    def place(self, accessible):
        """Its box on the screen."""
        x, y, width, height = self.extents(accessible)
        dx, dy = self._frame()
        return x + dx, y + dy, width, height

    def picture(self, name):
        path = os.path.join(os.environ["LAB_PICTURES"], name + ".png")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        time.sleep(0.5)
        subprocess.run(["import", "-window", "root", path], check=True)
        if self.cut_off:
            with open(self.cut_off, encoding="utf-8") as file:
                lines = file.read().splitlines()
            check(not lines, f"cut off in the picture {name}: " + "; ".join(lines))

    def focused(self):
        for accessible in walk(self.application):
            try:
                if pyatspi.STATE_FOCUSED in states(accessible):
                    return accessible
            except Exception:
                continue
        return None
