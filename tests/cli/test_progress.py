"""Progress in the terminal: whose it is, what it says, where it goes, and how it begins anew."""
import csv
import io
import json
import os
import unittest

from lab_cli import CliTest

EARLY, LATE = "2020-01-01T00:00:00Z", "2020-01-02T00:00:00Z"
ADA = {
    "schema": 1,
    "learner": "Ada",
    "lessons": {
        "why-offload": {
            "answers": [
                {"option": 0, "right": False, "time": EARLY},
                {"option": 1, "right": True, "time": LATE},
            ],
        },
        "twelve-bytes": {"answers": [{"option": 2, "right": True, "time": LATE}]},
    },
}


class Progress(CliTest):
    def setUp(self):
        self.folder = os.path.join(self.environment["XDG_DATA_HOME"], "offload-lab")
        os.makedirs(self.folder, exist_ok=True)
        for name in os.listdir(self.folder):
            os.remove(os.path.join(self.folder, name))
        self.kept("Ada", ADA)

    def kept(self, learner, content):
        with open(os.path.join(self.folder, f"progress-{learner}.json"), "w", encoding="utf-8") as file:
            json.dump(content, file)

    def progress(self, *arguments, learner="Ada", **options):
        return self.cli("progress", "--learner", learner, *arguments, **options)

    def table(self, learner="Ada"):
        return self.progress(learner=learner)[0]

    def rows(self, learner="Ada"):
        out, _ = self.progress("--results", "-", learner=learner)
        return list(csv.DictReader(io.StringIO(out, newline="")))


class Shown(Progress):
    def test_table(self):
        out = self.table()
        self.assertRegex(out, r"why-offload +wrong +done, 2 answers\n")
        self.assertRegex(out, r"twelve-bytes +right +done\n")
        self.assertIn("2 of 8 done; first answers: 1 of 2 right", out)
        self.assertIn("0 of 8 done\n", out)
        self.assertRegex(out, r"Next: .+\n  offload-lab-cli lesson [a-z-]+\n")

    def test_lesson_list_is_the_learners(self):
        out, _ = self.cli("lesson", "--list", "--learner", "Ada")
        self.assertEqual(out.count("(done)"), 2)
        out, _ = self.cli("lesson", "--list", "--learner", "Bob")
        self.assertNotIn("(done)", out)

    def test_learners(self):
        self.kept("Bob", {"schema": 1, "learner": "Bob", "lessons": {}})
        self.kept("Eve", "damaged")
        out, err = self.cli("progress", "--list", "learners")
        self.assertEqual(out, "Ada\nBob\n")
        self.assertIn("progress-Eve.json", err)

    def test_somebody_unknown_is_told(self):
        out, err = self.progress(learner="Adda")
        self.assertIn("nothing is kept of Adda", err)
        self.assertIn("0 of 8 done", out)

    def test_results(self):
        rows = self.rows()
        self.assertEqual(len(rows), 16)
        self.assertEqual({row["learner"] for row in rows}, {"Ada"})
        why = next(row for row in rows if row["lesson"] == "why-offload")
        self.assertEqual((why["first answer"], why["first right"]), ("A", "no"))
        self.assertEqual((why["latest"], why["latest right"]), ("B", "yes"))
        self.assertEqual((why["answers"], why["done"]), ("2", "yes"))
        self.assertEqual((why["first time"], why["latest time"]), (EARLY, LATE))
        self.assertEqual(self.rows(learner="=1+1")[0]["learner"], "'=1+1")

    def test_a_reader_that_has_gone(self):
        end, broken = os.pipe()
        os.close(end)
        _, err = self.progress("--results", "-", status=4, stdout=broken)
        os.close(broken)
        self.assertIn("standard output cannot be written", err)


class Moved(Progress):
    def test_export_and_import(self):
        path = self.path("ada.json")
        self.progress("--export", path)
        with open(path, encoding="utf-8") as file:
            self.assertEqual(json.load(file), ADA)
        out, _ = self.progress("--import", path, learner="Ada at home")
        self.assertIn("in 2 lessons: 3 answers, 0 predictions, 0 runs", out)
        self.assertEqual(self.table("Ada at home").splitlines()[1:], self.table().splitlines()[1:])
        out, _ = self.progress("--import", path, learner="Ada at home")
        self.assertIn("nothing that was not there", out)
        out, _ = self.progress("--export", "-")
        self.assertEqual(json.loads(out), ADA)

    def test_what_cannot_be_used(self):
        newer = self.file("newer.json", {"schema": 2, "lessons": {}})
        self.refused("progress", "--import", newer, says=[newer, "schema", "newer lab"])
        bad = self.file("bad.json", {"schema": 1, "lessons": {"x": {"runs": [1]}}})
        self.refused("progress", "--import", bad, says=[bad, "lessons.x.runs[0]"])
        self.refused("progress", "--import", "/nowhere", says="/nowhere")

    def test_where_nothing_can_be_written(self):
        blocked = os.path.join(self.file("a-file", "x"), "below.csv")
        for option in ("--results", "--export"):
            _, err = self.progress(option, blocked, status=4)
            self.assertIn(blocked, err)
        _, err = self.progress("--results", "/dev/full", status=4)
        self.assertIn("/dev/full", err)


class BegunAnew(Progress):
    def test_one_lesson_and_back(self):
        before = self.table()
        out, _ = self.progress("--reset", "why-offload", "--yes")
        self.assertIn("One lesson is as new", out)
        self.assertRegex(self.table(), r"why-offload +- +-\n")
        self.assertRegex(self.table(), r"twelve-bytes +right +done\n")
        out, _ = self.progress("--undo")
        self.assertEqual(out, "One lesson is as it was.\n")
        self.assertEqual(self.table(), before)
        out, _ = self.progress("--undo")
        self.assertIn("no reset to take back", out)

    def test_all_and_a_course(self):
        for what in ("--all", "offloading"):
            out, _ = self.progress("--reset", what, "--yes")
            self.assertIn("2 lessons are as new", out)
            self.assertEqual(self.table().count("  0 of 8 done\n"), 2)
            self.progress("--undo")
        out, _ = self.progress("--reset", "training-stacks", "--yes")
        self.assertIn("0 lessons had anything to forget", out)

    def test_a_terminal_asks_first(self):
        command = ["progress", "--learner", "Ada", "--reset", "--all"]
        out = self.in_terminal(command, (b"[y/N]", b"y\n"))
        self.assertIn("2 lessons are as new", out)
        self.assertIn("0 of 8 done", self.table())

    def test_nobody_to_ask(self):
        self.refused("progress", "--learner", "Ada", "--reset", "--all", says="--yes")
        self.assertIn("2 of 8 done", self.table())


class Refused(Progress):
    def test_command_lines(self):
        for arguments, says in (
            (["--reset", "--yes", "no-such-lesson"], "no-such-lesson"),
            (["--reset", "--yes"], "--all"),
            (["--reset", "--yes", "--all", "why-offload"], "--all"),
            (["why-offload"], "--reset"),
            (["--all"], "--reset"),
            (["--undo", "--export", "-"], "one thing at a time"),
            (["--list", "lessons"], "learners"),
            (["--learner", ""], "say a name"),
            (["--learner", "a\nb"], "control characters"),
            (["--sideways"], "--sideways"),
        ):
            self.refused("progress", *arguments, says=says)
        self.refused("lesson", "--list", "--learner", " ", says="say a name")
        self.assertIn("2 of 8 done", self.table())

    def test_help(self):
        out, _ = self.cli("progress", "--help")
        for option in ("--learner", "--list", "--export", "--import", "--results", "--reset", "--undo"):
            self.assertIn(option, out)
        self.assertIn("progress ", self.cli("--help")[0])


if __name__ == "__main__":
    unittest.main()
