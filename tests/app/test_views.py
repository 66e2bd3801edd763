"""Moving about the three views: zoom at the pointer and back, a span and its buffers, a layer of
memory and the spans that made and freed it, the critical path, units and copying; by pointer and by
keys."""

import os
import re
import subprocess
import sys

import bench_lesson
import lab_app
from lab_app import check


def shown(lab):
    """"0.7 s of 2.9 s": what of the run is in sight, as the lanes' title says."""
    return next((t for t in lab.texts()
                 if t.startswith("the whole run, ") or re.match(r"^[\d.]+ \S+ of [\d.]+ \S+$", t)),
                "")


def await_shown(lab, words):
    return lab.wait(f"“{words}” in sight", lambda: shown(lab) == words)


def await_details(lab, part):
    return lab.wait(f"details with “{part}”", lambda: part in lab.details())


def find_span(lab, lanes, lane, title):
    """Where on the screen a span of this title lies in a lane, tried from left to right."""
    x, y, width, height = lab.place(lanes)
    row = y + height * (0.085 + 0.122 * (lane + 0.5))
    for share in range(30, 97, 2):
        lab.hover(x + width * share / 100, row)
        if lab.details().startswith(title):
            return x + width * share / 100, row
    raise lab_app.Failure(f"no “{title}” found in lane {lane}")


def chart_in_sight(lab, name):
    chart = lab.await_name(name, "image")
    lab.reveal(chart)
    return chart


def zoom(lab, lanes):
    x, y = find_span(lab, lanes, 0, "Backward")
    before, held = shown(lab), lab.details()
    lab.turn(x, y, 4, times=4, held="ctrl")
    lab.hover(x, y)
    check(lab.details() == held, f"zooming moved the span away: {held} / {lab.details()}")
    zoomed = shown(lab)
    check(zoomed != before, "Ctrl and wheel did not zoom")
    lab.picture("1-zoomed-at-pointer")
    lab.click(lanes, at=0.02)
    lab.key("BackSpace")
    await_shown(lab, before)
    lab.key("shift+BackSpace")
    await_shown(lab, zoomed)
    lab.key("Home")
    lab.wait("the whole run", lambda: shown(lab).startswith("the whole run, "))
    lab.key("BackSpace", "BackSpace")
    await_shown(lab, before)


def select_span(lab, lanes):
    x, y = find_span(lab, lanes, 0, "Backward of block 3")
    lab.press(x, y)
    await_details(lab, "Backward of block 3")
    lab.hover(2, 300)
    lab.picture("2-span-and-its-buffers")
    lab.click(lab.await_name("What runs when as a table"))
    for tie in ("Tie: selected", "Tie: holds", "Tie: waited for", "Tie: waited for it"):
        check(lab.find(tie), f"the table has no “{tie}”")
    lab.picture("3-ties-as-a-table")
    lab.click(lab.find("What runs when as a table"))


def select_layer(lab):
    """In the memory view; then from there back to a span."""
    lab.tab_to("Memory over time", most=80)
    lab.key("Escape", "Down")
    for _ in range(8):
        if "of activations on GPU" in lab.details():
            break
        lab.key("Down")
    await_details(lab, "of activations on GPU")
    await_details(lab, "made by: ")
    await_details(lab, "freed by: ")
    first = lab.details()
    lab.key("Right")
    lab.wait("another buffer", lambda: lab.details() != first and "activations" in lab.details())
    lab.hover(2, 300)
    lab.picture("4-layer-and-its-spans")
    lab.click(lab.await_name("Memory over time as a table"))
    check(lab.find("Tie: made or filled it"), "the table does not tell who made the buffer")
    check(lab.find("Tie: freed or took it"), "the table does not tell who freed the buffer")
    lab.click(lab.find("Memory over time as a table"))
    lab.tab_to("What runs when", most=80)
    lab.key("Escape", "Right")
    check("activations on GPU" not in lab.details(), "the layer stays selected beside a span")


def pick_layer(lab):
    """The same by pointer: where activations lie, of a few places in the GPU's row."""
    memory = chart_in_sight(lab, "Memory over time")
    x, y, width, height = lab.place(memory)
    for share in range(40, 95, 3):
        lab.press(x + width * share / 100, y + height * 0.3)
        if "of activations on GPU" in lab.details():
            break
    lab.hover(2, 300)
    await_details(lab, "of activations on GPU")


def look_at_path(lab):
    lab.tab_to("What runs when", most=80)
    lab.key("Escape", "c")
    lab.hover(2, 300)
    lab.picture("5-critical-path")
    lab.click(lab.await_name("What runs when as a table"))
    check(lab.find("Critical: on the path"), "no span of the table is on the critical path")
    lab.click(lab.find("What runs when as a table"))
    lab.tab_to("What runs when", most=80)
    lab.key("c")


def read_units(lab):
    here = shown(lab)
    lab.key("u")
    lab.wait("units of there", lambda: shown(lab) != here)
    lab.picture("6-units-there")
    lab.key("u")
    await_shown(lab, here)


def copy(lab):
    lab.key("ctrl+c")
    lab.await_text("The chart is copied")
    reader = os.path.join(os.path.dirname(__file__), "read_clipboard.py")
    copied = subprocess.run([sys.executable, reader], capture_output=True, text=True, timeout=20,
                            check=True).stdout
    check("What runs when." in copied, f"the copy is of something else: {copied[:200]!r}")
    rows = [line.split("\t") for line in copied.splitlines() if "\t" in line]
    check(any("GPU compute" in row for row in rows), "the copy has no table of the lanes")


def follow_a_link(lab):
    """Above the charts: the second link, the loss, leads to the last step."""
    lab.tab_to("What runs when", most=80)
    lab.key("Home")
    lab.wait("the whole run", lambda: shown(lab).startswith("the whole run, "))
    lab.tab_to("Done · ", starts=True, most=80)
    lab.key("Tab", "Return")
    lab.wait("one step", lambda: " of " in shown(lab))
    lab.picture("8-a-link-leads-to-its-step")


def open_menu(lab):
    lab.key("shift+F10")
    lab.await_name("Copy as text", starts=True)
    lab.picture("7-menu")
    lab.key("Escape")


def test():
    home = os.environ["LAB_HOME"]
    width, height = map(int, os.environ["LAB_SCREEN"].split("x"))
    lab = bench_lesson.start(bench_lesson.make(), home, width, height)
    lab.key("F5")
    lab.await_ready("Run again: With overlap", patience=lab_app.RUN_PATIENCE_S) \
        if width >= 1400 else lab.wait("the run's end", lambda: shown(lab),
                                       lab_app.RUN_PATIENCE_S)
    if width >= 1400:  # else a chart is higher than the window, and reached by keys alone
        lanes = chart_in_sight(lab, "What runs when")
        zoom(lab, lanes)
        select_span(lab, chart_in_sight(lab, "What runs when"))
    select_layer(lab)
    if width >= 1400:
        pick_layer(lab)
    look_at_path(lab)
    read_units(lab)
    copy(lab)
    open_menu(lab)
    follow_a_link(lab)
    lab.close()


lab_app.main(test)
