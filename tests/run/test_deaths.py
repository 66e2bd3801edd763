"""A run that dies or is stopped, with its states on the drive: killed in every phase it leaves no
file behind; interrupted, or its reader gone, it ends within two seconds; and where a tier is too
small it says so."""
import json
import os
import signal
import subprocess
import tempfile
import time
import unittest

from lab_cli import LIMIT, CliTest

SOON = 2  # seconds
KILLS = 200 if os.environ.get("OFFLOAD_LAB_LONG") else 5  # in each phase
STEPS = 6

# Large enough that fill, steps and hash each take some tenths of a second.
CONFIG = {
    "steps": STEPS,
    "model": {"layers": 4, "width": 192, "heads": 4, "sequence": 32, "vocabulary": 64},
    "batch": {"micro_batch": 1},
    "placement": {"weights": "nvme", "optimizer": "nvme", "gradients": "host"},
    "hardware": {"clock": "machine", "stands_for": None},
}


class DriveTest(CliTest):
    def setUp(self):
        # Below the build folder, which is on a disk as a rule.
        folder = tempfile.TemporaryDirectory(prefix="drive-", dir=".")
        self.addCleanup(folder.cleanup)
        self.folder = os.path.abspath(folder.name)

    def start_run(self, *arguments, **changes):
        config = {**CONFIG, **changes}
        config["hardware"] = {**config["hardware"], "nvme_folder": self.folder}
        process = self.start("run", self.file("drive.json", config), "--events", "-", *arguments,
                             bufsize=1 << 16)
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        if process.poll() is None:
            process.kill()
        for pipe in (process.stdin, process.stdout, process.stderr):
            pipe.close()
        process.wait()

    def await_phase(self, process, phase):
        """Reads events until the run is that far; gives the phase it was last seen in."""
        for line in process.stdout:
            event = json.loads(line)
            if event["type"] == "span" and phase_of(event["step"]) == phase:
                return
        self.fail(f"the run ended before its {phase}")

    def assert_nothing_left(self):
        self.assertEqual(os.listdir(self.folder), [])


def phase_of(step):
    return "fill" if step < 0 else "hash" if step == STEPS else "step"


class Kills(DriveTest):
    def kill_in(self, phase):
        for _ in range(KILLS):
            process = self.start_run()
            self.await_phase(process, phase)
            process.kill()
            self.assertEqual(process.wait(timeout=LIMIT), -signal.SIGKILL)
            self.assert_nothing_left()

    def test_in_the_fill(self):
        self.kill_in("fill")

    def test_in_a_step(self):
        self.kill_in("step")

    def test_in_the_hash(self):
        for _ in range(KILLS):
            process = self.start_run()
            self.await_phase(process, "hash")
            process.kill()  # it may just have ended: the hash is the last that it does
            self.assertIn(process.wait(timeout=LIMIT), (-signal.SIGKILL, 0))
            self.assert_nothing_left()

    def test_at_any_time(self):
        for i in range(KILLS):
            process = self.start_run()
            time.sleep(0.5 * i / KILLS)
            process.kill()
            process.wait(timeout=LIMIT)
            self.assert_nothing_left()


class Ends(DriveTest):
    """Many steps: none of these runs would end by itself before the limit."""

    def assert_ends_soon(self, process, act, status):
        begin = time.monotonic()
        act()
        self.assertEqual(process.wait(timeout=LIMIT), status)
        self.assertLess(time.monotonic() - begin, SOON)
        self.assert_nothing_left()

    def drain(self, process):
        reader = subprocess.Popen(["cat"], stdin=process.stdout, stdout=subprocess.DEVNULL)
        self.addCleanup(reader.wait)
        self.addCleanup(reader.kill)  # first: cleanups run backwards

    def test_interrupt(self):
        for phase in ("fill", "step"):
            with self.subTest(phase):
                process = self.start_run(steps=100000)
                self.await_phase(process, phase)
                self.drain(process)
                self.assert_ends_soon(process, lambda: process.send_signal(signal.SIGINT), 130)

    def test_interrupt_on_the_scale_clock(self):
        hardware = {"clock": "scale", "stands_for": "gpt-2b", "slowdown": 20000}
        process = self.start_run(steps=1000, hardware=hardware)
        self.await_phase(process, "step")
        self.drain(process)
        self.assert_ends_soon(process, lambda: process.send_signal(signal.SIGINT), 130)

    def test_interrupt_while_paused(self):
        process = self.start_run("--control", steps=100000)
        self.await_phase(process, "step")
        self.drain(process)
        process.stdin.write(b"pause\n")
        process.stdin.flush()
        time.sleep(0.2)
        self.assert_ends_soon(process, lambda: process.send_signal(signal.SIGINT), 130)

    def test_closed_pipe(self):
        for phase in ("fill", "step"):
            with self.subTest(phase):
                process = self.start_run(steps=100000)
                self.await_phase(process, phase)
                self.assert_ends_soon(process, process.stdout.close, 130)

    def test_closed_control(self):
        process = self.start_run("--control", steps=100000)
        self.await_phase(process, "step")
        self.drain(process)
        self.assert_ends_soon(process, process.stdin.close, 130)


class OutOfMemory(DriveTest):
    def test_each_tier(self):
        for tier in ("gpu", "host", "nvme"):
            with self.subTest(tier):
                hardware = {**CONFIG["hardware"], "nvme_folder": self.folder, f"{tier}_mib": 0.1}
                text = json.dumps({**CONFIG, "hardware": hardware}).encode()
                out, err = self.cli("run", "-", "--summary", stdin=text, status=3)
                self.assertEqual(json.loads(out)["outcome"], "out_of_memory")
                self.assertIn(f"out of memory on {tier}", err.lower())
                self.assert_nothing_left()


if __name__ == "__main__":
    unittest.main()
