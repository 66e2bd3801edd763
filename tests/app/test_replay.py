"""Saved runs on the bench: a whole one, one that is cut off, what is no run at all; opened from the
command line and from the menu, shown as what they are, and no part of the lesson."""

import json
import os

import lab_app
from lab_app import Lab, check
from saved_runs import make_run


def cut(path, name):
    """The file as far as the middle of a line that tells of a span; and that line's number."""
    with open(path, encoding="utf-8") as file:
        lines = file.readlines()
    spans = [i for i, line in enumerate(lines) if line.startswith('{"type":"span"')]
    last = spans[len(spans) * 2 // 3]
    part = os.path.join(os.path.dirname(path), name)
    with open(part, "w", encoding="utf-8") as file:
        file.writelines(lines[:last] + [lines[last][:20]])
    return part, last + 1, sum(i < last for i in spans)


def description(lab):
    return lab.await_name("What runs when", "image").description


def spans_told(lab):
    """As the chart's description counts them, lane by lane, over the whole run."""
    lab.click(lab.await_name("What runs when", "image"))
    lab.key("Home")
    words = lab.wait("a description of the whole", lambda: description(lab)).split()
    return sum(int(words[i - 1]) for i, word in enumerate(words) if word.startswith("span"))


def look_at_damaged(home, path):
    part, line, spans = cut(path, "cut.jsonl")
    lab = Lab(home, arguments=[part])
    lab.await_text("opens as far as it goes")
    lab.await_text(f"Line {line}: the stream is cut off in this line")
    lab.await_text("Cut off · ")
    lab.picture("1-damaged")
    check("Measured, replayed from a file" in description(lab), description(lab))
    told = spans_told(lab)
    check(0 < told <= spans, f"{told} spans are told of, the file has {spans}")
    lab.hover(*lab.middle(lab.find("What runs when", "image")))
    lab.wait("charts that still answer", lambda: lab.details())
    return lab


def look_at_whole(lab, path):
    lab.key("ctrl+shift+o")
    lab.choose_file(path)
    lab.refocus()
    lab.await_text("simulate.jsonl")
    lab.wait("a simulated, replayed run",
             lambda: "Simulated, replayed from a file" in description(lab))
    check(lab.find("simulated, replayed", "image"), "no badge")
    check(not any("ulimit" in t for t in lab.texts()), "another run's note has stayed")
    check(lab.find("simulated, replayed", "label"), "no key in the legend")
    check("damaged" not in "".join(lab.texts()), "a whole file is called damaged")
    lab.picture("2-simulated")


def look_at_unlocked(lab, path):
    """The system refused to lock the host's memory: told, with what it means and what helps."""
    refused = "refused: the system does not let 1.5 MiB of host memory be locked (ulimit -l)"
    unlocked = os.path.join(os.path.dirname(path), "unlocked.jsonl")
    with open(path, encoding="utf-8") as file:
        events = [json.loads(line) for line in file]
    for event in events:
        if event["type"] == "outcome":
            event["facts"]["pin"] = refused
    with open(unlocked, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(event, separators=(",", ":")) + "\n" for event in events)
    lab.key("ctrl+shift+o")
    lab.choose_file(unlocked)
    lab.refocus()
    words = lab.await_text("The system does not let 1.5 MiB of host memory be locked (ulimit -l).")
    check("modelled times are the same" in words and "raise that limit" in words, words)
    lab.picture("2-unlocked")


def leave_and_come_back(lab):
    """The lesson's runs are a click away, the file too, until it is closed."""
    lab.click(lab.await_name("Run 1: ", starts=True))
    check("replayed" not in description(lab), description(lab))
    lab.click(lab.await_name("File: simulate.jsonl"))
    lab.wait("the file again", lambda: "replayed" in description(lab))
    lab.click(lab.await_name("Close the file", "push button"))
    lab.wait("an empty bench", lambda: "Nothing has run yet" in description(lab))
    check(not lab.find("File: simulate.jsonl"), "the tab has stayed")
    progress = lab.progress()
    check(not progress or "ran" not in json.dumps(progress), "a file counts as a run of the lesson")


def refuse(lab, home):
    """What is no run is told, with the line, and what is on the bench stays."""
    for name, text, words in (("notes.txt", "not a run\n", "line 1"), ("empty.jsonl", "", "empty")):
        path = os.path.join(home, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        lab.key("ctrl+shift+o")
        lab.choose_file(path)
        lab.await_text(f"“{name}” could not be opened")
        lab.await_text(words)
        lab.picture("3-refused-" + name)
        lab.close_dialog()


def test():
    home = os.environ["LAB_HOME"]
    measured = make_run(home, "run")
    lab = look_at_damaged(home, measured)
    look_at_unlocked(lab, measured)
    look_at_whole(lab, make_run(home, "simulate"))
    leave_and_come_back(lab)
    refuse(lab, home)
    lab.close()
    lab = Lab(home, arguments=[os.path.join(home, "gone.jsonl")])
    lab.await_text("No such file or directory")
    lab.close()


lab_app.main(test)
