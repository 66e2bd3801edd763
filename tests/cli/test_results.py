"""What the commands print and write: summaries that agree, events, traces, pictures."""
import csv
import ctypes
import itertools
import json
import re
import resource
import unittest

from lab_cli import TINY, CliTest


def bytes_of(summary):
    return {path: value for path, value in summary.items() if re.match(r"(peak|home)\.", path)}


def lock_nothing():
    """In a child: what an ordinary user may have to live with, whoever runs the tests."""
    PR_CAPBSET_DROP, CAP_IPC_LOCK = 24, 14
    ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, CAP_IPC_LOCK, 0, 0, 0)
    resource.setrlimit(resource.RLIMIT_MEMLOCK, (0, 0))


def placements():
    """Every combination of what the config offers; the engine says which are legal."""
    for optimizer, gradients, prefetch, micro_batches, precision in itertools.product(
        ("gpu", "host"), ("gpu", "host"), (0, 1, 3), (1, 2), ("bf16", "fp32")
    ):
        yield {
            **TINY,
            "precision": precision,
            "batch": {"micro_batch": 1, "micro_batches": micro_batches},
            "placement": {"optimizer": optimizer, "gradients": gradients},
            "optimizer": {"runs_on": optimizer},
            "overlap": {"prefetch": prefetch},
        }


class Summaries(CliTest):
    def test_plan_simulation_and_run_agree_to_the_byte(self):
        agreed = 0
        for config in placements():
            text = json.dumps(config).encode()
            with self.start("plan", "-", "--summary") as process:
                out, _ = process.communicate(text)
            if process.returncode == 2:  # not legal: then nowhere
                self.refused("simulate", "-", stdin=text)
                self.refused("run", "-", stdin=text)
                continue
            planned = json.loads(out)
            simulated, run = (self.summary(command, config) for command in ("simulate", "run"))
            with self.subTest(config):
                self.assertEqual(bytes_of(planned), bytes_of(simulated))
                self.assertEqual(bytes_of(planned), bytes_of(run))
                self.assertGreater(run["peak.gpu.total"], run["home.gpu.total"])
            agreed += 1
        self.assertGreaterEqual(agreed, 20)

    def test_states_lie_where_they_are_placed(self):
        on_gpu = self.summary("run", {**TINY, "placement": {"optimizer": "gpu", "gradients": "gpu"},
                                      "optimizer": {"runs_on": "gpu"}})
        on_host = self.summary("run", {**TINY, "placement": {"optimizer": "host"},
                                       "optimizer": {"runs_on": "host"}})
        self.assertEqual(on_gpu["home.host.total"], 0)
        self.assertEqual(on_host["home.gpu.master"], 0)
        self.assertEqual(on_host["state.bytes_per_parameter"], 12)
        self.assertEqual(on_gpu["home.gpu.master"], on_host["home.host.master"])
        self.assertEqual(on_gpu["weights.hash"], on_host["weights.hash"])
        self.assertEqual(on_gpu["loss.all"], on_host["loss.all"])

    def test_the_seed_decides_the_weights(self):
        hashes = [self.summary("run", {**TINY, "seed": seed})["weights.hash"] for seed in (1, 1, 2)]
        self.assertEqual(hashes[0], hashes[1])
        self.assertNotEqual(hashes[0], hashes[2])

    def test_words_without_summary(self):
        for command in ("run", "simulate", "plan"):
            out, _ = self.cli(command, "-", stdin=json.dumps(TINY).encode())
            self.assertIn("3 steps", out)

    def test_names_as_the_window_has_them(self):
        out, _ = self.cli("plan", "--set", "placement.optimizer=nvme")
        for name in ("GPU home", "Host home", "NVMe home", "Adam m", "Adam v", "peak on GPU"):
            self.assertIn(name, out)

    def test_words_tell_the_way_to_the_drive_and_what_is_not_locked(self):
        text = json.dumps({**TINY, "placement": {"optimizer": "nvme"}}).encode()
        out, _ = self.cli("run", "-", stdin=text)
        self.assertRegex(out, r"way to the drive +\S.*(O_DIRECT|buffered)")
        out, _ = self.cli("run", "-", stdin=text, preexec_fn=lock_nothing)
        events, _ = self.cli("run", "-", "--events", "-", stdin=text, preexec_fn=lock_nothing)
        if "pin" not in self.events(events.encode())[-2]["facts"]:
            self.skipTest("this system, or a sanitizer, lets memory be locked all the same")
        self.assertRegex(out, r"pinned host memory +refused: .*ulimit -l")

    def test_full_disk(self):
        text = json.dumps(TINY).encode()
        with open("/dev/full", "wb") as full:
            _, err = self.cli("run", "-", "--summary", stdin=text, stdout=full, status=4)
        self.assertIn("standard output", err)
        _, err = self.cli("run", "-", "--events", "/dev/full", stdin=text, status=4)
        self.assertIn("/dev/full", err)


class OutOfMemory(CliTest):
    def test_all_three_say_so(self):
        config = {**TINY, "hardware": {**TINY["hardware"], "gpu_mib": 0.125}}
        said = set()
        for command in ("run", "simulate", "plan"):
            out, err = self.cli(command, "-", "--summary", stdin=json.dumps(config).encode(), status=3)
            self.assertEqual(json.loads(out)["outcome"], "out_of_memory")
            said.add(re.search("out of memory on GPU.*", err).group())
            self.assertIn("weights", err)  # in the table of who holds what
        self.assertEqual(len(said), 1, said)

    def test_default_on_one_mebibyte(self):
        _, err = self.cli("run", "--set", "hardware.gpu_mib=1", status=3)
        self.assertIn("out of memory on GPU", err)

    def test_events_tell_the_table(self):
        config = {**TINY, "hardware": {**TINY["hardware"], "gpu_mib": 0.125}}
        out, _ = self.cli("run", "-", "--events", "-", stdin=json.dumps(config).encode(), status=3)
        outcome = self.events(out.encode())[-2]
        self.assertEqual(outcome["outcome"], "out_of_memory")
        self.assertTrue(outcome["table"])


class Files(CliTest):
    def test_event_stream(self):
        text = json.dumps(TINY).encode()
        for command in ("run", "simulate"):
            with self.subTest(command):
                path = self.path("events.jsonl")
                out, _ = self.cli(command, "-", "--events", path, "--summary", stdin=text)
                with open(path, "rb") as file:
                    events = self.events(file.read())
                self.assertEqual(events[-1]["metrics"], json.loads(out))
                self.assertEqual(events[-2]["outcome"], "done")
                self.assertEqual(sum(event["type"] == "step" for event in events), 3)
                self.check_memory(events, events[-1]["metrics"])

    def check_memory(self, events, metrics):
        """Changes never take a tier below nothing, and their highest sum is the peak told."""
        tiers = {event["id"]: event["tier"] for event in events if event["type"] == "buffer"}
        now, peak = dict.fromkeys(tiers.values(), 0), dict.fromkeys(tiers.values(), 0)
        for event in events:
            if event["type"] == "memory":
                tier = tiers[event["buffer"]]
                now[tier] += event["bytes"]
                self.assertGreaterEqual(now[tier], 0)
                peak[tier] = max(peak[tier], now[tier])
        for tier, most in peak.items():
            self.assertEqual(most, metrics[f"peak.{tier}.total"])

    def test_events_on_standard_output_are_all_of_it(self):
        out, _ = self.cli("run", "-", "--events", "-", "--summary", stdin=json.dumps(TINY).encode())
        self.events(out.encode())

    def test_trace_and_pictures(self):
        text = json.dumps(TINY).encode()
        trace = self.path("trace.json")
        for suffix, begins in (("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")):
            for command in ("run", "simulate", "plan"):
                with self.subTest(suffix, command=command):
                    picture = self.path(f"charts.{suffix}")
                    self.cli(command, "-", "--trace", trace, "--picture", picture, stdin=text)
                    with open(picture, "rb") as file:
                        self.assertTrue(file.read().startswith(begins))
                    with open(trace, encoding="utf-8") as file:
                        self.assertTrue(json.load(file)["traceEvents"])


class Replay(CliTest):
    """A saved run says what the run itself said; a damaged one as far as it goes, and which line."""

    def saved(self, command="run"):
        path = self.path(f"{command}-saved.jsonl")
        out, _ = self.cli(command, "-", "--events", path, "--summary",
                          stdin=json.dumps(TINY).encode())
        return path, json.loads(out)

    def test_the_same_figures_again(self):
        for command in ("run", "simulate"):
            path, summary = self.saved(command)
            out, _ = self.cli("replay", path, "--summary")
            self.assertEqual(json.loads(out), summary)
            self.assertIn("3 steps", self.cli("replay", path)[0])

    def test_files_of_every_kind(self):
        path, _ = self.saved()
        with open(path, encoding="utf-8") as file:
            spans = [e for e in map(json.loads, file) if e["type"] == "span"]
        trace, table = self.path("replayed.json"), self.path("spans.csv")
        picture = self.path("replayed.svg")
        self.cli("replay", path, "--trace", trace, "--picture", picture, "--table", table,
                 "--table", f"lanes={self.path('lanes.csv')}")
        with open(trace, encoding="utf-8") as file:
            drawn = [e for e in json.load(file)["traceEvents"] if e["ph"] == "X"]
        self.assertEqual(len(drawn), len(spans))
        with open(table, encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), len(spans))
        self.assertAlmostEqual(sum(float(row["Lasts (s)"]) for row in rows),
                               sum(s["end_ns"] - s["begin_ns"] for s in spans) / 1e9, places=9)
        self.assertEqual(sum(int(row["Bytes (bytes)"]) for row in rows),
                         sum(s["bytes"] for s in spans))
        with open(self.path("lanes.csv"), encoding="utf-8", newline="") as file:
            self.assertEqual(sum(int(row["Spans"]) for row in csv.DictReader(file)), len(spans))
        with open(picture, encoding="utf-8") as file:
            self.assertTrue(file.read().startswith("<?xml"))

    def test_damaged(self):
        path, _ = self.saved()
        with open(path, encoding="utf-8") as file:
            lines = file.readlines()
        at = next(i for i, line in enumerate(lines) if line.startswith('{"type":"step"')) + 1
        cut = self.file("cut.jsonl", "".join(lines[:at]) + lines[at][:9])
        out, err = self.cli("replay", cut, status=2)
        self.assertIn("Cut off: 1 step\n", out)
        self.assertIn(f"line {at + 1}: the stream is cut off in this line", err)
        self.refused("replay", self.file("no-run.jsonl", "hello\n"), says="line 1")
        self.refused("replay", "/no/such/run.jsonl", says="/no/such/run.jsonl")
        self.refused("replay", says="name the events file")
        self.refused("replay", path, "--table", "lanes=/nowhere/x.csv", says="/nowhere/x.csv")


class Calibration(CliTest):
    def test_kept_and_made_again(self):
        path = self.path("xdg_cache_home/offload-lab/calibration.json")
        out, _ = self.cli("calibrate")
        self.assertIn(path, out)
        self.cli("calibrate", "--threads", "2")
        with open(path, encoding="utf-8") as file:
            kept = json.load(file)
        self.assertEqual(set(kept["threads"]), {"1", "2"})
        self.assertEqual(kept["drives"], {})
        self.cli("plan", "--set", "placement.optimizer=nvme")  # which needs to know the drive
        with open(path, encoding="utf-8") as file:
            kept = json.load(file)
        self.assertEqual(set(kept["threads"]), {"1", "2"})
        self.assertTrue(all(rate > 0 for drive in kept["drives"].values() for rate in drive.values()))
        # A relative name is of another folder, perhaps another drive, elsewhere.
        self.cli("plan", "--set", "placement.optimizer=nvme", "--set", "hardware.nvme_folder=.",
                 cwd=self.home)
        with open(path, encoding="utf-8") as file:
            kept = json.load(file)
        self.assertEqual(set(kept["drives"]), {"", self.home})
        for damage in (b"", b"\xff\0", b"[" * 10**6, b'{"format": 1}',
                       json.dumps({**kept, "cpu": "an abacus"}).encode(),
                       json.dumps({**kept, "threads": {"1": {"product_flops": -1}}}).encode()):
            with open(path, "wb") as file:
                file.write(damage)
            self.cli("plan", "--summary")
            with open(path, encoding="utf-8") as file:
                again = json.load(file)
            self.assertEqual(again["cpu"], kept["cpu"])
            self.assertTrue(all(rate > 0 for rate in again["threads"]["1"].values()))

    def test_no_place_to_keep_it(self):
        environment = self.environment
        try:
            self.environment = {**environment, "XDG_CACHE_HOME": "/proc/no-such-place"}
            _, err = self.cli("calibrate", status=4)
            self.assertIn("/proc/no-such-place", err)
            self.cli("plan")  # measured for itself: no error
        finally:
            self.environment = environment


if __name__ == "__main__":
    unittest.main()
