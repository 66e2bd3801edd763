"""What programs read is the same in every locale; what people read follows theirs."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "cli"))
from lab_cli import CliTest, TINY  # noqa: E402

import pseudo  # noqa: E402


def make_locale(folder, name="de_DE"):
    """A locale with a decimal comma, of glibc's own sources; None where those are missing."""
    made = os.path.join(folder, f"{name}.UTF-8")
    subprocess.run(["localedef", "-i", name, "-f", "UTF-8", made], capture_output=True)
    return f"{name}.UTF-8" if os.path.isdir(made) else None


class LocalesTest(CliTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.locales = tempfile.mkdtemp(dir=cls.home)
        cls.german = make_locale(cls.locales)
        if cls.german is None:
            print("SKIPPED: localedef has no sources (package: locales)", file=sys.stderr)
            sys.exit(77)

    def speak(self, **more):
        """What follows runs with a decimal comma, and in this environment."""
        self.environment = {**type(self).environment, "LOCPATH": self.locales,
                            "LC_ALL": self.german, **more}

    def both(self, *arguments, **options):
        """What a command prints in the C locale, and with a decimal comma."""
        self.environment = type(self).environment
        plain = self.cli(*arguments, **options)
        self.speak()
        return plain, self.cli(*arguments, **options)

    def test_streams_are_the_same(self):
        config = self.file("tiny.json", {**TINY, "hardware": {"profile": "a100-pcie4",
                                                              "stands_for": "gpt-2b"}})
        for arguments in (("simulate", config, "--events", "-", "--set", "hardware.slowdown=1000"),
                          ("simulate", config, "--summary", "--set", "hardware.slowdown=1000"),
                          ("run", "--config-default"),
                          ("progress", "--export=-")):
            with self.subTest(arguments=arguments):
                plain, german = self.both(*arguments)
                self.assertEqual(plain[0], german[0])
                self.assertTrue(plain[0])

    def test_a_run_is_the_same_and_is_read_again(self):
        config, events = self.file("tiny.json", TINY), self.path("events.jsonl")
        self.speak()
        german = json.loads(self.cli("run", config, "--events", events, "--summary")[0])
        again = json.loads(self.cli("replay", events, "--summary")[0])
        self.environment = type(self).environment
        plain = json.loads(self.cli("run", config, "--summary")[0])
        self.assertEqual(german["weights.hash"], plain["weights.hash"])
        self.assertEqual(german["loss.last"], plain["loss.last"])
        self.assertEqual(german["loss.last"], again["loss.last"])

    def test_settings_keep_their_point(self):
        self.speak()
        out, _ = self.cli("run", self.file("tiny.json", TINY), "--set",
                          "optimizer.learning_rate=0.0025", "--events", "-")
        run = json.loads(out.split("\n")[0])
        self.assertEqual(run["config"]["optimizer"]["learning_rate"], 0.0025)

    def test_people_read_their_comma(self):
        plain, german = self.both("plan")
        self.assertRegex("".join(plain), r"\d\.\d")
        self.assertRegex("".join(german), r"\d,\d")
        self.assertNotRegex("".join(german), r"\d\.\d+ (MiB|GiB|s|ms)\b")

    def test_a_translation_is_spoken(self):
        self.speak(**pseudo.make(os.path.join(self.home, "locale"), "de"))
        out, _ = self.cli("lesson", "--list")
        self.assertIn("[Why offload at all]", out)
        self.assertIn("[Hiding the transfer]", out)


if __name__ == "__main__":
    unittest.main()
