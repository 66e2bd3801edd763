"""The learner's name in the header, the menu below it, and what the disk has of each."""

import json
import os

FIRST = "why-offload"


def kept(home, learner):
    """What the disk has of a learner's lessons."""
    path = os.path.join(home, "data", "offload-lab", f"progress-{learner}.json")
    with open(path, encoding="utf-8") as file:
        return json.load(file)["lessons"]


def button(lab, learner):
    return lab.await_name(f"{learner} learns: progress, and other learners")


def choose(lab, learner, item):
    """By the menu below the learner's name, which may stand elsewhere than it is said to."""
    lab.refocus()
    lab.click(button(lab, learner))
    lab.await_name(item, starts=True)
    for _ in range(16):
        focused = lab.focused()
        if focused is not None and focused.name.startswith(item):
            break
        lab.key("Down")
    lab.key("Return")


def kept_is_empty(home, learner):
    return not kept(home, learner)
