"""Bad command lines, configs and courses: status 2 and words that help, never a crash."""
import json
import os
import random
import shutil
import unittest

from lab_cli import TINY, CliTest

DATA = os.environ["OFFLOAD_LAB_DATA"]

HOSTILE = {
    "empty": b"",
    "blank": b" \n\t\n",
    "an array": b"[1, 2]",
    "a number": b"7",
    "cut off": b'{"steps": 4, "model": {"lay',
    "a million brackets": b"[" * 10**6,
    "a million objects": b'{"a":' * 10**6,
    "not UTF-8": b'{"name": "\xff\xfe\x80"}',
    "a NUL": b'{"name": "a\0b"}',
    "binary": random.Random(1).randbytes(100_000),
    "17 MiB of blanks": b" " * (17 << 20),
    "a huge number": b'{"steps": 1' + b"0" * 400 + b"}",
    "text behind": b'{"steps": 4} {"steps": 5}',
}


class CommandLine(CliTest):
    def test_help_of_everything(self):
        out, _ = self.cli("--help")
        for command in ("run", "simulate", "plan", "lesson", "calibrate", "bench"):
            self.assertIn(f"\n  {command} ", out)
            text, _ = self.cli(command, "--help")
            self.assertIn(f"offload-lab-cli {command} ", text)
        self.assertEqual(self.cli()[0], out)

    def test_what_is_not_there(self):
        for arguments, says in [
            (["fly"], 'no command "fly"'),
            (["run", "--fly"], "--fly"),
            (["run", "/nowhere/config.json"], "/nowhere/config.json"),
            (["run", "/"], "/"),
            (["run", "one", "two"], '"two"'),
            (["plan", "--events", "-"], "--events"),
            (["simulate", "--control"], "--control"),
            (["run", "--picture", "charts.gif"], ".png, .svg or .pdf"),
            (["run", "--picture", "/nowhere/charts.png"], "/nowhere/charts.png"),
            (["run", "--trace", "/nowhere/trace.json"], "/nowhere/trace.json"),
            (["run", "--events"], "--events"),
            (["run", "--events", "/"], "--events / cannot be written: it is a folder"),
            (["run", "--trace", "/tmp"], "--trace /tmp cannot be written: it is a folder"),
            (["run", "--trace", "-"], "only events go to standard output"),
            (["simulate", "--trace", ""], "the name of a file is missing"),
            (["lesson", "no-such"], '"no-such"'),
            (["bench", "no-such"], '"no-such"'),
            (["calibrate", "--threads", "0"], "--threads"),
            (["calibrate", "now"], '"now"'),
        ]:
            with self.subTest(arguments):
                self.refused(*arguments, says=says)

    def test_bad_settings_name_their_key(self):
        for setting, says in [
            ("steps", "steps"),
            ("steps=0", "steps"),
            ("steps=many", "steps"),
            ("no.such=1", "no.such"),
            ("model.layers=-1", "model.layers"),
            ("placement.optimizer=moon", "placement.optimizer"),
            ("hardware.profile=abacus", "hardware.profile"),
            ("=1", "names no key"),
            ("stpes=1", "did you mean steps?"),
            ("zzzzzzz=1", "known here: name, steps"),
        ]:
            for command in ("run", "simulate", "plan"):
                with self.subTest(setting, command=command):
                    self.refused(command, "--set", setting, says=says)

    def test_clock_too_fast_to_be_one(self):
        for command in ("run", "simulate", "plan"):
            self.refused(command, "--set", "hardware.slowdown=1e-6",
                         says="hardware.slowdown: at 1e-06 a modelled step lasts less than")

    def test_settings_that_are_no_text(self):
        self.refused("run", "--set", b"name=\xff\xfe")

    def test_parts_that_do_not_fit_are_refused_by_name(self):
        self.refused("run", "--set", "parallel.tensor=3", says="parallel.tensor: must divide")

    def test_schedules_that_cannot_be_are_refused_with_the_reason(self):
        interleaved = ("--set", "parallel.schedule=interleaved")
        for command in ("run", "simulate", "plan"):
            self.refused(command, *interleaved, says="parallel.schedule: must be gpipe or 1f1b")
            self.refused(command, *interleaved, "--set", "parallel.pipeline=2", "--set",
                         "parallel.chunks=2", says="must be a multiple of parallel.pipeline, 2")


class Config(CliTest):
    def test_default_is_a_config(self):
        out, _ = self.cli("run", "--config-default")
        config = json.loads(out)
        self.assertEqual(config["overlap"]["prefetch"], 2)
        again, _ = self.cli("plan", "-", "--summary", stdin=out.encode())
        self.assertEqual(again, self.cli("plan", "--summary")[0])

    def test_settings_change_the_default(self):
        for command in ("run", "simulate", "plan"):
            out, _ = self.cli(command, "--config-default", "--set", "steps=7")
            self.assertEqual(json.loads(out)["steps"], 7)
            self.refused(command, "--config-default", "--set", "stpes=7", says="did you mean steps?")
            self.refused(command, "--config-default", "other.json", says="leave out other.json")

    def test_text_file_that_is_a_folder(self):
        self.refused("run", "--set", "task.kind=text", "--set", "task.file=/",
                     says=["task.file: /", "is a folder"])

    def test_hostile_json(self):
        for name, text in HOSTILE.items():
            with self.subTest(name):
                self.refused("plan", "-", stdin=text, says="standard input")
                path = self.file("hostile.json", text)
                self.refused("run", path, says=path)

    def test_hostile_json_as_first_line_of_control(self):
        for name, text in HOSTILE.items():
            with self.subTest(name):
                self.refused("run", "-", "--control", "--events", "-", stdin=text.replace(b"\n", b" "))

    def test_every_truncation(self):
        text = json.dumps(TINY).encode()
        for length in range(0, len(text), 7):
            self.refused("plan", "-", stdin=text[:length], says="standard input")

    def test_faults_tell_line_or_key(self):
        self.refused("plan", "-", stdin=b'{\n "steps": 4,\n "model": {"layers": }\n}', says="3")
        self.refused("plan", "-", stdin=b'{"model": {"leyers": 3}}', says="model.leyers")
        both = self.refused("plan", "-", stdin=b'{"steps": -1, "model": {"layers": "six"}}')
        self.assertIn("steps", both)
        self.assertIn("model.layers", both)


class Course(CliTest):
    """The lab's own data with one course exchanged."""

    def setUp(self):
        self.data = self.path("data")
        shutil.copytree(DATA, self.data, dirs_exist_ok=True)
        shutil.rmtree(os.path.join(self.data, "courses"), ignore_errors=True)
        os.mkdir(os.path.join(self.data, "courses"))
        self.environment["OFFLOAD_LAB_DATA"] = self.data

    def test_hostile_courses(self):
        for name, text in HOSTILE.items():
            self.file("data/courses/hostile.json", text)
            for arguments in (["--list"], ["--check"], []):
                with self.subTest(name, arguments=arguments):
                    self.refused("lesson", *arguments, says="hostile.json")

    def test_no_courses(self):
        self.refused("lesson", says="courses")


if __name__ == "__main__":
    unittest.main()
