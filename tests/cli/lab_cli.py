"""What the suites of this folder share: running the built program with nothing of the user's."""
import json
import os
import pty
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["OFFLOAD_LAB_CLI"]
LIMIT = 120  # seconds for one process: far beyond need; only a hang takes longer

# A model small enough that a whole run takes a few hundredths of a second.
TINY = {
    "steps": 3,
    "model": {"layers": 2, "width": 32, "heads": 2, "sequence": 32, "vocabulary": 32},
    "batch": {"micro_batch": 1},
    "hardware": {"clock": "machine", "stands_for": None},
}
LONG = {**TINY, "steps": 100000}


class CliTest(unittest.TestCase):
    """Each suite has a home of its own: cache (calibration) and data (progress) go there."""

    @classmethod
    def setUpClass(cls):
        cls._home = tempfile.TemporaryDirectory(prefix="offload-lab-test-")
        cls.home = cls._home.name
        cls.environment = {**os.environ, "LC_ALL": "C.UTF-8"}
        for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
            cls.environment[name] = os.path.join(cls.home, name.lower())

    @classmethod
    def tearDownClass(cls):
        cls._home.cleanup()

    def path(self, name):
        return os.path.join(self.home, name)

    def file(self, name, content):
        """Writes bytes, text or an object as JSON; gives the path."""
        if not isinstance(content, (bytes, str)):
            content = json.dumps(content)
        if isinstance(content, str):
            content = content.encode()
        with open(self.path(name), "wb") as file:
            file.write(content)
        return self.path(name)

    def start(self, *arguments, **options):
        """Unbuffered: what was not asked for stays in the pipe."""
        usual = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE) | {"bufsize": 0}
        return subprocess.Popen([PROGRAM, *arguments], env=self.environment, **{**usual, **options})

    def cli(self, *arguments, status=0, stdin=b"", **options):
        """Runs to the end, checks the exit status, gives (stdout, stderr) as text."""
        with self.start(*arguments, **options) as process:
            out, err = process.communicate(stdin, timeout=LIMIT)
        err = err.decode("utf-8")
        self.assertEqual(process.returncode, status, f"{arguments}: {err[-2000:]}")
        return (out or b"").decode("utf-8"), err

    def in_terminal(self, arguments, *answers):
        """Types each answer once the prompt that it belongs to has come; gives what follows the last."""
        master, slave = pty.openpty()
        seen = b""
        with self.start(*arguments, stdin=slave, stdout=slave) as process:
            os.close(slave)
            for prompt, text in answers:
                while prompt not in seen:
                    seen += os.read(master, 4096)
                seen = seen.split(prompt, 1)[1]
                os.write(master, text)
            try:
                while piece := os.read(master, 4096):
                    seen += piece
            except OSError:  # the other end has closed: that is how a terminal ends
                pass
            process.wait(timeout=LIMIT)
            self.assertEqual(process.returncode, 0, process.stderr.read())
        os.close(master)
        return seen.decode()

    def refused(self, *arguments, says=None, **options):
        """Bad input: status 2, nothing on standard output, and words that name what and where."""
        out, err = self.cli(*arguments, status=2, **options)
        self.assertEqual(out, "")
        self.assertTrue(err.startswith("offload-lab-cli: "), err[:200])
        for words in [says] if isinstance(says, str) else says or []:
            self.assertIn(words, err)
        return err

    def summary(self, command, config, *arguments, status=0):
        text = json.dumps(config).encode()
        out, _ = self.cli(command, "-", "--summary", *arguments, stdin=text, status=status)
        return json.loads(out)

    def events(self, data):
        """Parses a whole event stream, checks its frame."""
        lines = data.decode("utf-8").splitlines()
        events = [json.loads(line) for line in lines]
        self.assertEqual(events[0]["type"], "run")
        self.assertEqual(events[0]["format"], 1)
        self.assertEqual(events[-1]["type"], "summary")
        self.assertEqual(events[-2]["type"], "outcome")
        return events
