"""Every screen of the window, one after the other, for somebody to look at: the moves of a lesson
before and after its runs, every place below Lab, the windows that the menu opens. Nothing may be cut
off in any of them."""

import os

import lab_app
from lab_app import Lab, check, courses, write_progress


def places(lab):
    """The rows below Lab: what is no lesson, in the order of the list."""
    lessons = {each["title"] for course in courses() for each in course["lessons"]}
    listed = lab.find("Lessons", role="list box") or lab.find("Lessons", role="list")
    rows = [a for a in lab_app.walk(listed) if a.getRoleName() == "list item" and a.name]
    return [row.name.split(",")[0].split(" · ")[0] for row in rows
            if not any(row.name.startswith(title) for title in lessons)]


def see_the_moves(lab, done):
    """Of a lesson that is done: each can be opened."""
    lab.key("ctrl+Page_Up")
    lab.await_text("5 of")
    for number, move in enumerate(["predict", "run", "observe", "answer"], 1):
        lab.key(f"alt+{number}")
        lab.picture(f"2{number}-{done['id']}-{move}")


def see_a_run(lab):
    """The bench with a run that was just made."""
    lab.key("alt+2", "F5")
    lab.await_text("Done", patience=lab_app.RUN_PATIENCE_S)
    lab.picture("30-a-run")
    lab.key("ctrl+i")
    lab.picture("31-figures")
    lab.key("ctrl+i")


def see_the_places(lab):
    names = places(lab)
    check(len(names) >= 3, f"only these places are listed: {names}")
    for number, name in enumerate(names):
        lab.click(lab.await_name(name, role="list item", starts=True))
        lab.picture(f"4{number}-{name.lower().split(' (')[0].replace(' ', '-')}")


def see_what_the_menu_opens(lab):
    for number, (key, name) in enumerate([("F1", "help"), ("ctrl+question", "shortcuts")]):
        lab.key(key)
        lab.focus_dialog()
        lab.picture(f"5{number}-{name}")
        lab.close_dialog()


def test():
    home = os.environ["LAB_HOME"]
    width, height = map(int, os.environ["LAB_SCREEN"].split("x"))
    first = courses()[0]["lessons"]
    write_progress(home, first[:5])
    lab = Lab(home, width, height, watches_text=True)
    lab.await_text("6 of")
    lab.picture("1-a-new-lesson")
    see_the_moves(lab, first[4])
    see_a_run(lab)
    see_the_places(lab)
    see_what_the_menu_opens(lab)
    lab.close()


lab_app.main(test)
