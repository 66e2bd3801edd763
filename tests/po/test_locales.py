"""What programs read is the same in every locale; what people read follows theirs."""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "cli"))
from lab_cli import CliTest, TINY  # noqa: E402

ROOT = os.path.join(os.path.dirname(__file__), "..", "..")
TEMPLATE = os.path.join(ROOT, "data", "po", "offload-lab.pot")


def make_locale(folder, name="de_DE"):
    """A locale with a decimal comma, of glibc's own sources; None where those are missing."""
    made = os.path.join(folder, f"{name}.UTF-8")
    subprocess.run(["localedef", "-i", name, "-f", "UTF-8", made], capture_output=True)
    return f"{name}.UTF-8" if os.path.isdir(made) else None


def bracket(template):
    """The template as a translation: every text in brackets."""
    entries = template.split("\n\n")
    filled = []
    for entry in entries[1:]:
        plural = re.search(r'^msgid_plural (.*)$', entry, re.M)
        text = re.search(r'^msgid ((?:".*"\n?)+)', entry, re.M).group(1)
        words = "".join(re.findall(r'^"(.*)"$', text, re.M))
        edge = "\\n" if words.endswith("\\n") else ""
        body = words[:-2] if edge else words
        if plural:
            many = plural.group(1)[1:-1]
            entry = re.sub(r'msgstr\[0\] ""\nmsgstr\[1\] ""',
                           lambda _: f'msgstr[0] "[{words}]"\nmsgstr[1] "[{many}]"', entry)
        else:
            entry = re.sub(r'msgstr ""$', lambda _: f'msgstr "[{body}]{edge}"', entry.rstrip())
        filled.append(entry)
    header = ('msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
              '"Plural-Forms: nplurals=2; plural=n != 1;\\n"')
    return "\n\n".join([header, *filled]) + "\n"


class LocalesTest(CliTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.locales = tempfile.mkdtemp(dir=cls.home)
        cls.german = make_locale(cls.locales)
        if cls.german is None:
            print("SKIPPED: localedef has no sources (package: locales)", file=sys.stderr)
            sys.exit(77)

    def speak(self, language=None, **more):
        """What follows runs with a decimal comma, and speaks that language."""
        self.environment = {**type(self).environment, "LOCPATH": self.locales,
                            "LC_ALL": self.german, **more}
        if language:
            self.environment["LANGUAGE"] = language

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
        folder = os.path.join(self.home, "locale", "de", "LC_MESSAGES")
        os.makedirs(folder)
        with open(TEMPLATE, encoding="utf-8") as file:
            translated = bracket(file.read())
        po = self.file("all.po", translated)
        subprocess.run(["msgfmt", "--check-format", "-o", os.path.join(folder, "offload-lab.mo"),
                        po], check=True)
        self.speak("de", OFFLOAD_LAB_LOCALE=os.path.join(self.home, "locale"))
        out, _ = self.cli("lesson", "--list")
        self.assertIn("[Why offload at all]", out)
        self.assertIn("[Hiding the transfer]", out)


if __name__ == "__main__":
    unittest.main()
