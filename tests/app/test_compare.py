"""Two variations of a lesson compared: one pinned by the pointer and shown behind and beside the
other, then the same by keys alone; figures that differ, and a figure that leads to its spans."""

import os
import re

import lab_app
from lab_app import Lab, check, lesson, make_engine, offered_runs


def make_runs(lab, each, runs):
    lab.click(lab.await_answer({"text": each["prediction"]["choices"][0]}))
    lab.click(lab.await_ready("Lock in my prediction"))
    lab.await_text("You predicted")
    for run in runs:
        lab.key("F5")
        lab.await_ready(f"Run again: {run['title']}", patience=lab_app.RUN_PATIENCE_S)
        lab.wait("the run's end", lambda: lab.engine() is None, lab_app.RUN_PATIENCE_S)


def choose(lab, button, item, key):
    """From the menu, by the pointer. Extents of a menu's items are true only where the menu hangs
    at its button and is not moved to fit the screen: large text takes the key instead."""
    if "LAB_TEXT" in os.environ:
        lab.key(key)
        return
    lab.click(lab.await_name(button))
    x, y, width, height = lab.extents(lab.await_name(item, "menu item"))
    lab.picture("2-menu")
    lab.press(min(x, lab.size[0] - width) + width / 2, y + height / 2)


def shown_range(lab):
    """What of the shown run is in sight, as the title of its lanes says: "1.2 s of 4.8 s"."""
    return next(t for t in lab.texts() if re.match(r"the whole run, |[\d.]+ m?s of ", t))


def select_by_the_pinned_chart(lab, x, width, compute):
    """One selection: what the pinned run's span does is selected in the shown run, and marked in
    both."""
    said = "In the pinned run: "
    at = lab.wait("words about a span of the pinned run", lambda: next(
        (x + width * share for share in (0.4, 0.5, 0.6, 0.7)
         if lab.hover(x + width * share, compute) or lab.details().startswith(said)), None))
    title = lab.details()[len(said):].split(" · ")[0]
    lab.press(at, compute)
    lab.hover(2, 300)
    lab.wait(f"“{title}” selected in the shown run", lambda: lab.details().startswith(title))
    lab.picture("3-selected-in-both")
    lab.key("Escape")


def move_by_the_pinned_chart(lab):
    """One axis: what is done with the pinned run's chart is done with the shown run's, too."""
    def await_range(look):
        return lab.wait("another range", lambda: look(shown_range(lab)) and shown_range(lab))

    pinned = lab.await_name("What runs when, pinned run", "image")
    lab.click(pinned, at=0.98)  # at the edge: where no span is
    check(lab.focused().name == pinned.name, "the pinned chart takes no focus")
    lab.key("Home")
    whole = await_range(lambda seen: seen.startswith("the whole run"))
    lab.picture("3-the-whole-of-both")
    x, y, width, height = lab.place(pinned)
    compute = y + height * 0.15
    select_by_the_pinned_chart(lab, x, width, compute)
    lab.drag(x + width * 0.4, x + width * 0.6, compute)
    lab.wait("a marked range", lambda: "Enter zooms to it, Home" in lab.details())
    lab.picture("3-marked-on-the-pinned-chart")
    lab.press(x + width / 2, compute)
    lab.wait("no marked range", lambda: "Enter zooms to it, Home" not in lab.details())
    lab.key("Escape")
    lab.turn(x + width / 2, compute, 4, times=4, held="ctrl")
    zoomed = await_range(lambda seen: seen != whole)
    lab.picture("3-zoomed-by-the-pinned-chart")
    lab.key("plus")
    await_range(lambda seen: seen not in (whole, zoomed))
    lab.key("BackSpace", "BackSpace")
    await_range(lambda seen: seen == whole)


def compare_by_mouse(lab, runs):
    first, second = (f"Run {i + 1}: {run['title']}" for i, run in enumerate(runs))
    lab.click(lab.await_name(first))
    choose(lab, "Compare: pin a run", f"Pin run 1: {runs[0]['title']}", "ctrl+p")
    lab.await_name(f"Compare: pinned is {first}")
    check(not any("run 1, pinned" in t for t in lab.texts()), "a run is compared with itself")
    lab.click(lab.await_name(second))
    lab.await_text("dash-dot: run 1, pinned")
    lab.await_text("thin bars: run 1, pinned")
    lab.picture("1-behind")
    choose(lab, f"Compare: pinned is {first}", "Beside it, on the same time axis", "ctrl+b")
    lab.await_name("What runs when, pinned run", "image")
    lab.await_text("of both begins at the same place")
    lab.picture("3-beside")
    move_by_the_pinned_chart(lab)
    lab.click(lab.await_name("Figures"))
    lab.await_name("Config keys that differ")
    lab.picture("4-figures")


def keys_that_differ(runs):
    """As the course file has it: every key that one of the two runs sets in another way."""
    one, other = (run.get("set", {}) for run in runs)
    return {key for key in {*one, *other} if one.get(key) != other.get(key)}


def read_differences(lab, runs):
    for key in keys_that_differ(runs):
        check(lab.find(key + ": ", starts=True), f"“{key}” differs, and the pane does not say so")
    row = lab.await_name("A step takes: ", starts=True)
    check("pinned: " in row.name, f"nothing to compare with in “{row.name}”")
    lab.click(lab.await_name("Only what differs"))
    lab.wait("fewer figures", lambda: not lab.find("First loss: ", starts=True))
    lab.picture("5-only-what-differs")
    lab.click(lab.find("Only what differs"))
    lab.await_name("Busy: ", starts=True)


def go_to_figure(lab, begin):
    """Down to the figure whose name begins so, and there."""
    for _ in range(60):
        if lab.focused().name.startswith(begin):
            break
        lab.key("Down")
    check(lab.focused().name.startswith(begin), f"Down never came to “{begin}”")
    before = lab.details()
    lab.key("Return")
    return lab.wait(f"where “{begin}” comes from",
                    lambda: lab.details() != before and lab.details())


def follow_a_figure(lab):
    """A figure leads to a span of the lane that it speaks of, and a peak to its moment."""
    before = lab.details()
    lab.tab_to("A step takes: ", starts=True)
    words = go_to_figure(lab, "Busy: GPU → host")
    check("GPU → host" in words, f"“{words}” is no span of that lane")
    lab.picture("6-busy-leads-to-spans")
    words = go_to_figure(lab, "At most on GPU: all")
    peak = lab.find("Memory over time", "image").get_description()
    check("GPU peaks at" in peak and "block" in words, f"“{words}” is not what ran at “{peak}”")
    lab.picture("7-peak-leads-to-its-moment")
    lab.key("Escape")
    lab.wait("nothing pointed at", lambda: lab.details() == before)


def compare_by_keys(lab, runs):
    lab.key("ctrl+b")
    lab.await_text("dash-dot: run 1, pinned")
    check(not lab.find("What runs when, pinned run", "image"), "still beside")
    lab.key("ctrl+b")
    lab.await_name("What runs when, pinned run", "image")
    lab.key("ctrl+p")  # the second run instead
    lab.await_name(f"Compare: pinned is Run 2: {runs[1]['title']}")
    lab.key("ctrl+p")  # pressed on the pinned run: none
    lab.await_name("Compare: pin a run")
    lab.key("ctrl+i")
    lab.wait("no figures", lambda: not lab.find("A step takes: ", starts=True))
    lab.tab_to("Loss and speed")
    lab.key("Left")
    lab.picture("8-loss-by-keys")


def test():
    home = os.environ["LAB_HOME"]
    lab = Lab(home, engine=make_engine(home, os.path.join(home, "never late")))
    hide = lesson("hide-the-transfer")
    runs = offered_runs(hide)[:2]
    lab.key(*["ctrl+Page_Down"] * 4)
    lab.await_text(hide["title"])
    make_runs(lab, hide, runs)
    compare_by_mouse(lab, runs)
    read_differences(lab, runs)
    follow_a_figure(lab)
    compare_by_keys(lab, runs)
    lab.close()


lab_app.main(test)
