"""Old questions come back: answered by keys, they stay away longer, over a restart; and the page that
says what was done, how sure, how right and how long."""

import datetime
import getpass
import json
import os

from lab_app import Lab, check, courses, main, right_option, wrong_option


def place(lesson, option):
    return lesson["question"]["options"].index(option)


def entry(seconds, day="2020-01-01", **keys):
    time = datetime.datetime.fromisoformat(day + "T09:00:00") + datetime.timedelta(seconds=seconds)
    return {**keys, "time": time.strftime("%Y-%m-%dT%H:%M:%SZ")}


def lived(lesson, begin, sure, near, right, day="2020-01-01"):
    """Predicted, run, answered: five minutes' work, begun that many seconds into the day."""
    asked = lesson["prediction"]
    runs = [run for run in lesson["experiment"]["runs"] if not run.get("hidden")]
    if asked["kind"] == "number":
        told, measured = asked["from"], asked["from"] if near else asked["to"]
    else:
        told, measured = (asked["right_choice"] + (not near)) % len(asked["choices"]), None
    made = [entry(begin + 100, day, run=run["name"]) for run in runs]
    for run in made:
        if measured is not None and run["run"] == asked["run"]:
            run["measured"] = measured
    answers = [entry(begin + 200, day, option=place(lesson, right_option(lesson)), right=True)]
    if not right:
        wrong = entry(begin + 150, day, option=place(lesson, wrong_option(lesson)), right=False)
        answers.insert(0, wrong)
    return {"predictions": [entry(begin, day, value=float(told), sure=sure)], "runs": made,
            "answers": answers}


def write(home, lessons):
    folder = os.path.join(home, "data", "offload-lab")
    os.makedirs(folder, exist_ok=True)
    learner = getpass.getuser()
    with open(os.path.join(folder, f"progress-{learner}.json"), "w", encoding="utf-8") as file:
        json.dump({"schema": 1, "learner": learner, "lessons": lessons}, file)


def key_of(lab, option):
    """The key that chooses it: its letter as it is shown this time."""
    return lab.await_answer(option).name[0].lower()


def test():
    home = os.environ["LAB_HOME"]
    width, height = map(int, os.environ["LAB_SCREEN"].split("x"))
    first, second, third = courses()[0]["lessons"][:3]
    today = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")
    write(home, {first["id"]: lived(first, 0, 0.95, True, True),
                 second["id"]: lived(second, 300, 0.9, False, False),
                 third["id"]: lived(third, -40000, 0.6, True, True, today)})
    lab = Lab(home, width, height, watches_text=True)

    # What is due stands in the list; the missed one is asked first, without its lesson's text.
    lab.open_place("Review · 2 due")
    lab.await_text("Question 1 of 2, from the course")
    lab.await_text(second["question"]["text"])
    check(not any(second["goal"] in text for text in lab.texts()), "the lesson's text is shown")
    lab.picture("1-asked")
    lab.key(key_of(lab, right_option(second)))
    lab.await_text("Right.")
    lab.await_text("This question comes back in 3 days.")
    lab.await_name("Review · 1 due", starts=True)
    lab.picture("2-right")
    lab.key("Return")
    lab.await_text("Question 2 of 2, from the course")
    lab.key(key_of(lab, wrong_option(first)))
    lab.await_text("Not that one.")
    lab.await_text(f"The right answer: {right_option(first)['text']}")
    lab.await_text("This question comes back in 1 day.")
    lab.picture("3-wrong")
    lab.key("Return")
    lab.await_text("1 of 2 right. The next question comes back in 1 day.")
    lab.await_name("Review, open")
    lab.picture("4-over")

    # Reviews change no answer of the lesson.
    kept = lab.progress()["lessons"]
    check([r["right"] for r in kept[first["id"]]["reviews"]] == [False], "a review is not kept")
    check([a["right"] for a in kept[first["id"]]["answers"]] == [True], "a review changed an answer")

    # All of it on the page of progress.
    lab.open_place("Progress")
    lab.await_name("3 of 16 lessons answered")
    lab.await_name("2 of 3 right the first time")
    lab.await_text("1 of 2 near; you were 92 % sure")
    lab.await_text("1 of 1 near; you were 60 % sure")
    lab.await_text("First answer wrong, the latest of 2 right. 1 review, 1 right; the next in 3 days.")
    lab.picture("5-progress")
    lab.reveal(lab.await_name(f"{third['title']}. First answer right", starts=True))
    lab.picture("6-progress-below")
    lab.close()

    # Another day's start: what was answered stays away, what was missed comes first.
    lab = Lab(home, width, height)
    lab.open_place("Review")
    lab.await_text("Nothing is due. The next question comes back in 1 day.")
    lab.await_name(f"{second['title']}. 1 review, 1 right. in 3 days")
    lab.click(lab.await_name(f"{first['title']}. 1 review, 0 right. in 1 day"))
    lab.await_text(f"{courses()[0]['title']} · 1 of")
    lab.close()


main(test)
