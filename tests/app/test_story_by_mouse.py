"""A learner's whole way through a lesson of each course, by mouse alone; the numbers are dragged on
the charts that they belong to (learner_story.py)."""

import lab_app
import learner_story


class Mouse:
    def open_lesson(self, lab, each):
        lab.click(lab.await_name(each["title"], starts=True))

    def predict(self, lab, each):
        """On the chart: from the left edge of the GPU's box to its middle."""
        x, y, width, height = lab.place(lab.await_name("Where the bytes are", "image"))
        lab.drag(x + 0.05 * width, x + 0.12 * width, y + 0.5 * height)
        lab.picture(f"{each['id']}-dragged")

    def press(self, lab, name):
        lab.click(lab.await_ready(name, role=None))

    def answer(self, lab, option):
        lab.click(lab.await_answer(option))


lab_app.main(lambda: learner_story.tell(Mouse(), "twelve-bytes", "what-zero-shards"))
