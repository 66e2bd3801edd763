"""The keyboard shortcuts: all of them can be read, however large the text and small the window."""

import os

import lab_app
from lab_app import Lab, check


def rows(window):
    """Their words with where they are in the window, from top to bottom."""
    return [a for a in lab_app.walk(window) if a.getRoleName() == "label" and a.name]


def await_window(lab):
    return lab.wait("the shortcuts", lambda: next(
        w for w in lab.application if w.name == "Keyboard shortcuts"))


def test():
    width, height = map(int, os.environ["LAB_SCREEN"].split("x"))
    lab = Lab(os.environ["LAB_HOME"], width, height)
    lab.key("ctrl+question")
    lab.focus_dialog()
    window = await_window(lab)
    first, last = lab.await_name("Make the next run"), lab.await_name("Quit")
    lab.picture("1-shortcuts")
    _, _, across, down = lab.extents(window)
    check(across <= width and down <= height, f"they take {across} x {down} of {width} x {height}")
    left, top, pane, page = lab.extents(lab_app.find_scroller(first))
    for label in rows(window):
        x, _, wide, _ = lab.extents(label)
        check(left <= x and x + wide <= left + pane, f"“{label.name}” sticks out sideways")
    lab.key(*["Page_Down"] * 12)
    _, y, _, tall = lab.extents(last)
    check(top <= y and y + tall <= top + page, "the last one is never in sight")
    lab.picture("2-end")
    lab.close_dialog()
    lab.close()


lab_app.main(test)
