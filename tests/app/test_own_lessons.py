"""A lesson of one's own: made from one of the lab's, edited, undone, saved, and then in the list, where it
is answered like any other; an unfinished one is kept and told."""

import json
import os

import lab_app
from lab_app import Lab, check, lesson, offered_runs

SOURCE = "twelve-bytes"


def kept(home):
    with open(os.path.join(home, "data", "offload-lab", "courses", "mine.json"),
              encoding="utf-8") as file:
        return json.load(file)


def make(lab):
    lab.open_place("Own lessons")
    lab.picture("1-none")
    choice = lab.await_name("Lesson whose experiment and evidence a new one has", starts=True)
    lab.click(choice)
    lab.key("Down", "Return")
    lab.click(lab.await_name("Make", "push button"))
    lab.await_text("state.bytes_per_parameter · exactly 12")


def replace(lab, name, text):
    entry = lab.await_name(name, "text")
    lab.click(entry)
    lab.key("ctrl+a")
    lab.type(text)


def edit(lab):
    replace(lab, "Title", "My twelve bytes")
    replace(lab, "Question", "How many bytes, again?")
    lab.picture("2-edited")
    lab.click(lab.await_name("Undo", "push button"))
    lab.wait("the question as it was", lambda: lab.await_name("Question", "text").queryText()
             .getText(0, -1) == lesson(SOURCE)["question"]["text"])
    lab.click(lab.await_name("Redo", "push button"))
    lab.click(lab.await_name("Save", "push button"))
    lab.await_text("Saved: your lessons are in the list")
    lab.place_anew()


def test():
    home = os.environ["LAB_HOME"]
    lab = Lab(home, *lab_app.screen(), watches_text=True)
    make(lab)
    edit(lab)
    course = kept(home)
    (own,) = course["lessons"]
    check(own["title"] == "My twelve bytes" and own["question"]["text"] == "How many bytes, again?",
          own)
    check(own["evidence"] == lesson(SOURCE)["evidence"], "other evidence")
    check(own["question"]["options"] == lesson(SOURCE)["question"]["options"], "other options")
    lab.open_place("My twelve bytes")
    lab.await_name(own["prediction"]["ask"], "slider")
    lab.picture("3-open")
    check(len(offered_runs(own)) == len(offered_runs(lesson(SOURCE))), "other runs")
    # Without a reason an option is no option yet: it is said, and kept all the same.
    lab.open_place("Own lessons")
    lab.click(lab.await_name("Edit the lesson My twelve bytes", "push button"))
    replace(lab, "Title", " ")
    lab.await_text("lessons[0].title: ")
    lab.picture("4-fault")
    lab.click(lab.await_name("Save", "push button"))
    lab.await_text("This course of yours is left out")
    check(kept(home)["lessons"][0]["title"] == "", kept(home)["lessons"][0]["title"])
    # Removed, and brought back.
    lab.place_anew()
    lab.wait("the words to go", lambda: not any("left out" in t for t in lab.texts()))
    lab.click(lab.await_name("Edit the lesson", "push button", starts=True))
    lab.click(lab.await_name("Remove the lesson", "push button"))
    lab.await_name("Make", "push button")
    check(not lab.find("Edit the lesson", "push button", starts=True), "it is still there")
    lab.click(lab.await_name("Undo", "push button"))
    lab.await_name("Edit the lesson", "push button", starts=True)
    lab.close()


lab_app.main(test)
