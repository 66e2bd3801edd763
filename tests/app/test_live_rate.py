"""Five thousand events a second: none is lost, the window goes on drawing, and leaves the machine to
the engine. How fast it was is printed; what a busy machine cannot keep up with fails nothing."""

import os
import stat
import subprocess
import time

import lab_app
from lab_app import Lab, check, lesson, offered_runs

RATE = 5000  # events a second
STEPS = 300  # of the run: far more than are watched
WATCHED_S = 5
LEAST_FRAMES_A_SECOND = 3  # a tenth of what an idle machine must do
MOST_OF_A_CORE = 1.5  # three times of what one may take there

CONFIG = f"""{{"steps": {STEPS}, "recompute": "full",
 "placement": {{"weights": "nvme", "gradients": "host", "optimizer": "nvme",
               "activations": "host"}}}}"""

# Takes the engine's place: a stream that it made before, so and so many lines a second.
PACER = """#!/usr/bin/python3
import sys, time
sys.stdin.readline()
with open({stream!r}, "rb") as file:
    lines = file.readlines()
begin, sent = time.monotonic(), 0
while sent < len(lines):
    due = min(int((time.monotonic() - begin) * {rate}), len(lines))
    sys.stdout.buffer.writelines(lines[sent:due])
    sys.stdout.buffer.flush()
    sent = due
    time.sleep(0.004)
"""


def make_stream(home):
    """What a real run of the config would tell; gives the path and how many spans it has."""
    config, stream = os.path.join(home, "config.json"), os.path.join(home, "stream.jsonl")
    with open(config, "w", encoding="utf-8") as file:
        file.write(CONFIG)
    subprocess.run([os.environ["LAB_ENGINE"], "simulate", config, "--events", stream], check=True,
                   capture_output=True)
    with open(stream, encoding="utf-8") as file:
        text = file.read().replace('"source":"simulated"', '"source":"measured"', 1)
    with open(stream, "w", encoding="utf-8") as file:
        file.write(text)
    return stream, text.count('"type":"span"')


def make_pacer(home, stream):
    path = os.path.join(home, "offload-lab-cli")
    with open(path, "w", encoding="utf-8") as file:
        file.write(PACER.format(stream=stream, rate=RATE))
    os.chmod(path, stat.S_IRWXU)
    return path


def core_seconds(pid):
    """Of the window's own process, not of the engine."""
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def count_frames(path, begin, end):
    with open(path, encoding="utf-8") as file:
        times = [int(line) / 1e9 for line in file if line.endswith("\n")]
    return sum(begin <= t < end for t in times)


def watch(lab, frames):
    """Nothing is asked of the window meanwhile: an answer would cost it time, too."""
    begin, core = time.monotonic(), core_seconds(lab.process.pid)
    time.sleep(WATCHED_S)
    end = time.monotonic()
    core = (core_seconds(lab.process.pid) - core) / (end - begin)
    rate = count_frames(frames, begin, end) / (end - begin)
    print(f"{RATE} events/s: {rate:.1f} frames/s, {core:.2f} of a core, "
          f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    check(rate >= LEAST_FRAMES_A_SECOND, f"only {rate:.1f} frames a second")
    check(core <= MOST_OF_A_CORE, f"{core:.2f} of a core")


def count_spans(lab):
    """By the table of lanes, of the whole run."""
    lab.click(lab.find("What runs when", "image"))
    lab.key("Escape", "Home")
    lab.click(lab.find("What runs when as a table"))
    lab.await_name("Lanes")
    cells = [t for t in lab.texts() if t.startswith("Spans: ")]
    return sum(int(cell.removeprefix("Spans: ")) for cell in cells)


def test():
    home = os.environ["LAB_HOME"]
    frames = os.path.join(home, "frames")
    stream, spans = make_stream(home)
    lab = Lab(home, engine=make_pacer(home, stream),
              extra={"LD_PRELOAD": os.environ["LAB_FRAME_COUNTER"], "FRAME_COUNTER": frames})
    why = lesson("why-offload")
    lab.click(lab.await_name(why["prediction"]["ask"], "slider"), at=0.5)
    lab.click(lab.await_ready("Lock in my prediction"))
    lab.click(lab.await_ready(f"Run: {offered_runs(why)[0]['title']}"))
    lab.await_text("Running")
    watch(lab, frames)
    lab.picture("1-live")
    lab.await_ready("Run again", starts=True, patience=lab_app.RUN_PATIENCE_S)
    seen = count_spans(lab)
    lab.picture("2-all-there")
    check(seen == spans, f"{seen} spans of {spans} are there")
    lab.close()


lab_app.main(test)
