"""What comes next, over all courses: at the start, after the last lesson of a course, and when all
is done."""

import os

from lab_app import Lab, check, courses, main, write_progress


def test():
    home = os.environ["LAB_HOME"]
    first, second = courses()[:2]
    write_progress(home, first["lessons"])
    lab = Lab(home)
    beginning = f"{second['title']} · 1 of {len(second['lessons'])}"
    lab.await_text(beginning)
    for course in (first, second):
        lab.await_text(course["title"])
    lab.picture("1-second-course")
    lab.key("ctrl+Page_Up")
    lab.await_text(f"{first['title']} · {len(first['lessons'])} of")
    lab.picture("2-end-of-a-course")
    lab.click(lab.await_ready(f"Next course: {second['title']}"))
    lab.await_text(beginning)
    lab.close()

    # Another lesson was left out: it comes after the rest.
    left_out = first["lessons"][1]
    write_progress(home, [each for course in courses() for each in course["lessons"]
                          if each["id"] != left_out["id"]])
    lab = Lab(home)
    lab.await_text(f"{first['title']} · 2 of")
    lab.key(*["ctrl+Page_Down"] * (len(first["lessons"]) - 1))
    lab.click(lab.await_ready(f"Next course: {first['title']}"))
    lab.await_text(f"{first['title']} · 2 of")
    lab.close()

    write_progress(home, [each for course in courses() for each in course["lessons"]])
    lab = Lab(home)
    lab.await_text(f"{first['title']} · 1 of")
    lab.await_text("All lessons are done")
    check(not lab.find("Next", starts=True), "something comes next after all is done")
    lab.picture("3-all-done")

    # A page takes the place of lesson and bench, and gives it back.
    lab.click(lab.await_name("Progress", role="list item"))
    number = len(first["lessons"])
    lab.await_text(f"{number} of {number} lessons answered")
    check(not lab.find(f"{first['title']} · 1 of", starts=True), "the header is still the lesson's")
    lab.picture("4-progress")
    last = courses()[-1]
    place = f"{last['title']} · {len(last['lessons'])} of"
    for _ in range(12):  # whatever other places there are before it
        lab.key("ctrl+Page_Up")
        if any(place in text for text in lab.texts()):
            break
    lab.await_text(place)
    lab.close()


main(test)
