"""What is on the bench goes into files of every kind, which are opened again and compared; a place
that takes no more is told, and what was there stays; long saving can be stopped."""

import csv
import json
import os
import re
import subprocess
import xml.etree.ElementTree

import lab_app
from lab_app import Lab, check
from saved_runs import make_run

DOTS = 2  # of a PNG, a logical pixel


def save(lab, path, *keys, replace=False):
    """By the keyboard alone."""
    lab.refocus()
    lab.key(*keys)
    lab.choose_file(path, replace)


def saved(lab, path, *keys):
    save(lab, path, *keys)
    lab.refocus()
    lab.await_text(f"Saved: {os.path.basename(path)}")
    return path


def read(path, mode="rb"):
    with open(path, mode, **({} if "b" in mode else {"encoding": "utf-8"})) as file:
        return file.read()


def identify(path):
    """Width, height and the number of colours."""
    return [int(word) for word in subprocess.run(
        ["identify", "-format", "%w %h %k", path], check=True, capture_output=True,
        text=True).stdout.split()]


def save_pictures(lab, home):
    charts = [lab.extents(lab.await_name(name, "image"))
              for name in ("Where the bytes are", "Memory over time", "What runs when")]
    width, height, colours = identify(saved(lab, os.path.join(home, "run.png"), "ctrl+e"))
    widest = max(box[2] for box in charts)
    check(0 <= width / DOTS - widest < 60, f"{width} dots for charts of {widest}")
    check(height / DOTS > sum(box[3] for box in charts), f"{height} dots are too few for them all")
    check(colours > 100, f"the picture has {colours} colours")

    svg = read(saved(lab, os.path.join(home, "run.svg"), "ctrl+e"), "r")
    root = xml.etree.ElementTree.fromstring(svg)
    check(root.tag.endswith("svg"), root.tag)
    check(abs(float(root.get("width").rstrip("pt")) * DOTS - width) < 2, root.get("width"))
    pdf = read(saved(lab, os.path.join(home, "run.pdf"), "ctrl+e"))
    check(pdf.startswith(b"%PDF-") and pdf.rstrip().endswith(b"%%EOF"), "no whole PDF")


def save_tables(lab, home, events):
    """Against those that the terminal writes of the same file: exact figures, in the same order."""
    lab.click(lab.await_name("What runs when", "image"))
    lab.key("Home")
    spans = read(saved(lab, os.path.join(home, "spans.csv"), "ctrl+shift+e"), "r")
    lab.refocus()
    lab.click(lab.await_name("Memory over time as a table"))
    lab.click(lab.await_name("Save the table “Peaks by memory” as CSV"))
    lab.choose_file(os.path.join(home, "peaks.csv"))
    lab.await_text("Saved: peaks.csv")
    lab.picture("2-table")
    peaks = read(os.path.join(home, "peaks.csv"), "r")
    twins = {name: os.path.join(home, f"twin-{name}.csv") for name in ("spans", "peaks")}
    subprocess.run([os.environ["LAB_ENGINE"], "replay", events,
                    *(f"--table={name}={path}" for name, path in twins.items())],
                   check=True, capture_output=True)
    for name, text in (("spans", spans), ("peaks", peaks)):
        check(list(csv.reader(text.splitlines())) == list(csv.reader(
            read(twins[name], "r").splitlines())), f"{name}.csv is not as the terminal has it")
    lines = read(events, "r").splitlines()
    told = sum(line.startswith('{"type":"span"') for line in lines)
    check(len(spans.splitlines()) == told + 1, f"{told} spans, {len(spans.splitlines())} lines")
    # And against what the screen says of them, rounded.
    cells = [t for t in lab.texts() if re.match(r"At most: ", t)]
    exact = [float(row[2]) for row in list(csv.reader(peaks.splitlines()))[1:]]
    check(len(cells) == len(exact), f"{len(cells)} rows on screen, {len(exact)} in the file")
    for cell, value in zip(cells, exact):
        number, unit = cell.split()[-2:]
        scale = {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}[unit]
        check(abs(float(number) - value / scale) <= 0.01 * float(number), f"{cell} is not {value}")
    lab.click(lab.await_name("Memory over time as a table"))


def save_events(lab, home, events):
    again = saved(lab, os.path.join(home, "again.jsonl"), "ctrl+shift+s")
    check(read(again) == read(events), "the saved run is not the run that was opened")
    trace = json.loads(read(saved(lab, os.path.join(home, "trace.json"), "ctrl+shift+p")))
    spans = [e for e in map(json.loads, read(events, "r").splitlines()) if e["type"] == "span"]
    drawn = [e for e in trace["traceEvents"] if e["ph"] == "X"]
    check(len(drawn) == len(spans), f"{len(drawn)} of {len(spans)} spans")
    lasting = sum(e["dur"] for e in drawn) * 1000, sum(s["end_ns"] - s["begin_ns"] for s in spans)
    check(abs(lasting[0] - lasting[1]) < 1 + 1e-6 * lasting[1], f"{lasting}")


def refuse(lab, home):
    """A file that may not grow stands for a disk that is full: the limit is the window's own."""
    path = os.path.join(home, "run.png")
    before = read(path)
    subprocess.run(["prlimit", "--pid", str(lab.process.pid), "--fsize=4096:unlimited"], check=True)
    save(lab, path, "ctrl+e", replace=True)
    lab.await_text("“run.png” was not saved")
    lab.await_text("Nothing was lost")
    lab.picture("3-refused")
    lab.close_dialog()
    check(read(path) == before, "the old picture has gone")
    check(not [n for n in os.listdir(home) if "offload-lab-new" in n], os.listdir(home))
    subprocess.run(["prlimit", "--pid", str(lab.process.pid), "--fsize=unlimited:unlimited"], check=True)


def stop(lab, home):
    """A pipe that nobody empties is as slow as a disk can be."""
    path = os.path.join(home, "slow.png")
    os.mkfifo(path)
    pipe = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    save(lab, path, "ctrl+e", replace=True)
    lab.await_name("Stop this work", "push button")
    lab.picture("4-slow")
    lab.refocus()
    lab.key("ctrl+shift+s")
    lab.choose_file(os.path.join(home, "meanwhile.jsonl"))
    lab.await_text("One thing at a time")
    lab.refocus()
    lab.click(lab.await_name("Stop this work", "push button"))

    def drained():
        try:
            while os.read(pipe, 65536):
                pass
        except BlockingIOError:
            pass
        return next((t for t in lab.texts() if "slow.png was not saved" in t), None)

    lab.wait("the word that it was stopped", drained)
    lab.wait("the line to go", lambda: not lab.find("Stop this work", "push button"))
    os.close(pipe)


def test():
    home = os.environ["LAB_HOME"]
    events = make_run(home, "run")
    lab = Lab(home, arguments=[events])
    lab.await_text("Done · 4 steps")
    lab.picture("1-whole")
    save_pictures(lab, home)
    save_tables(lab, home, events)
    save_events(lab, home, events)
    refuse(lab, home)
    stop(lab, home)
    lab.close()


lab_app.main(test)
