"""Quick quizzes: of a course, and of files in three formats."""
import os
import unittest

from lab_cli import CliTest

GIFT = """::One:: Which? {
=this#Because.
~that#Not that.
####Said to all.
}

An essay{}

Is it?{T}
"""

TEXT = """A quiz

1. Which is it?
   • This
   • That
2. And who?
   • He
   • She
   • They
"""


class QuizTest(CliTest):
    def quiz(self, *arguments, **options):
        return self.cli("quiz", *arguments, **options)

    def assert_in_order(self, text, *parts):
        for part in parts:
            self.assertIn(part, text)
            text = text.split(part, 1)[1]


class Course(QuizTest):
    def test_answers_are_explained_at_once(self):
        out, err = self.quiz("offloading", stdin=b"a\n2\nC\nd\na\nb\nc\n4\n")
        self.assertEqual(err, "")
        self.assertEqual(out.count("Your answer:"), 8)
        self.assertIn("8 of 8 answered, ", out)
        right = out.count("Right.\n")
        self.assertEqual(out.count("Not quite.\n"), 8 - right)
        self.assertIn(f"8 of 8 answered, {right} right.", out)
        self.assertEqual(out.count("The right answer is"), 8 - right)
        self.assertEqual(out.count("offload-lab-cli lesson "), 8 - right)
        self.assertNotIn("{", out)  # no quote is left as the course file has it

    def test_only_its_letters_and_numbers_are_answers(self):
        out, _ = self.quiz("training-stacks", stdin=b"E\n5\n0\n\nab\n1x\nB\n")
        self.assertEqual(out.count("A to D, please."), 6)
        self.assertIn("1 of 8 answered", out)

    def test_end_of_input_ends_it(self):
        out, _ = self.quiz("offloading")
        self.assertIn("0 of 8 answered, 0 right.", out)
        self.assertNotIn("look at again", out)

    def test_progress_is_left_alone(self):
        folder = self.path("xdg_data_home/offload-lab")
        os.makedirs(folder, exist_ok=True)
        for name in os.listdir(folder):
            os.unlink(os.path.join(folder, name))
        self.quiz("offloading", stdin=b"a\n" * 8)
        self.assertEqual(os.listdir(folder), [])

    def test_list(self):
        out, _ = self.quiz("offloading", "--list")
        self.assertEqual(out.count(" ✓ "), 8)
        self.assertTrue(out.endswith("\n8 questions.\n"))

    def test_export_and_import_again(self):
        listed, _ = self.quiz("offloading", "--list")
        for format, name in (("gift", "GIFT"), ("aiken", "Aiken"), ("text", "plain text")):
            out, err = self.quiz("offloading", "--export", format)
            self.assertIn("offloading: explanations of 8 questions quote", err)
            self.assertEqual("names of 8 questions" in err, format != "gift")
            again, err = self.quiz("--import", self.file("Offloading.txt", out), "--list")
            self.assertEqual(again, listed.replace("8 questions.", f"8 questions, read as {name}."))
            self.assertEqual(err, "")

    def test_what_cannot_be(self):
        self.refused("quiz", says="which course")
        self.refused("quiz", "nothing", says=['no course "nothing"', "training-stacks"])
        self.refused("quiz", "offloading", "--import", "x", says="not both")
        self.refused("quiz", "offloading", "--answers", "A", says="go with --import")
        self.refused("quiz", "offloading", "--export", "pdf", says=["pdf", "gift, aiken, text"])
        self.refused("quiz", "--import", "x", "--format", "pdf", says=["--format pdf", "aiken"])
        self.refused("quiz", "offloading", "--list", "--export", "gift", says="one of the two")
        self.refused("quiz", "offloading", "more", says="unexpected")


class Import(QuizTest):
    def test_quick_quiz_of_a_file(self):
        out, err = self.quiz("--import", self.file("q.gift", GIFT), stdin=b"b\nA\n")
        self.assert_in_order(out, "1 of 2  Which?", "A  this", "Not quite.", "Not that.",
                             "The right answer is A.", "Because.", "Said to all.", "2 of 2  Is it?",
                             "Right.", "2 of 2 answered, 1 right.", "look at again", "Which?")
        self.assertIn("q.gift: line 7: the question is left out: an essay", err)

    def test_list_of_each_format(self):
        aiken = "Which?\r\nA) this\r\nB) that\r\nANSWER: B\r\n"
        for content, last in ((GIFT, "2 questions, read as GIFT."),
                              (aiken, "1 question, read as Aiken."),
                              (b"\xef\xbb\xbf" + TEXT.encode(), "2 questions, read as plain text; "
                               "2 without a marked answer."),
                              (TEXT.encode("utf-16"), "2 questions, read as plain text; "
                               "2 without a marked answer.")):
            out, _ = self.quiz("--import", self.file("list.txt", content), "--list")
            self.assertEqual(out.splitlines()[-1], last)
            self.assertRegex(out.lower(), r"a +this")

    def test_answers_for_a_file_without(self):
        path = self.file("open.txt", TEXT)
        out, _ = self.quiz("--import", path, "--answers", "bC", stdin=b"b\nc\n")
        self.assertNotIn("Right is:", out)
        self.assertIn("2 of 2 answered, 2 right.", out)
        out, _ = self.quiz("--import", path, "--answers", "-A", stdin=b"a\n")
        self.assertIn("One question is passed over", out)
        self.assertIn("1 of 1 answered, 1 right.", out)
        self.refused("quiz", "--import", path, "--answers", "B", says="answers are 1, the questions 2")
        self.refused("quiz", "--import", path, "--answers", "CA", says="question 1 has A to B")
        self.refused("quiz", "--import", path, "--answers", "--", says="nothing to ask")

    def test_marked_by_hand_then_asked(self):
        out, _ = self.quiz("--import", self.file("open.txt", TEXT), stdin=b"x\nb\n3\na\n3\n")
        self.assertEqual(out.count("Right is:"), 3)
        self.assertIn("A to B, please, or just Enter", out)
        self.assert_in_order(out, "They", "1 of 2  Which is it?", "The right answer is B.",
                             "2 of 2 answered, 1 right.")

    def test_marked_by_hand_and_saved(self):
        path = self.file("open.txt", TEXT)
        for name in ("marked.gift", "marked.txt", "deep/marked.aiken"):
            out, _ = self.quiz("--import", path, "--save", self.path(name), stdin=b"b\nc\n")
            self.assertNotIn("Your answer:", out)
            listed, _ = self.quiz("--import", self.path(name), "--list")
            self.assertIn(" ✓ B  That", listed)
            self.assertIn(" ✓ C  They", listed)

    def test_open_questions_stay_open_in_text_alone(self):
        path = self.file("open.txt", TEXT)
        self.quiz("--import", path, "--save", self.path("half.txt"), stdin=b"\nc\n")
        listed, _ = self.quiz("--import", self.path("half.txt"), "--list")
        self.assertIn("1 without a marked answer", listed)
        out, err = self.quiz("--import", self.path("half.txt"), "--export", "gift")
        self.assertNotIn("Which is it", out)
        self.assertIn("question 1 is left out: its answer is not marked", err)

    def test_without_a_mark_nothing_is_replaced(self):
        path, kept = self.file("open.txt", TEXT), self.file("kept.gift", GIFT)
        _, err = self.quiz("--import", path, "--save", kept, stdin=b"\n\n", status=2)
        self.assertIn("none of its questions can be written as GIFT", err)
        with open(kept, encoding="utf-8") as file:
            self.assertEqual(file.read(), GIFT)
        self.refused("quiz", "--import", path, "--export", "aiken", says="as Aiken")

    def test_nobody_marks(self):
        out, err = self.quiz("--import", self.file("open.txt", TEXT), status=2)
        self.assertIn("Right is:", out)
        self.assertIn("nothing to ask", err)

    def test_what_cannot_be_read_or_written(self):
        self.refused("quiz", "--import", self.path("none"), says="cannot be read")
        self.refused("quiz", "--import", self.home, says="cannot be read")
        self.refused("quiz", "--import", self.file("bad.txt", b"PNG\0\1"), says="NUL")
        err = self.refused("quiz", "--import", self.file("bad.txt", "An essay{}\n\nOpen{=a ~b\n"))
        for words in ("line 1: the question is left out: an essay", "line 3: ", "read as GIFT"):
            self.assertIn(words, err)
        _, err = self.quiz("offloading", "--save", "/proc/nowhere/x.gift", status=4)
        self.assertIn("/proc/nowhere", err)

    def test_a_saved_quiz_may_be_read_by_whom_the_user_lets(self):
        path = self.path("shared.gift")
        mask = os.umask(0o027)
        try:
            self.quiz("offloading", "--save", path)
        finally:
            os.umask(mask)
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o640)

    def test_end_of_input_in_a_terminal(self):
        said = self.in_terminal(("quiz", "offloading"), (b"Your answer:", b"\x04"))
        self.assertIn("0 of 8 answered", said)

    def test_marking_may_end_early_in_a_terminal(self):
        said = self.in_terminal(("quiz", "--import", self.file("open.txt", TEXT)), (b"Right is:", b"B\n"),
                                (b"Right is:", b"\x04"), (b"Your answer:", b"b\n"))
        self.assertIn("1 of 1 answered, 1 right.", said)


if __name__ == "__main__":
    unittest.main()
