"""A run of several ranks on the bench: the grid selects one by pointer and by keys, groups fold, and
every word speaks of the rank that is selected."""

import os
import stat

import lab_app
from lab_app import Lab, check, pyatspi

LESSON = {
    "id": "ranks", "title": "Several ranks", "goal": "To have several ranks to look at.",
    "experiment": {
        "base": {"steps": 3, "overlap": {"prefetch": 2},
                 "batch": {"micro_batch": 2, "micro_batches": 4}},
        "runs": [
            {"name": "eight", "title": "Eight ranks",
             "set": {"parallel.data": 2, "parallel.pipeline": 4}},
            {"name": "two", "title": "Two ranks", "set": {"parallel.data": 2}},
        ],
    },
    "controls": [],
    "prediction": {"ask": "How much of a step is a bubble?", "kind": "number", "run": "eight",
                   "metric": "bubble.fraction", "unit": "%", "from": 0, "to": 100, "step": 1},
    "observe": [{"text": "Messages between ranks.", "run": "eight", "show": {"lane": "peer"}}],
    "evidence": [{"run": "eight", "metric": "bubble.fraction", "is": "at least", "value": 0.2,
                  "fails_on": "two"}],
    "question": {"text": "Who waits?", "options": [
        {"text": "Every stage", "why": "Yes.", "right": True}, {"text": "Nobody", "why": "No."},
        {"text": "The drive", "why": "No."}, {"text": "The learner", "why": "No."}]},
}


def make_engine(home):
    """The engine; never late, and its run of two data ranks is told as one of two tensor ranks: what
    the window draws of them depends on the trace's config alone."""
    path = os.path.join(home, "offload-lab-cli")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"""#!/bin/sh
'{os.environ["LAB_ENGINE"]}' "$@" | sed -u -e 's/"late":[^,}}]*/"late":0/' \\
  -e '/"type":"run"/s/"data":2,"zero":0,"tensor":1,"pipeline":1/"data":1,"zero":0,"tensor":2,"pipeline":1/'
""")
    os.chmod(path, stat.S_IRWXU)
    return path


def await_details(lab, part):
    return lab.wait(f"details with “{part}”", lambda: part in lab.details())


def is_open(lab, name):
    spot = lab.find(name, "push button")
    return spot is not None and pyatspi.STATE_EXPANDED in lab_app.states(spot)


def select(lab):
    lab.await_name("Rank 0 · data 0, stage 0", "push button")
    check(lab.find("Ranks", "image"), "there is no grid of ranks")
    check(is_open(lab, "Lanes of Rank 0 · data 0, stage 0"), "the selected rank is folded")
    check(not is_open(lab, "Lanes of Rank 6 · data 1, stage 2"), "another rank is not folded")
    lab.picture("1-eight-ranks")
    lab.click(lab.find("Rank 6 · data 1, stage 2", "push button"))
    await_details(lab, "Rank 6 · data 1, stage 2 · waits in bubbles for ")
    check(is_open(lab, "Lanes of Rank 6 · data 1, stage 2"), "the rank clicked stays folded")
    check(not is_open(lab, "Lanes of Rank 0 · data 0, stage 0"), "the rank before stays unfolded")
    cell = lab.find("Rank 2 · data 0, stage 2", "push button")
    check(cell.description == "data group", f"rank 2 is said to be: {cell.description}")
    lab.picture("2-selected-by-click")
    lab.key("Left")
    await_details(lab, "Rank 5 · data 1, stage 1")
    lab.key("Up")
    await_details(lab, "Rank 1 · data 0, stage 1")
    lab.key("Up")  # the edge: nothing happens
    await_details(lab, "Rank 1 · data 0, stage 1")
    lab.picture("3-selected-by-keys")


def fold(lab):
    three, one = "Lanes of Rank 3 · data 0, stage 3", "Lanes of Rank 1 · data 0, stage 1"
    lab.click(lab.find(three, "push button"))
    lab.wait("rank 3 unfolded", lambda: is_open(lab, three))
    check(is_open(lab, one), "a click on one rank has folded another")
    lab.picture("4-two-unfolded")
    lab.key("space")
    lab.wait("rank 3 folded by key", lambda: not is_open(lab, three))
    lab.key("Up", "Up", "space")
    lab.wait("rank 1 folded by key", lambda: not is_open(lab, one))
    memory = "Memory of Rank 1 · data 0, stage 1"
    check(is_open(lab, memory), "a fold of lanes has folded memory")
    lab.key("space")
    lab.wait("rank 1 unfolded by key", lambda: is_open(lab, one))


def walk(lab):
    lab.tab_to("What runs when", most=80)
    lab.key("Right")
    await_details(lab, "Rank 1: ")
    for _ in range(8):  # lanes without spans are passed over
        if lab.details().startswith("Rank 2: "):
            break
        lab.key("Down")
    await_details(lab, "Rank 2: Forward")
    lab.key("Escape", "Next")
    await_details(lab, "Rank 3 · data 0, stage 3")
    lab.key("Prior")
    await_details(lab, "Rank 2 · data 0, stage 2")


def look_at_tables(lab):
    lab.click(lab.await_name("Ranks as a table"))
    lab.await_name("Ranks and their groups")
    check(lab.find("Shares: stages of its pipeline"), "the table does not tell the groups")
    lab.picture("5-table")
    lab.click(lab.find("Ranks as a table"))
    lab.click(lab.await_name("What runs when as a table"))
    lab.await_name("Rank: 7")
    lab.click(lab.find("What runs when as a table"))


def look_at_slices(lab):
    lab.key("F5")
    lab.await_name("Rank 1 · slice 1", patience=lab_app.RUN_PATIENCE_S)
    lab.wait("the run's end", lambda: lab.engine() is None, lab_app.RUN_PATIENCE_S)
    lab.click(lab.await_name("Rank 1 · slice 1", "push button"))
    await_details(lab, "Rank 1 · slice 1")
    drawing = lab.await_name("Sliced matrices", "image")
    check("rows 64–127 of q, k, v" in drawing.description, "nothing is said of rank 1's slice")
    lab.picture("6-slices")
    lab.click(lab.find("Sliced matrices", "push button"))
    lab.wait("the drawing folded", lambda: not lab.find("Sliced matrices", "image"))
    lab.picture("7-slices-folded")


def is_in_sight(lab, chart):
    _, y, _, height = lab.extents(chart)
    _, top, _, down = lab.extents(lab_app.find_scroller(chart))
    return top <= y and y + height <= top + down


def show(lab):
    """What a lesson points at is unfolded, whatever was folded by hand."""
    lab.click(lab.await_name("Run 1", starts=True))
    lab.click(lab.await_name("Lanes of Rank 1 · data 0, stage 1", "push button"))
    lab.click(lab.await_ready("Go on: what to look at"))
    lab.click(lab.await_ready("Show me: observation 1"))
    lab.wait("the selected rank unfolded",
             lambda: is_open(lab, "Lanes of Rank 1 · data 0, stage 1"))
    lab.wait("the lanes in sight", lambda: is_in_sight(lab, lab.find("What runs when", "image")))
    lab.picture("8-shown")


def test():
    home = os.environ["LAB_HOME"]
    width, height = map(int, os.environ["LAB_SCREEN"].split("x"))
    lab = Lab(home, width, height, engine=make_engine(home),
              extra={"OFFLOAD_LAB_DATA": lab_app.make_data(home, LESSON)})
    lab.click(lab.await_name(LESSON["prediction"]["ask"], "slider"), at=0.5)
    lab.click(lab.await_ready("Lock in my prediction"))
    check(not lab.find("Ranks", "image"), "a grid of ranks without a run")
    lab.key("F5")
    lab.await_ready("Run again: Eight ranks", patience=lab_app.RUN_PATIENCE_S)
    select(lab)
    fold(lab)
    walk(lab)
    look_at_tables(lab)
    look_at_slices(lab)
    if width >= 1400:  # lesson and bench side by side
        show(lab)
    lab.close()


lab_app.main(test)
