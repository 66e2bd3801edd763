"""A disk that refuses: the learner is told, and nothing of this session is lost."""

import os

import lab_app
from lab_app import Lab, lesson


def test():
    home = os.environ["LAB_HOME"]
    # A file where the folder should be: refused to root as well.
    os.makedirs(os.path.join(home, "data"))
    with open(os.path.join(home, "data", "offload-lab"), "w", encoding="utf-8"):
        pass
    lab = Lab(home)
    lab.click(lab.await_name(lesson("why-offload")["prediction"]["ask"], "slider"), at=0.5)
    lab.click(lab.await_ready("Lock in my prediction"))
    lab.await_text("Not saved yet")
    lab.picture("1-told")
    lab.await_text("You predicted")
    lab.key("ctrl+Page_Down")
    lab.await_text("2 of")
    lab.key("ctrl+Page_Up")
    lab.await_text("You predicted")
    lab.close()


lab_app.main(test)
