"""In a language made of the template, with every text in brackets and a third longer: nothing that is
read has stayed English, and nothing is cut off."""

import getpass
import os
import re
import sys

import lab_app
from lab_app import Lab, check, lesson

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "po"))
import pseudo  # noqa: E402

# What is no word of a language: units, keys as GTK names them, ops as charts shorten them, units as a
# plan calls them, what a user or a config calls something.
NO_WORDS = re.compile(
    r"\b(block \d+|embed|head|[kKMGTP]i?B(/s)?|B/s|[mnµ]s|Ctrl|Alt|Shift|F\d+|Esc\w*|Home|End|Enter|Return|Page|Up|Down|Left"
    r"|Right|Space|Backspace|Menu|GPipe|1F1B|bf16|fp32|CUDA|[a-z_]+\.[a-z_]+|[BEHFRNU]\d*|qkv)\b")


# Roles whose names GTK makes up.
NAMELESS = ("application", "text", "filler", "scroll bar", "panel", "alert")
WINDOW_BUTTONS = ("Close", "Maximize", "Minimize", "Restore", "GtkToggleButton")


def outside(text):
    """What of the text stands in no brackets."""
    before = None
    while before != text:
        before, text = text, re.sub(r"\[[^\[\]]*\]", " ", text)
    return text


def english(text):
    return text != getpass.getuser() and re.search(r"[A-Za-z]{2}", NO_WORDS.sub(" ", outside(text)))


def check_words(lab, where):
    told = set()
    for accessible in lab_app.walk(lab.application):
        try:
            shown = lab.extents(accessible)[2] > 0
            role, name = accessible.getRoleName(), accessible.name
        except Exception:
            continue
        if shown and role not in NAMELESS and name not in WINDOW_BUTTONS and english(name):
            told.add(f"{role} “{name}”")
    check(not told, f"{where}, not translated: " + "; ".join(sorted(told)))


def test():
    language = pseudo.make(os.path.join(os.environ["LAB_HOME"], "locale"), "qps", longer=True)
    width, height = map(int, os.environ["LAB_SCREEN"].split("x"))
    lab = Lab(os.environ["LAB_HOME"], width, height, extra=language, watches_text=True)
    lab.picture("1-lesson")
    check_words(lab, "the lesson")
    lab.tab_to("[" + lesson("why-offload")["prediction"]["ask"], starts=True)
    lab.key("Up", "Up")
    lab.tab_to("[Lock in my prediction", starts=True)
    lab.key("space")
    lab.key("F5")
    lab.wait("the run's end", lambda: any("[Done" in t for t in lab.texts()), patience=40)
    lab.picture("2-run")
    check_words(lab, "a run")
    lab.key("F1")
    lab.focus_dialog()
    lab.picture("3-help")
    check_words(lab, "help")
    lab.close_dialog()
    lab.refocus()
    for name in ("Sandbox", "Scale up", "Progress", "Review"):
        row = next((a for a in lab_app.walk(lab.application)
                    if a.getRoleName() == "list item" and name in a.name), None)
        check(row is not None, f"{name} is not in the list")
        lab.click(row)
        lab.picture(f"4-{name.lower().replace(' ', '-')}")
        check_words(lab, name)
    lab.close()


lab_app.main(test)
