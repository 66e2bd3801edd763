"""A live run: signals, the control stream, readers that stall or go."""
import json
import os
import signal
import subprocess
import time
import unittest

from lab_cli import LIMIT, LONG, TINY, CliTest


def line(value):
    return json.dumps(value).encode() + b"\n"


class Live(CliTest):
    def start_long(self, *arguments, config=LONG):
        """A run that would take minutes, its events on standard output, past its first span."""
        process = self.start("run", self.file("long.json", config), "--events", "-", *arguments)
        self.addCleanup(self.end, process)
        head = []
        while True:
            head.append(process.stdout.readline())
            self.assertTrue(head[-1], "the stream ended early")
            if b'"span"' in head[-1]:
                return process, b"".join(head)

    @staticmethod
    def end(process):
        if process.poll() is None:
            process.kill()
        for pipe in (process.stdin, process.stdout, process.stderr):
            pipe.close()
        process.wait()

    def assert_stopped(self, process, head):
        out, err = process.communicate(timeout=LIMIT)
        self.assertEqual(process.returncode, 130, err)
        events = self.events(head + out)
        self.assertEqual(events[-2]["outcome"], "stopped")
        return err.decode()


class Signals(Live):
    def test_interrupt_and_terminate_stop(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number):
                process, head = self.start_long()
                process.send_signal(number)
                self.assertIn("stopping", self.assert_stopped(process, head))

    def test_second_interrupt_kills(self):
        # Nobody reads on: the writer cannot end, so that the first one alone never would.
        process, _ = self.start_long()
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        self.assertIn(b"stopping", process.stderr.readline())
        for _ in range(LIMIT * 10):
            process.send_signal(signal.SIGINT)
            if process.poll() is not None:
                break
            time.sleep(0.1)
        self.assertEqual(process.returncode, -signal.SIGINT)


    def test_interrupt_while_a_huge_plan_is_made_ends_at_once(self):
        huge = {**TINY, "model": {**TINY["model"], "layers": 1000}, "batch": {"micro_batches": 200}}
        process = self.start("run", self.file("huge.json", huge))
        self.addCleanup(self.end, process)
        tasks = f"/proc/{process.pid}/task"
        while len(os.listdir(tasks)) < 2:  # until somebody listens
            time.sleep(0.01)
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=LIMIT), -signal.SIGINT)
        self.assertLess(time.monotonic() - begin, 2)


class Streams(Live):
    """A standard stream that is closed is not taken for a file that the run opens."""

    def test_closed_streams(self):
        config = {**TINY, "placement": {"optimizer": "nvme"}}
        name = self.file("tiny.json", config)
        for closed in (0, 1, 2):
            with self.subTest(closed):
                events = self.path("closed.jsonl")
                process = self.start("run", name, "--events", events, "--summary",
                                     preexec_fn=lambda: os.close(closed))
                self.addCleanup(self.end, process)
                _, err = process.communicate(timeout=LIMIT)
                self.assertEqual(process.returncode, 4 if closed == 1 else 0)
                self.assertEqual(b"standard output cannot be written: Bad file" in err, closed == 1)
                with open(events, "rb") as file:
                    self.assertEqual(self.events(file.read())[-2]["outcome"], "done")

    def test_closed_control_stops(self):
        process = self.start("run", self.file("long.json", LONG), "--control",
                             preexec_fn=lambda: os.close(0))
        self.addCleanup(self.end, process)
        self.assertEqual(process.wait(timeout=LIMIT), 130)


class Readers(Live):
    def test_reader_that_goes(self):
        process, _ = self.start_long()
        process.stdout.close()
        self.assertEqual(process.wait(timeout=LIMIT), 130)
        self.assertIn(b"closed", process.stderr.read())

    def test_reader_that_stalls_blocks_no_lane(self):
        # More events than any pipe holds. Lanes are threads: once they are gone, the run has ended.
        process = self.start("run", self.file("some.json", {**TINY, "steps": 400}), "--events", "-")
        self.addCleanup(self.end, process)
        first = process.stdout.read(1)
        tasks = f"/proc/{process.pid}/task"
        deadline = time.monotonic() + LIMIT
        while len(os.listdir(tasks)) > 3 and time.monotonic() < deadline:
            time.sleep(0.1)
        self.assertLessEqual(len(os.listdir(tasks)), 3)  # main, the writer, the listener
        self.assertIsNone(process.poll())
        out, _ = process.communicate(timeout=LIMIT)
        events = self.events(first + out)
        self.assertEqual(sum(event["type"] == "step" for event in events), 400)
        self.assertGreater(len(out), 1 << 20)

    def test_no_reader_at_all(self):
        read, write = os.pipe()
        os.close(read)
        config = self.file("tiny.json", TINY)
        with os.fdopen(write, "wb") as pipe:
            self.cli("run", config, "--events", "-", stdout=pipe, status=130)
            _, err = self.cli("run", config, "--summary", stdout=pipe, status=4)
        self.assertIn("standard output", err)


class Control(Live):
    def control(self, *commands, config=TINY, keep_open=True):
        """The config as first line, then commands, all in one piece."""
        process = self.start("run", "-", "--events", "-", "--control")
        self.addCleanup(self.end, process)
        process.stdin.write(line(config) + b"".join(command + b"\n" for command in commands))
        process.stdin.flush()
        if not keep_open:
            process.stdin.close()
        out = process.stdout.read()
        err = process.stderr.read().decode()
        return process.wait(timeout=LIMIT), self.events(out), err

    def test_runs_to_the_end_uncommanded(self):
        status, events, _ = self.control()
        self.assertEqual(status, 0)
        self.assertEqual(events[-2]["outcome"], "done")

    def test_stop(self):
        status, events, _ = self.control(b"stop", config=LONG)
        self.assertEqual((status, events[-2]["outcome"]), (130, "stopped"))

    def test_end_of_input_stops(self):
        status, events, _ = self.control(config=LONG, keep_open=False)
        self.assertEqual((status, events[-2]["outcome"]), (130, "stopped"))

    def test_stop_later_and_from_a_file(self):
        process, head = self.start_long("--control")
        process.stdin.write(b"stop\n")
        process.stdin.flush()
        self.assert_stopped(process, head)

    def test_unknown_command_changes_nothing(self):
        status, events, err = self.control(b"fly", b"", b"speed up", b"\xff\xfe", b"x" * 100000)
        self.assertEqual((status, events[-2]["outcome"]), (0, "done"))
        self.assertIn("fly", err)
        self.assertIn("step.seconds", events[-1]["metrics"])

    def test_no_other_speed_on_the_machines_clock(self):
        status, events, err = self.control(b"speed 0.5")
        self.assertEqual((status, events[-2]["outcome"]), (0, "done"))
        self.assertIn("only the scale clock", err)
        self.assertIn("step.seconds", events[-1]["metrics"])  # untouched

    def test_pause_next_resume(self):
        status, events, err = self.control(b"pause", b"next", b"next", b"resume")
        self.assertEqual((status, err), (0, ""))
        self.assertNotIn("step.seconds", events[-1]["metrics"])  # touched: it says nothing of time
        self.assertEqual(events[-1]["metrics"]["weights.hash"],
                         self.summary("run", TINY)["weights.hash"])

    def test_paused_stands_still(self):
        process, _ = self.start_long("--control")
        process.stdin.write(b"pause\n")
        process.stdin.flush()
        reader = subprocess.Popen(["cat"], stdin=process.stdout, stdout=subprocess.DEVNULL)
        self.addCleanup(reader.wait)
        time.sleep(1)
        busy = self.processor_seconds(process)
        time.sleep(1)
        self.assertLess(self.processor_seconds(process) - busy, 0.5)
        process.stdin.write(b"stop\n")
        process.stdin.flush()
        self.assertEqual(process.wait(timeout=LIMIT), 130)

    @staticmethod
    def processor_seconds(process):
        with open(f"/proc/{process.pid}/stat", encoding="utf-8") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    unittest.main()
