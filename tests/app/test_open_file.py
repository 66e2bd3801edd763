"""Files on the command line, which go the way of what is dropped on the window: a config opens the
sandbox, at fault or not; what is neither config nor run is told."""

import json
import os
import subprocess

import lab_app
from lab_app import Lab, check


def write(home, name, text):
    path = os.path.join(home, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def entry_text(lab, name):
    entry = lab.await_name(name, "text").queryText()
    return entry.getText(0, entry.characterCount)


def open_another(lab, path):
    """A second program hands its file over to the first and ends. What GTK's modules, unloaded by
    then, leave behind is not looked at."""
    environment = {key: value for key, value in os.environ.items() if key != "G_DEBUG"}
    environment["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
    subprocess.run([os.environ["LAB_WINDOW"], path], env=environment, check=True, timeout=20)
    lab.refocus()


def test():
    home = os.environ["LAB_HOME"]
    config = write(home, "mine.json", json.dumps({"model": {"width": 160}}))
    lab = Lab(home, arguments=[config])
    lab.await_name("Sandbox, open")
    lab.await_text("mine.json is open")
    check(entry_text(lab, "Width") == "160", "another config is open")
    lab.picture("1-config")
    open_another(lab, write(home, "bad.json", '{"model": {"layers": "six"}}'))
    lab.await_text("bad.json: model.layers: must be a whole number")
    check(entry_text(lab, "Width") == "160", "a config at fault took the place of the open one")
    open_another(lab, write(home, "notes.dat", "nothing of ours\n"))
    lab.await_text("“notes.dat” could not be opened")
    lab.await_text("configs (one JSON object)")
    lab.picture("2-neither")
    lab.close_dialog()
    open_another(lab, write(home, "notes.txt", "nothing of ours\n"))
    lab.await_text("This quiz cannot be opened")
    lab.close_dialog()
    lab.close()


lab_app.main(test)
