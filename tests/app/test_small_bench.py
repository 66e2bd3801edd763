"""The bench where there is little room: charts have it, the list of lessons goes when it has done its
service, and what was looked at stays in sight when the columns fold."""

import os
import subprocess
import time

import lab_app
from lab_app import Lab, check, courses, make_engine
from saved_runs import make_run

CHARTS = ("Ranks", "Where the bytes are", "Memory over time", "What runs when", "Loss and speed")


def cut(box, top, bottom):
    """How much of a box's height lies between."""
    return max(0, min(box[1] + box[3], bottom) - max(box[1], top))


def chart_boxes(lab):
    return [lab.extents(a) for a in lab_app.walk(lab.application)
            if a.getRoleName() == "image" and a.name in CHARTS and lab.extents(a)[3] > 0]


def share_of_charts(lab):
    """Of the bench's height."""
    bench = lab.extents(lab.await_name("Bench", "filler"))
    pane = lab.extents(lab_app.find_scroller(lab.find("Where the bytes are", "image")))
    return sum(cut(box, pane[1], pane[1] + pane[3]) for box in chart_boxes(lab)) / bench[3]


def has_list(lab):
    return any(a.name == "Lessons" and a.getRoleName() == "list" and lab.extents(a)[0] >= 0
               for a in lab_app.walk(lab.application)
               if a.name == "Lessons" and lab.extents(a)[2] > 0)


def run_beneath_the_list(lab):
    """The list, a page and a run, all by keys: each shows what comes next."""
    lab.key("F9")
    lab.wait("the list", lambda: has_list(lab))
    lab.picture("1-list")
    lab.key(*["ctrl+Page_Down"] * sum(len(course["lessons"]) for course in courses()))
    lab.await_text("Fits")
    lab.wait("the list to go", lambda: not has_list(lab))
    lab.key("F9")
    lab.wait("the list again", lambda: has_list(lab))
    lab.key("F5")
    lab.await_steps()
    check(not has_list(lab), "the list lies over the run")
    lab.picture("2-running")
    lab.wait("the run's end", lambda: any("Done" in t for t in lab.texts()),
             lab_app.RUN_PATIENCE_S)


def give_charts_the_room(lab):
    lab.key("alt+Right")
    time.sleep(0.5)
    lab.picture("3-bench")
    share = share_of_charts(lab)
    check(share >= 0.5, f"charts have {share:.0%} of the bench's height")


def see_both_time_charts(lab):
    memory, lanes = (lab.await_name(name, "image") for name in CHARTS[2:4])
    pane = lab.extents(lab_app.find_scroller(memory))
    room = lab.extents(lanes)[1] + lab.extents(lanes)[3] - lab.extents(memory)[1]
    check(room <= pane[3], f"both time charts take {room} of {pane[3]} pixels")
    lab.reveal(lanes)
    lab.picture("4-time-charts")


def fold_onto_the_bench(home, width, height):
    """A file is opened side by side, or in one column: the run is in sight in either."""
    path = make_run(home, "simulate")
    lab = Lab(home, width, height, arguments=[path])
    lab.await_text(os.path.basename(path))
    subprocess.run(["xdotool", "windowsize", lab.window, str(min(width, 640)), str(height)],
                   check=True)
    lab.size = (min(width, 640), height)
    lab.wait("the columns to fold", lambda: lab.find("Bench", "push button"))
    time.sleep(0.5)
    lab.picture("5-folded")
    check(lab.find("Where the bytes are", "image"), "the run that was opened is out of sight")
    lab.close()


def test():
    width, height = map(int, os.environ["LAB_SCREEN"].split("x"))
    home = os.environ["LAB_HOME"]
    lab = Lab(home, width, height, engine=make_engine(home, os.path.join(home, "late")))
    run_beneath_the_list(lab)
    give_charts_the_room(lab)
    if "LAB_TEXT" not in os.environ:
        see_both_time_charts(lab)
    lab.close()
    fold_onto_the_bench(home, width, height)


lab_app.main(test)
