"""Lessons without a window: for people, and as proof."""
import copy
import json
import os
import shutil
import unittest

from lab_cli import TINY, CliTest

DATA = os.environ["OFFLOAD_LAB_DATA"]

COURSE = {
    "format": 1, "id": "mini", "title": "A course for tests",
    "lessons": [{
        "id": "twelve", "title": "Twelve", "goal": "To count bytes.",
        "experiment": {
            "base": TINY,
            "runs": [{"name": "mixed", "title": "Mixed precision"},
                     {"name": "fp32", "title": "All fp32", "hidden": True,
                      "set": {"precision": "fp32", "placement.optimizer": "gpu",
                              "placement.gradients": "gpu", "optimizer.runs_on": "gpu"}}],
        },
        "controls": [],
        "prediction": {"ask": "How many bytes a parameter?", "kind": "number", "run": "mixed",
                       "metric": "state.bytes_per_parameter", "unit": "B", "from": 0, "to": 32},
        "observe": [{"text": "It was {mixed:state.bytes_per_parameter}.", "run": "mixed",
                     "show": {"payload": "master"}}],
        "evidence": [{"run": "mixed", "metric": "state.bytes_per_parameter", "is": "exactly",
                      "value": 12, "fails_on": "fp32"}],
        "question": {"text": "Which?", "options": [
            {"text": "The right one", "why": "Reason for right.", "right": True},
            {"text": "Wrong one", "why": "Reason for one."},
            {"text": "Wrong two", "why": "Reason for two."},
            {"text": "Wrong three", "why": "Reason for three."}]},
    }],
}


class LessonTest(CliTest):
    def setUp(self):
        self.data = self.path("data")
        shutil.copytree(DATA, self.data, dirs_exist_ok=True)
        shutil.rmtree(os.path.join(self.data, "courses"), ignore_errors=True)
        os.mkdir(os.path.join(self.data, "courses"))
        self.environment["OFFLOAD_LAB_DATA"] = self.data
        self.course = copy.deepcopy(COURSE)
        self.save()

    def save(self):
        self.file("data/courses/mini.json", self.course)

    def add_second_course(self):
        more = copy.deepcopy(COURSE)
        more.update(id="more", title="Another course")
        more["lessons"][0].update(id="thirteen", title="Thirteen")
        self.file("data/courses/more.json", more)


class Proof(LessonTest):
    def test_evidence_holds(self):
        out, _ = self.cli("lesson", "--check")
        self.assertIn("twelve:", out)
        self.assertIn("12", out)
        self.cli("lesson", "twelve", "--check")

    def test_claim_that_does_not_hold(self):
        self.course["lessons"][0]["evidence"][0]["value"] = 13
        self.save()
        out, _ = self.cli("lesson", "--check", status=1)
        self.assertIn("13", out)

    def test_claim_that_cannot_fail(self):
        self.course["lessons"][0]["evidence"][0].update({"is": "at least", "value": 1})
        self.save()
        self.cli("lesson", "--check", status=1)

    def test_a_course_stands_for_its_lessons(self):
        self.add_second_course()
        out, _ = self.cli("lesson", "--check", "more")
        self.assertIn("thirteen:", out)
        self.assertNotIn("twelve:", out)
        self.refused("lesson", "--check", "most", says='no lesson and no course "most"')

    def test_list(self):
        self.add_second_course()
        out, _ = self.cli("lesson", "--list")
        places = [out.index(words) for words in
                  ("A course for tests (mini)", "twelve", "Another course (more)", "thirteen")]
        self.assertEqual(places, sorted(places))
        self.assertNotIn("(done)", out)

    def test_one_lesson_at_a_time(self):
        self.refused("lesson", "twelve", "twelve", says="one lesson at a time")


class People(LessonTest):
    def test_without_terminal_all_is_told_and_nothing_asked(self):
        out, _ = self.cli("lesson")
        for words in ("Twelve", "To count bytes.", "How many bytes", "Mixed precision", "It was 12",
                      "Which?", "Reason for right.", "Reason for three."):
            self.assertIn(words, out)
        self.assertNotIn("RECIPES", out)

    def test_recipe_is_shown_with_what_changes_nothing(self):
        os.makedirs(os.path.join(self.data, "recipes"), exist_ok=True)
        self.file("data/recipes/mine.json",
                  '// by hand\n{"aio": {"queue_depth": 4},\n  "gradient_clipping": 1,}\n')
        self.course["lessons"][0]["experiment"]["runs"][0]["deepspeed"] = "mine"
        self.save()
        out, _ = self.cli("lesson")
        self.assertIn('    // by hand\n    {"aio": {"queue_depth": 4},\n      "gradient_clipping"', out)
        self.assertIn("  - aio.queue_depth: ", out)
        self.assertNotIn("  - gradient_clipping", out)
        self.assertLess(out.index("RECIPES"), out.index("PREDICT"))

    def progress(self):
        folder = self.path("xdg_data_home/offload-lab")
        (name,) = [name for name in os.listdir(folder) if name.endswith(".json")]
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            return json.load(file)["lessons"]["twelve"]

    def test_in_a_terminal(self):
        said = self.in_terminal(("lesson",), (b"32 B:", b"lots\n"), (b"please.", b""), (b"32 B:", b"16\n"), (b"How sure", b"perhaps\n"), (b"please.", b""), (b"How sure", b"b\n"),
                                (b"Your answer:", b"E\n"), (b"please.", b""),
                                (b"Your answer:", b"a\n"))
        self.assertTrue("Right." in said or "Not quite." in said, said)
        self.assertIn("Reason for right.", said)
        prediction = self.progress()["predictions"][-1]
        self.assertEqual((prediction["value"], prediction["sure"]), (16, 0.7))

    def test_the_next_lesson_may_be_in_another_course(self):
        """What is done is passed over, and the end of a lesson names the next."""
        self.add_second_course()
        for next_words in ("lesson thirteen", "all lessons"):
            letters = iter("abcd")
            said = ""
            while "Right." not in said:  # options are shown in this learner's own order
                said = self.in_terminal(("lesson",), (b"32 B:", b"12\n"), (b"How sure", b"\n"),
                                        (b"Your answer:", next(letters).encode() + b"\n"))
            self.assertIn(next_words, " ".join(said.split()))
        out, _ = self.cli("lesson", "--list")
        self.assertEqual(out.count("(done)"), 2)

    def test_a_tail_is_refused_and_a_decimal_comma_taken(self):
        self.in_terminal(("lesson",), (b"32 B:", b"9 bytes please\n"), (b"please.", b""), (b"32 B:", b"3,5 B\n"), (b"How sure", b"\n"),
                         (b"Your answer:", b"\x04"))
        prediction = self.progress()["predictions"][-1]
        self.assertEqual(prediction["value"], 3.5)
        self.assertNotIn("sure", prediction)

    def test_late_runs_do_not_count(self):
        lesson = self.course["lessons"][0]
        lesson["experiment"]["base"]["hardware"] = {"slowdown": 0.1}
        lesson["observe"][0]["text"] = "A step took {mixed:step.seconds}."
        self.save()
        out, _ = self.cli("lesson")
        self.assertIn("s (late: does not count)", out)
        self.assertIn("run the lesson again", " ".join(out.split()))
        self.assertIn("Mixed precision was late: its times do not count", " ".join(out.split()))

    def test_leaving_at_a_question(self):
        said = self.in_terminal(("lesson",), (b"32 B:", b"\x04"), (b"Your answer:", b"\x04"))
        self.assertNotIn("Reason", said)


if __name__ == "__main__":
    unittest.main()
