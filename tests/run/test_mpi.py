"""Ranks that are processes: mpirun -n 4 offload-lab-cli run --comm mpi. They end with the weights, losses
and bytes of ranks that are threads, to the bit; a killed one is named, and all end; they obey as one
run does; and what cannot be started is refused once, in words."""
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import unittest

from lab_cli import LIMIT, PROGRAM, CliTest

SOON = 5  # seconds, in which all processes end when one has died
LONG = bool(os.environ.get("OFFLOAD_LAB_LONG"))

CONFIG = {
    "steps": 3,
    "model": {"layers": 4, "width": 64, "heads": 4, "sequence": 32, "vocabulary": 64},
    "batch": {"micro_batch": 1, "micro_batches": 4},
    "hardware": {"clock": "machine", "stands_for": None},
}
ON_GPU = {"placement": {"optimizer": "gpu", "gradients": "gpu"}, "optimizer": {"runs_on": "gpu"}}
ON_DRIVE = {"placement": {"weights": "nvme", "optimizer": "nvme", "gradients": "host"}}

# Every phase of it lasts some tenths of a second at least.
LARGER = {
    **CONFIG,
    **ON_DRIVE,
    "model": {"layers": 4, "width": 192, "heads": 4, "sequence": 32, "vocabulary": 64},
    "batch": {"micro_batch": 1},
    "parallel": {"data": 4, "zero": 3},
}

# With seconds and a program: that on a monotonic clock so far ahead.
OTHER_CLOCK = ("unshare", "--time", "--fork", "--monotonic")

# How long it took, or when: these differ from run to run, however ranks are joined.
TIMES = ("seconds", "per_second", "busy", "hidden", "exposed", "critical", "bubble", "late", "tflops",
         "utilisation", "waits", "idle")


class MpiTest(CliTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        # Open MPI itself leaves thousands of blocks behind.
        cls.environment["ASAN_OPTIONS"] = ":".join(filter(None, (os.environ.get("ASAN_OPTIONS"), "detect_leaks=0")))
        cls.environment["OMPI_ALLOW_RUN_AS_ROOT"] = cls.environment["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] = "1"

    def start_ranks(self, *arguments, n=4, program=PROGRAM, **options):
        usual = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        command = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(n), program, "run", "--comm", "mpi"]
        process = subprocess.Popen([*command, *arguments], env=self.environment, **{**usual, **options})
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        if process.poll() is None:
            process.terminate()  # mpirun ends its processes itself
        process.communicate(timeout=LIMIT)

    def run_ranks(self, *arguments, config, n=4, status=0, program=PROGRAM):
        process = self.start_ranks("-", *arguments, n=n, program=program)
        out, err = process.communicate(json.dumps(config).encode(), timeout=LIMIT)
        self.assertEqual(process.returncode, status, err.decode()[-2000:])
        return out.decode(), err.decode()


class SameAsThreads(MpiTest):
    def assert_same(self, n=4, **changes):
        config = {**CONFIG, **changes}
        threads = self.summary("run", config)
        processes = json.loads(self.run_ranks("--summary", config=config, n=n)[0])
        self.assertEqual(set(threads), set(processes))
        for path, value in threads.items():
            if not any(word in path for word in TIMES):
                self.assertEqual(processes[path], value, path)

    def test_zero(self):
        for stage in (0, 1, 2, 3):
            with self.subTest(stage):
                self.assert_same(**ON_GPU, parallel={"data": 4, "zero": stage})

    def test_tensor_and_data(self):
        self.assert_same(**ON_GPU, parallel={"data": 2, "tensor": 2, "zero": 1})

    def test_pipeline(self):
        self.assert_same(parallel={"pipeline": 4})

    @unittest.skipUnless(LONG, "for the long run")
    def test_other_ways(self):
        clipped = {"clip_norm": 0.5}
        for n, changes in (
            (2, {"parallel": {"data": 2, "zero": 2}, "steps": 40, "optimizer": {"delayed": True}}),
            (2, {**ON_DRIVE, "parallel": {"data": 2, "zero": 3}, "overlap": {"prefetch": 0}}),
            (4, {"parallel": {"pipeline": 2, "tensor": 2, "schedule": "interleaved", "chunks": 2},
                 "optimizer": clipped}),
            (4, {"parallel": {"pipeline": 4, "schedule": "gpipe"}, "optimizer": clipped,
                 "recompute": "full", "precision": "fp32", **ON_GPU}),
            (8, {**ON_DRIVE, "parallel": {"data": 2, "pipeline": 2, "tensor": 2, "zero": 3},
                 "optimizer": clipped}),
        ):
            with self.subTest(changes):
                self.assert_same(n=n, **changes)

    @unittest.skipUnless(LONG, "for the long run")
    def test_text(self):
        path = self.file("text.txt", "the lab computes what it shows; " * 40)
        self.assert_same(n=2, task={"kind": "text", "file": path}, parallel={"pipeline": 2})


class Trace(MpiTest):
    """Of all ranks, on one clock: nothing begins before what it waits for has ended."""

    def test_waits(self):
        self.assert_in_order(PROGRAM, within_ns=0)

    @unittest.skipUnless(LONG, "for the long run")
    @unittest.skipUnless(subprocess.run([*OTHER_CLOCK, "1", "true"], stderr=subprocess.DEVNULL, check=False)
                         .returncode == 0, "this system gives no process a clock of its own")
    def test_other_clocks(self):
        """As on other machines: clocks hours apart. The quickest answers tell how far, or nearly."""
        script = self.file("other-clock.sh", f"""#!/bin/sh
[ "$OMPI_COMM_WORLD_RANK" = 0 ] && exec {PROGRAM} "$@"
exec {" ".join(OTHER_CLOCK)} $((OMPI_COMM_WORLD_RANK * 10000)) {PROGRAM} "$@"
""")
        os.chmod(script, 0o755)
        self.assert_in_order(script, within_ns=50_000_000)

    def assert_in_order(self, program, within_ns):
        config = {**CONFIG, "parallel": {"data": 2, "pipeline": 2, "zero": 1}}
        path = self.path("events.jsonl")
        self.run_ranks("--events", path, config=config, program=program)
        with open(path, "rb") as file:
            events = self.events(file.read())
        nodes = {event["id"]: event for event in events if event["type"] == "node"}
        spans = {(event["node"], event["step"]): event for event in events if event["type"] == "span"}
        crossing = 0
        for (node, step), span in spans.items():
            for awaited, back in nodes[node].get("waits", []):
                earlier = spans.get((awaited, step - back))
                if earlier:
                    crossing += nodes[awaited]["rank"] != nodes[node]["rank"]
                    self.assertLessEqual(earlier["end_ns"], span["begin_ns"] + within_ns, (node, awaited))
        self.assertGreater(crossing, 0)
        self.assertEqual({nodes[node]["rank"] for node, _ in spans}, {0, 1, 2, 3})
        self.assert_steps_hold_spans(events, nodes, spans)

    def assert_steps_hold_spans(self, events, nodes, spans):
        steps = [event for event in events if event["type"] == "step"]
        self.assertEqual([step["step"] for step in steps], [0, 1, 2])
        for step in steps:
            of_step = [span for span in spans.values() if span["step"] == step["step"]]
            self.assertEqual(step["begin_ns"], min(span["begin_ns"] for span in of_step))
            self.assertEqual(step["end_ns"], max(span["end_ns"] for span in of_step))


class Kills(MpiTest):
    """Of one rank, in each phase. Rank 0's own death is told by another."""

    def find_processes(self, mpirun):
        processes = {}
        for entry in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{entry}/stat", encoding="utf-8") as file:
                    parent = int(file.read().rsplit(")", 1)[1].split()[1])
                with open(f"/proc/{entry}/environ", "rb") as file:
                    variables = dict(pair.split(b"=", 1) for pair in file.read().split(b"\0") if b"=" in pair)
            except OSError:  # it has just ended
                continue
            if parent == mpirun and b"OMPI_COMM_WORLD_RANK" in variables:
                processes[int(variables[b"OMPI_COMM_WORLD_RANK"])] = int(entry)
        return processes

    @staticmethod
    def is_alive(pid):
        try:
            with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
                return file.read().rsplit(")", 1)[1].split()[0] not in "ZX"
        except OSError:
            return False

    def await_phase(self, process, phase, steps):
        for line in process.stdout:
            event = json.loads(line)
            if event["type"] != "span":
                continue
            seen = "fill" if event["step"] < 0 else "hash" if event["step"] == steps else "step"
            if seen == phase:
                return
        self.fail(f"the run ended before its {phase}: {process.stderr.read()[-2000:]}")

    def kill(self, rank, phase):
        steps = 100000 if phase == "step" else 2
        config = self.file(f"kill-{phase}.json", {**LARGER, "steps": steps})
        process = self.start_ranks(config, "--events", "-")
        self.await_phase(process, phase, steps)
        processes = self.find_processes(process.pid)
        self.assertEqual(sorted(processes), [0, 1, 2, 3])
        begin = time.monotonic()
        os.kill(processes[rank], signal.SIGKILL)
        _, err = process.communicate(timeout=LIMIT)
        while any(map(self.is_alive, processes.values())) and time.monotonic() - begin < LIMIT:
            time.sleep(0.01)
        self.assertLess(time.monotonic() - begin, SOON)
        self.assertNotEqual(process.returncode, 0)
        self.assertIn(f"rank {rank} has died: its process {processes[rank]} on ", err.decode())
        self.assertEqual(err.decode().count("has died"), 1)

    def test_in_each_phase(self):
        ranks = (0, 1, 2, 3)
        for phase, short in (("fill", 1), ("step", 0), ("hash", 3)):
            for rank in ranks if LONG else (short,):
                with self.subTest(phase=phase, rank=rank):
                    self.kill(rank, phase)


class Commands(MpiTest):
    def start_controlled(self, **changes):
        process = self.start_ranks("-", "--control", "--events", "-")
        config = {**CONFIG, "parallel": {"data": 2, "pipeline": 2, "zero": 1}, **changes}
        self.send(process, json.dumps(config), "pause")
        self.spans, self.kinds = [], {}
        self.reader = threading.Thread(target=self.read, args=(process,))
        self.reader.start()
        return process

    @staticmethod
    def send(process, *lines):
        process.stdin.write("".join(line + "\n" for line in lines).encode())
        process.stdin.flush()

    def read(self, process):
        for line in process.stdout:
            event = json.loads(line)
            self.kinds[event["type"]] = event
            if event["type"] == "span":
                self.spans.append(event["node"])

    def await_spans(self, n):
        until = time.monotonic() + LIMIT / 4
        while len(self.spans) < n and time.monotonic() < until:
            time.sleep(0.002)

    def test_step_by_step(self):
        """One node at a time, in plan order, whichever process it is in; then all the rest."""
        process = self.start_controlled()
        for n in range(1, 17):
            self.send(process, "next")
            self.await_spans(n)
            self.assertEqual(self.spans, list(range(n)))
        self.send(process, *["next"] * 10)
        self.await_spans(26)
        time.sleep(0.1)  # one too many would come now
        self.assertEqual(sorted(self.spans), list(range(26)))
        self.send(process, "resume")
        self.assertEqual(process.wait(timeout=LIMIT), 0)
        self.reader.join()
        self.assertEqual(self.kinds["outcome"]["outcome"], "done")

    @unittest.skipUnless(LONG, "for the long run")
    def test_stop(self):
        process = self.start_controlled(steps=100000)
        self.send(process, "resume")
        self.await_spans(300)
        self.send(process, "stop")
        self.assertEqual(process.wait(timeout=LIMIT), 130)
        self.reader.join()
        self.assertEqual(self.kinds["outcome"]["outcome"], "stopped")


class Refused(MpiTest):
    """Once, not by every process."""

    def assert_refused(self, says, n, program=PROGRAM, **changes):
        _, err = self.run_ranks(config={**CONFIG, **changes}, n=n, program=program, status=2)
        own = [line for line in err.splitlines() if line.startswith("offload-lab-cli: ")]
        self.assertEqual(len(own), 1, err)
        self.assertIn(says, own[0])

    def test_other_number_of_processes(self):
        self.assert_refused("start it with mpirun -n 2", n=3, parallel={"data": 2, "zero": 2})

    def test_without_mpirun(self):
        text = json.dumps({**CONFIG, "parallel": {"pipeline": 2}}).encode()
        self.refused("run", "--comm", "mpi", "-", stdin=text,
                     says=["there is one process", "start it with mpirun -n 2"])

    def test_other_words(self):
        self.refused("run", "--comm", "tcp", says="--comm tcp")
        for command in ("simulate", "plan"):
            self.refused(command, "--comm", "mpi", says=f"{command} takes no --comm")

    @unittest.skipUnless(LONG, "for the long run")
    def test_bad_config(self):
        self.assert_refused("parallel.data", n=2, parallel={"data": "two"})

    @unittest.skipUnless(LONG, "for the long run")
    def test_no_such_text(self):
        self.assert_refused("task.file", n=2, task={"kind": "text", "file": "/nowhere"}, parallel={"pipeline": 2})

    @unittest.skipUnless(LONG, "for the long run")
    def test_other_data(self):
        """A machine whose files say something else would compute something else."""
        data = self.path("data")
        shutil.copytree(os.environ["OFFLOAD_LAB_DATA"], data)
        profile = os.path.join(data, "hardware", "a100-pcie4.json")
        with open(profile, encoding="utf-8") as file:
            text = file.read()
        with open(profile, "w", encoding="utf-8") as file:
            file.write(text.replace("80e9", "40e9"))
        script = self.file("other-data.sh", f"""#!/bin/sh
[ "$OMPI_COMM_WORLD_RANK" = 1 ] && export OFFLOAD_LAB_DATA={data}
exec {PROGRAM} "$@"
""")
        os.chmod(script, 0o755)
        self.assert_refused("plans this run otherwise than at rank 0", n=2, program=script,
                            parallel={"pipeline": 2})

    def test_out_of_memory(self):
        hardware = {**CONFIG["hardware"], "gpu_mib": 1}
        config = {**CONFIG, "hardware": hardware, "parallel": {"data": 2, "zero": 1}, **ON_GPU}
        _, err = self.run_ranks(config=config, n=2, status=3)
        _, of_threads = self.cli("run", "-", status=3, stdin=json.dumps(config).encode())
        self.assertIn(of_threads, err)


if __name__ == "__main__":
    if subprocess.run(["sh", "-c", "command -v mpirun"], stdout=subprocess.DEVNULL, check=False).returncode:
        print("skipped: mpirun is missing (package openmpi-bin)")
        sys.exit(77)
    unittest.main()
