"""Nothing is cut off and all of it can be reached in a small window and with text of 200 %."""

import os

import lab_app
from lab_app import Lab, check, lesson, offered_runs


def test():
    width, height = map(int, os.environ["LAB_SCREEN"].split("x"))
    lab = Lab(os.environ["LAB_HOME"], width, height)
    frame = lab.application.getChildAtIndex(0)
    _, _, frame_width, frame_height = lab.extents(frame)
    check(frame_width <= width and frame_height <= height,
          f"the window takes {frame_width} x {frame_height} of {width} x {height}")
    lab.picture("1-lesson")
    why = lesson("why-offload")
    lab.tab_to(why["prediction"]["ask"])
    lab.key("Up", "Up")
    lab.tab_to("Lock in my prediction")
    lab.key("space")
    lab.key("F5")
    title = offered_runs(why)[0]["title"]
    lab.await_steps()
    lab.picture("2-running")
    lab.wait("the run's end", lambda: any("Done" in t for t in lab.texts()),
             lab_app.RUN_PATIENCE_S)
    lab.key("alt+Right")
    lab.picture("3-bench")
    lab.key("alt+Left")
    lab.await_name(f"Run again: {title}", patience=lab_app.RUN_PATIENCE_S)
    lab.picture("4-runs")
    lab.key("F9")
    lab.picture("5-lessons")
    lab.close()


lab_app.main(test)
