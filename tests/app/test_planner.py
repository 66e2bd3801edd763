"""The sandbox and the planner by keyboard alone, and a machine of 512 GPUs simulated at full size:
looked on, cancelled, made and shown, with the window in use meanwhile."""

import os
import subprocess

import lab_app
from lab_app import Lab, check, courses, make_engine


def type_in(lab, name, text):
    tab_to_entry(lab, name)
    lab.key("ctrl+a")
    subprocess.run(["xdotool", "type", text], check=True)


def tab_to_entry(lab, name, most=120):
    """Its slider has the same name, and comes after it."""
    for _ in range(most):
        focused = lab.focused()
        if focused is not None and focused.name == name and focused.getRoleName() == "text":
            return
        lab.key("Tab")
    raise lab_app.Failure(f"Tab never came to the entry of “{name}”")


def choose(lab, name):
    lab.tab_to(name, most=120)
    lab.key("space")


def sandbox_by_keys(lab):
    lab.key(*["ctrl+Page_Down"] * sum(len(course["lessons"]) for course in courses()))
    lab.await_name("Sandbox, open")
    lab.await_text("at full size")
    type_in(lab, "Layers", "40")
    lab.await_text("Does not fit: GPU needs ")
    lab.key("Tab", "Left", "Left", "Left")  # the slider
    lab.await_text("Does not fit: GPU needs ")
    lab.key("Home")
    lab.wait("a forecast that fits", lambda: "Fits" in lab.texts())
    lab.key("F5")
    lab.await_text("Done", patience=lab_app.RUN_PATIENCE_S)
    lab.key("ctrl+z")
    lab.await_text("20.5 of 44.7 MiB")  # the defaults
    lab.picture("1-sandbox-by-keys")


def set_up_512_ranks(lab):
    lab.key("ctrl+Page_Down")
    lab.await_name("Scale up (planner), open")
    lab.await_text("simulated")
    lab.picture("2-planner")
    for name, text in (("Layers", "96"), ("Width", "12288"), ("Heads", "96")):
        type_in(lab, name, text)
    choose(lab, "Optimizer states: GPU")
    lab.await_text("a host update would have to fetch all states")
    choose(lab, "Runs on: GPU")
    for name, text in (("Data ranks", "8"), ("ZeRO stage", "1"), ("Tensor ranks", "8"),
                       ("Pipeline stages", "8")):
        type_in(lab, name, text)
    choose(lab, "Batch and task")
    for name, text in (("Micro-batch", "1"), ("Micro-batches a step", "8")):
        type_in(lab, name, text)
    lab.await_text("Fits, on every rank", patience=60)
    lab.picture("3-512-ranks")


def simulate(lab):
    lab.key("F5")
    lab.await_name("Cancel the simulation", "push button")
    lab.key("Escape")
    lab.await_ready("Simulate at full size")
    check(not any(t.startswith("Simulated") for t in lab.texts()), "a cancelled simulation is shown")
    lab.key("F5")
    lab.await_name("Cancel the simulation", "push button")
    lab.picture("4-simulating")
    lab.await_text("Simulated at full size · ", patience=lab_app.RUN_PATIENCE_S)
    lab.await_text("GPT 175 B on 512 × an A100, PCIe 4")
    check(lab.find("Ranks", "image"), "there is no grid of the ranks")
    lab.picture("5-simulated")


def too_large(lab):
    type_in(lab, "Micro-batches a step", "100")
    lab.await_text("Too large for the window")
    lab.key("ctrl+z")
    lab.wait("a forecast again", lambda: not any("Too large" in t for t in lab.texts()), 60)


def test():
    home = os.environ["LAB_HOME"]
    width, height = map(int, os.environ["LAB_SCREEN"].split("x"))
    lab = Lab(home, width, height, engine=make_engine(home, os.path.join(home, "late")))
    sandbox_by_keys(lab)
    set_up_512_ranks(lab)
    simulate(lab)
    too_large(lab)
    lab.close()


lab_app.main(test)
