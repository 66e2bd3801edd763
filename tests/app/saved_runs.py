"""Small runs in files, by the engine itself, for tests that open them."""

import json
import os
import subprocess

CONFIG = {"steps": 4, "model": {"layers": 3, "width": 32, "heads": 2, "sequence": 32}}


def make_run(home, command):
    """Runs or simulates; gives the path of the events."""
    path = os.path.join(home, command + ".jsonl")
    config = os.path.join(home, "config.json")
    with open(config, "w", encoding="utf-8") as file:
        json.dump(CONFIG, file)
    subprocess.run([os.environ["LAB_ENGINE"], command, config, "--events", path],
                   check=True, capture_output=True,
                   env=dict(os.environ, XDG_CACHE_HOME=os.environ["LAB_CACHE"]))
    return path
