"""Questions that are due again, in the terminal: old answers, what is asked, when it comes back."""
import json
import os
import re
import unittest

from lab_cli import CliTest

OLD = "2020-01-01T00:00:00Z"


class Review(CliTest):
    def setUp(self):
        folder = os.path.join(self.environment["XDG_DATA_HOME"], "offload-lab")
        os.makedirs(folder, exist_ok=True)
        self.kept = os.path.join(folder, "progress-Ada.json")
        with open(os.path.join(os.environ["OFFLOAD_LAB_DATA"], "courses", "offloading.json"),
                  encoding="utf-8") as file:
            self.lessons = json.load(file)["lessons"][:2]
        first, second = self.lessons
        self.keep({
            first["id"]: {"answers": [{"option": 1, "right": True, "time": OLD}]},
            second["id"]: {"answers": [{"option": 1, "right": False, "time": OLD}]}})

    def keep(self, lessons):
        with open(self.kept, "w", encoding="utf-8") as file:
            json.dump({"schema": 1, "learner": "Ada", "lessons": lessons}, file)

    def reviews(self, lesson):
        with open(self.kept, encoding="utf-8") as file:
            kept = json.load(file)["lessons"][lesson["id"]]
        self.assertEqual(len(kept["answers"]), 1)
        return [review["right"] for review in kept.get("reviews", [])]

    def review(self, *arguments, **options):
        return self.cli("review", "--learner", "Ada", *arguments, **options)

    def letter(self, shown, lesson, right):
        """That of an option which is right, or not, as it was shown."""
        flat = " ".join(shown.split())
        option = next(o["text"] for o in lesson["question"]["options"] if o.get("right", False) == right)
        return re.search(r"\b([A-D]) " + re.escape(" ".join(option.split())), flat)[1]

    def test_asked_and_back_later(self):
        first, second = self.lessons
        shown, _ = self.review()  # the end of input: nothing was answered
        self.assertIn("0 of 2 answered", shown)
        self.assertEqual(self.reviews(first) + self.reviews(second), [])
        self.assertIn("1 of 2  " + second["question"]["text"][:30], shown)  # missed: it comes first
        self.assertNotIn(second["goal"][:30], shown)
        self.assertIn("2 questions are due for review", self.cli("progress", "--learner", "Ada")[0])

        answer = self.letter(shown, second, True)
        shown, _ = self.review(stdin=f"{answer}\n".encode())
        self.assertIn("Right.", shown)
        self.assertIn("This question comes back in 3 days.", shown)
        self.assertEqual((self.reviews(second), self.reviews(first)), ([True], []))

        shown, _ = self.review()
        self.assertIn("1 of 1  " + first["question"]["text"][:30], shown)
        answer = self.letter(shown, first, False)
        shown, _ = self.review(stdin=f"E\n{answer}\n".encode())
        self.assertIn("A to D, please.", shown)
        self.assertIn("Not quite.", shown)
        self.assertIn("The right answer is " + self.letter(shown, first, True), shown)
        self.assertIn("1 of 1 answered, 0 right.\nThe next question comes back in 1 day.", shown)
        self.assertEqual(self.reviews(first), [False])

        shown, _ = self.review()
        self.assertEqual(shown, "The next question comes back in 1 day.\n")
        shown, _ = self.review("--list")
        self.assertRegex(shown, rf"in 1 day +0/1 +{first['id']}\n +in 3 days +1/1 +{second['id']}\n")

    def test_nothing_answered_yet(self):
        self.keep({})
        for arguments in ((), ("--list",)):
            self.assertIn("only those come back", self.review(*arguments)[0])

    def test_options_in_another_order_each_time(self):
        first = self.lessons[0]
        seen = set()
        for reviews in range(8):
            old = [{"option": 1, "right": False, "time": OLD}] * reviews
            self.keep({first["id"]: {"answers": [{"option": 1, "right": True, "time": OLD}], "reviews": old}})
            shown, _ = self.review()
            seen.add("".join(str(i) for i, _ in sorted(
                enumerate(first["question"]["options"]),
                key=lambda o: " ".join(shown.split()).index(" ".join(o[1]["text"].split())))))
        self.assertGreater(len(seen), 4)

    def test_progress_says_how_sure_and_how_right(self):
        first, second = self.lessons
        when = [f"2020-01-01T00:0{minute}:00Z" for minute in range(6)]
        self.keep({first["id"]: {
            "predictions": [{"value": 3, "sure": 0.9, "time": when[0]}],
            "runs": [{"run": first["prediction"]["run"], "measured": 9, "time": when[2]}],
            "answers": [{"option": 1, "right": False, "time": when[5]}]}})
        out, _ = self.cli("progress", "--learner", "Ada")
        self.assertRegex(out, r"Certain +0 of 1 near; you were 90 % sure\n")
        self.assertIn("Too few predictions to tell yet.", out)
        self.assertIn("Time spent, breaks left out: 5 min\n", out)
        self.assertRegex(out, rf"To look at again\n +{first['id']} +Not right yet. To be reviewed now.\n")

    def test_command_lines(self):
        self.refused("review", "offloading", says="offloading")
        self.refused("review", "--learner", " ", says="say a name")
        self.assertIn("--list", self.cli("review", "--help")[0])


if __name__ == "__main__":
    unittest.main()
