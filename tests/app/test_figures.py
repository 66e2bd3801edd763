"""What charts and words say in figures: the tables beside the charts, the units of what the scale
model stands for, and the recipe that a run is read from."""

import os

import lab_app
from lab_app import Lab, check, lesson, make_engine, offered_runs

TABLES = {  # button: a table's name, and how a cell's begins
    "Where the bytes are as a table": ["Bytes by memory", "Host at most: 64 KiB"],
    "Memory over time as a table": ["Peaks by memory", "Of the capacity: "],
    "What runs when as a table": ["Lanes", "Share: "],
}


def look_at_tables(lab):
    for button, (table, cell) in TABLES.items():
        lab.click(lab.await_name(button))
        check(lab.find(cell, "label", starts=True), f"no cell “{cell}”")
        check(lab.find(table), f"no table “{table}”")
        lab.picture("1-" + table)
        if table != "Lanes":
            lab.click(lab.find(button))
    # Tab passes a table in one step, whatever the number of its rows; the button has the focus.
    lab.key("Tab", "Tab", "Down")
    check(lab.focused().getRoleName() == "table row", "Tab does not lead to the spans")
    before = lab.details()
    lab.key("Return")
    lab.wait("the row's span selected", lambda: lab.details() != before)
    lab.click(lab.find("What runs when as a table"))
    check(lab.find("What runs when", "image"), "the chart has not come back")


def look_there(lab):
    here = lab.await_text(" a step")
    lab.click(lab.await_name("Scale model", starts=True))
    lab.click(lab.await_name("What it stands for: scaled up"))
    there = lab.await_text(" a step there")
    check(here.split(" a step")[0] not in there, "the run's words keep to the units of here")
    lab.picture("2-there")


def read_recipes(lab):
    lab.key("ctrl+Page_Down", "ctrl+Page_Down")
    lab.await_text("3 of")
    runs = [r for r in offered_runs(lesson("who-made-it-popular")) if "deepspeed" in r]
    check(runs, "no run is read from a recipe")
    lab.tab_to(runs[0]["title"])
    lab.key("space")
    lab.await_text("\"offload_optimizer\"")
    lab.await_text("What changes nothing in the lab")
    lab.picture("3-recipes")


def test():
    home = os.environ["LAB_HOME"]
    lab = Lab(home, engine=make_engine(home, os.path.join(home, "never late")))
    why = lesson("why-offload")
    lab.click(lab.await_name(why["prediction"]["ask"], "slider"), at=0.5)
    lab.click(lab.await_ready("Lock in my prediction"))
    lab.key("F5")
    lab.await_ready(f"Run again: {offered_runs(why)[0]['title']}",
                    patience=lab_app.RUN_PATIENCE_S)
    look_at_tables(lab)
    look_there(lab)
    read_recipes(lab)
    lab.close()


lab_app.main(test)
