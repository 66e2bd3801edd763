"""Help: F1 opens the page about what has the focus, and all pages can be read, in any size."""

import os

import lab_app
from lab_app import Lab, check


def await_help(lab, title):
    """The help window, at this page."""
    def look():
        window = next((w for w in lab.application if w.name == "Help"), None)
        labels = [a.name for a in lab_app.walk(window)] if window else []
        return window if title in labels else None
    return lab.wait(f"help on {title}", look)


def pages_of(window):
    """The titles in the list."""
    rows = [a for a in lab_app.walk(window) if a.getRoleName() == "list item"]
    return [next(b.name for b in lab_app.walk(row) if b.getRoleName() == "label") for row in rows]


def check_nothing_sticks_out(lab, window, title):
    left, _, across, _ = lab.extents(window)
    for label in lab_app.walk(window):
        if label.getRoleName() == "label" and label.name:
            x, _, wide, _ = lab.extents(label)
            check(x >= left and x + wide <= left + across,
                  f"{title}: “{label.name[:40]}” sticks out sideways")


def test():
    width, height = map(int, os.environ["LAB_SCREEN"].split("x"))
    lab = Lab(os.environ["LAB_HOME"], width, height)

    # At first the lesson has the focus.
    lab.key("F1")
    lab.focus_dialog()
    window = await_help(lab, "The four moves of a lesson")
    lab.picture("1-lesson")
    _, _, across, down = lab.extents(window)
    check(across <= width and down <= height, f"help takes {across} x {down} of {width} x {height}")
    check_nothing_sticks_out(lab, window, "the four moves")
    titles = pages_of(window)
    check(len(titles) >= 10, f"only these pages are listed: {titles}")
    lab.close_dialog()

    # A chart that has the focus.
    lab.refocus()
    lab.key("alt+Right")
    lab.tab_to("Memory over time", starts=True)
    lab.key("F1")
    lab.focus_dialog()
    window = await_help(lab, "Memory over time")
    lab.picture("2-memory")
    check_nothing_sticks_out(lab, window, "memory")
    lab.close_dialog()
    lab.close()


lab_app.main(test)
