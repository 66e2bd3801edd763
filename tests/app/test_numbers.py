"""Every number on the bench leads to what it comes from: a peak, a part of a memory, a rate and the
hidden share by pointer, where the pointer tells so; the same by keys, in tables and in the head."""

import os

import bench_lesson
import lab_app
from lab_app import check


def await_details(lab, part):
    return lab.wait(f"details with “{part}”", lambda: part in lab.details())


def find_number(lab, start, end):
    return next((a for a in lab_app.walk(lab.application) if a.getRoleName() == "push button"
                 and a.name.startswith(start) and a.name.endswith(end)
                 and lab.extents(a)[2] > 0), None)


def press_number(lab, start, promise, end=""):
    """Points at a number, reads what it promises, and presses it."""
    number = lab.wait(f"“{start} … {end}”", lambda: find_number(lab, start, end))
    lab.reveal(number)

    def point():  # again and again: what stands above it may still move
        x, y, width, height = lab.place(number)
        lab.hover(x + width / 2, y + height / 2)
        return promise in lab.details() and (x + width / 2, y + height / 2)

    lab.press(*lab.wait(f"details with “{promise}”", point))
    lab.hover(2, 300)


def press_all(lab):
    press_number(lab, "Where the bytes are: GPU peak", "press: that moment")
    await_details(lab, "block")  # what computes then
    lab.await_name("Memory over time: GPU peak", "push button", starts=True)  # now in sight
    press_number(lab, "Memory over time: GPU peak", "press: that moment")
    lab.picture("1-peak")
    press_number(lab, "Where the bytes are: GPU holds", "press: the block", "of activations")
    await_details(lab, "of activations on GPU")
    await_details(lab, "made by: ")
    lab.picture("2-block")
    # At that moment no copy may be under way: then it is the last or the first.
    press_number(lab, "Where the bytes are: GPU → host: ", "press: the copy")
    await_details(lab, "gradients")
    lab.picture("3-copy")
    press_number(lab, "What runs when: Hidden", "press: what is exposed")
    await_details(lab, "step 4")
    lab.picture("4-exposed")
    press_number(lab, "What runs when: GPU idle", "press: the longest wait")
    lab.picture("5-idle")


def by_keys(lab):
    """Tab comes to a chart's numbers once; arrows walk from one to the next."""
    lab.tab_to("Memory over time", most=80)
    lab.key("Escape", "Home")
    lab.await_name("Memory over time: GPU peak", "push button", starts=True)
    lab.key("Tab")
    check(lab.focused().name.startswith("Memory over time: GPU peak"),
          f"Tab leads to “{lab.focused().name}”")
    lab.key("Down")
    check(lab.focused().name.startswith("Memory over time: Host peak"),
          f"an arrow leads to “{lab.focused().name}”")
    lab.key("Up", "Return")
    await_details(lab, "step 1 ")


def in_table(lab):
    button = lab.await_name("Memory over time as a table")
    lab.click(button)
    lab.await_name("Peaks by memory")
    lab.tab_to("Memory over time as a table", most=80)
    lab.key("Tab", "Down")
    for _ in range(8):  # homes are fullest before anything computes: on to what a step makes
        lab.key("Return", "Down")
        if "step " in lab.details():
            break
    await_details(lab, "step ")
    lab.click(lab.find("Memory over time as a table"))


def test():
    home = os.environ["LAB_HOME"]
    width, height = map(int, os.environ["LAB_SCREEN"].split("x"))
    lab = bench_lesson.start(bench_lesson.make(), home, width, height)
    lab.key("F5")
    lab.await_ready("Run again: With overlap", patience=lab_app.RUN_PATIENCE_S)
    press_all(lab)
    by_keys(lab)
    in_table(lab)
    lab.close()


lab_app.main(test)
