"""What a learner does to the window: a real pointer and real keys."""

import os
import subprocess
import time

from lab_eyes import Eyes, Failure, check, find_scroller


class Hands(Eyes):
    """Of a window whose X id, `window`, is known, too."""

    def click(self, accessible, at=0.5, button=1):
        self.reveal(accessible)
        x, y, width, height = self._still_extents(accessible)
        dx, dy = self._frame()
        subprocess.run(["xdotool", "mousemove", str(int(x + dx + width * at)),
                        str(int(y + dy + height / 2)), "click", str(button)], check=True)
        time.sleep(0.3)

    def open_place(self, name):
        """By its row in the list, which is out of sight where there is no room for it."""
        row = self.await_name(name, "list item", starts=True)
        if self.extents(row)[0] < 0:
            self.key("F9")
        self.click(row)

    def reveal(self, accessible):
        """Turns the wheel over what a widget scrolls in until its middle can be clicked."""
        scroller = find_scroller(accessible)
        dx, dy = self._frame()
        for _ in range(120 if scroller else 0):
            x, y, width, height = self.extents(accessible)
            left, top, across, down = self.extents(scroller)
            if y >= top and y + min(height, 0.6 * down) <= top + down:
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

    def drag(self, x, to_x, y):
        """With the button held, sideways: in steps, as a hand does."""
        self.hover(x, y)
        subprocess.run(["xdotool", "mousedown", "1"], check=True)
        for i in range(1, 9):
            subprocess.run(["xdotool", "mousemove", str(int(x + (to_x - x) * i / 8)),
                            str(int(y))], check=True)
            time.sleep(0.05)
        subprocess.run(["xdotool", "mouseup", "1"], check=True)
        time.sleep(0.3)

    def drop(self, path):
        """As from a file manager: a window of its own over the lab's corner."""
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "drag_source.py")
        source = subprocess.Popen(["/usr/bin/python3", script, path])
        try:
            found = self.wait("the source", lambda: subprocess.run(
                ["xdotool", "search", "--onlyvisible", "--name", "drag source"],
                capture_output=True, text=True).stdout.split())
            subprocess.run(["xdotool", "windowmove", found[-1], "900", "100"], check=True)
            time.sleep(1)
            steps = [(1000, 150), (1000, 165), (990, 200), (900, 400), (500, 500), (400, 600),
                     (396, 604)]
            for i, (x, y) in enumerate(steps):
                subprocess.run(["xdotool", "mousemove", str(x), str(y)], check=True)
                if i == 0:
                    subprocess.run(["xdotool", "mousedown", "1"], check=True)
                time.sleep(0.2)
            subprocess.run(["xdotool", "mouseup", "1"], check=True)
            time.sleep(0.5)
        finally:
            source.terminate()
            source.wait(10)
        self.refocus()

    def key(self, *names):
        for name in names:
            subprocess.run(["xdotool", "key", "--clearmodifiers", name], check=True)
            time.sleep(0.12)

    def type(self, words):
        subprocess.run(["xdotool", "type", "--delay", "15", words], check=True)

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
        self.type(path)
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
