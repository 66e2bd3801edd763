"""The sandbox and the planner in a small window with text of 200 %: the forecast and the key that is
turned are in sight together, and nothing is wider than the window."""

import os
import subprocess

import lab_app
from lab_app import Lab, check, courses


def find_entry(lab, name):
    for _ in range(80):
        focused = lab.focused()
        if focused is not None and focused.name == name and focused.getRoleName() == "text":
            return focused
        lab.key("Tab")
    raise lab_app.Failure(f"Tab never came to the entry of “{name}”")


def check_in_sight(lab, accessible, name):
    x, y, width, height = lab.extents(accessible)
    scroller = lab_app.find_scroller(accessible)
    top, bottom = 0, lab.size[1]
    if scroller is not None:
        _, top, _, down = lab.extents(scroller)
        bottom = top + down
    check(x >= 0 and x + width <= lab.size[0] and y >= top and y + height <= bottom,
          f"{name} lies at {x}, {y}, {width} x {height}, out of sight")


def test():
    width, height = map(int, os.environ["LAB_SCREEN"].split("x"))
    lab = Lab(os.environ["LAB_HOME"], width, height)
    lab.key(*["ctrl+Page_Down"] * sum(len(course["lessons"]) for course in courses()))
    lab.await_text("at full size")
    _, _, frame_width, frame_height = lab.extents(lab.application.getChildAtIndex(0))
    check(frame_width <= width and frame_height <= height,
          f"the window takes {frame_width} x {frame_height} of {width} x {height}")
    lab.picture("1-sandbox")
    for name in ("Layers", "Vocabulary"):
        entry = find_entry(lab, name)
        check_in_sight(lab, entry, name)
        check_in_sight(lab, lab.await_name("Fits"), "the forecast")
    lab.key("ctrl+a")
    subprocess.run(["xdotool", "type", "1000000"], check=True)
    lab.await_text("Does not fit: GPU needs ")
    lab.picture("2-does-not-fit")
    lab.key("ctrl+Page_Down")
    lab.await_text("simulated")
    lab.picture("3-planner")
    lab.close()


lab_app.main(test)
