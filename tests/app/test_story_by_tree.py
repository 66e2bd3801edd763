"""A learner's whole way through a lesson of each course by what assistive technology can do alone:
values that are set and actions that are done, no pointer and no key (learner_story.py)."""

import os

import lab_app
import learner_story


class Tree:
    def do(self, accessible):
        actions = accessible.queryAction()
        lab_app.check(actions.nActions > 0, f"“{accessible.name}” can do nothing")
        actions.doAction(0)

    def open_lesson(self, lab, each):
        """A list offers its rows to be selected."""
        row = lab.await_name(each["title"], starts=True)
        ids = [l["id"] for course in lab_app.courses() for l in course["lessons"]]
        row.parent.querySelection().selectChild(ids.index(each["id"]))

    def predict(self, lab, each):
        slider = lab.await_name(each["prediction"]["ask"], "slider")
        slider.queryValue().currentValue = 8

    def press(self, lab, name):
        self.do(lab.await_ready(name, role=None))

    def answer(self, lab, option):
        self.do(lab.await_answer(option))


lab_app.main(lambda: learner_story.tell(
    Tree(), *os.environ.get("LAB_LESSONS", "twelve-bytes what-zero-shards").split()))
