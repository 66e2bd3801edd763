"""Nothing is cut off and all of it can be reached in a small window and with text of 200 %."""

import os

import lab_app
from lab_app import Lab, check, courses, lesson, offered_runs


def find_the_last_lesson(lab):
    """However long the list, the open lesson is in sight there."""
    lessons = [each for course in courses() for each in course["lessons"]]
    lab.key(*["ctrl+Page_Down"] * (len(lessons) - 1))
    lab.key("F9")
    row = lab.await_name(f"{lessons[-1]['title']}, open")
    lab.picture("6-last-lesson")
    _, y, _, height = lab.extents(row)
    _, top, _, down = lab.extents(lab_app.find_scroller(row))
    check(top <= y and y + height <= top + down,
          f"the open lesson lies from {y} to {y + height} in the list, out of sight")


def read_the_scale(lab):
    """What is modelled is said whole, in the header or on the bench."""
    button = lab.await_name("Scale model: ", starts=True)
    left, top, across, down = lab.extents(button)
    for words in ("GPT 2 B on ", "1 MiB is "):
        x, y, wide, tall = lab.extents(lab.await_name(words, "label", starts=True))
        check(left <= x and x + wide <= left + across and top <= y and y + tall <= top + down,
              f"“{words}…” does not fit into what it stands in")


def test():
    width, height = map(int, os.environ["LAB_SCREEN"].split("x"))
    lab = Lab(os.environ["LAB_HOME"], width, height, watches_text=True)
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
    read_the_scale(lab)
    lab.key("alt+Left")
    lab.await_name(f"Run again: {title}", patience=lab_app.RUN_PATIENCE_S)
    lab.picture("4-runs")
    lab.key("F9")
    lab.picture("5-lessons")
    find_the_last_lesson(lab)
    lab.close()


lab_app.main(test)
