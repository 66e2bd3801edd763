"""The lines of the benches, one object each."""
import json
import os
import shutil
import unittest

from lab_cli import CliTest


KINDS = ("all-reduce", "reduce-scatter", "all-gather", "broadcast", "send")
LONG = unittest.skipUnless(os.environ.get("OFFLOAD_LAB_LONG"), "takes long: with --long")


class Bench(CliTest):
    """What the lines are: how near they get is for whoever runs them on an idle machine."""

    def lines(self, name):
        out, _ = self.cli("bench", name)
        lines = [json.loads(line) for line in out.splitlines()]
        for line in lines:
            self.assertEqual(line["bench"], name)
            self.assertIn(line["limit_is"], ("measured", "target"))
            self.assertGreater(line["value"], 0)
            self.assertGreater(line["limit"], 0)
            self.assertAlmostEqual(line["ratio"], line["limit"] / line["value"], delta=0.01 * line["ratio"])
        return {line["case"]: line for line in lines}

    @LONG
    def test_adam_lines(self):
        lines = self.lines("adam")
        self.assertEqual(list(lines), [
            "1M fused 1 thread", "1M fused 2 threads", "10M fused 1 thread", "10M fused 2 threads",
            "50M fused 1 thread", "50M fused vs three passes 1 thread",
            "50M fused vs three on huge pages 1 thread", "50M fused 2 threads",
            "50M fused vs three passes 2 threads", "50M fused vs three on huge pages 2 threads"])
        for case, line in lines.items():
            self.assertEqual(line["unit"], "ns/parameter")
            self.assertEqual(line["limit_is"], "target" if "three" in case else "measured")
            self.assertEqual(line["bytes"], 28_000_000 * int(case.split("M")[0]))

    @LONG
    def test_comm_lines(self):
        cases = [f"{kind} {size} {ranks} ranks" for size in ("1 KiB", "1 MiB", "64 MiB")
                 for ranks in (2, 4) for kind in KINDS]
        against = [f"{kind} {size} {ranks} ranks vs openmpi" for ranks in (2, 4)
                   for size in ("1 KiB", "1 MiB", "64 MiB") for kind in KINDS]
        self.assertEqual(list(self.lines("comm")),
                         cases + (against if shutil.which("mpirun") else []))

    def test_copy_lines(self):
        self.assertEqual(list(self.lines("copy")), [
            f"{way} pinned {size} MiB" for size in (16, 256) for way in ("host to GPU", "GPU to host")])

    def test_step_lines(self):
        self.assertEqual(list(self.lines("step")),
                         ["4 layers of 256, 1 thread", "4 layers of 256, 2 threads"])

    def test_plan_lines(self):
        lines = self.lines("plan")
        self.assertEqual(list(lines)[:2], ["10000 nodes", "100000 nodes"])
        for nodes in (10_000, 100_000):
            limit = lines[f"{nodes} nodes"]["limit"]  # 10 µs a node: it tells how many there were
            self.assertAlmostEqual(limit / 1e-5 / nodes, 1, delta=0.35)

    @LONG
    def test_draw_lines(self):
        lines = self.lines("draw")
        frames = ["first", "pan", "zoom", "hover"]
        expected = [f"{n} spans {frame}" for n in (1000, 10000, 100000) for frame in frames]
        expected += [f"1000000 spans {what}" for what in ["load", "memory"] + frames]
        expected += [f"{frame} of 1000000 spans against 10000" for frame in frames]
        self.assertEqual(list(lines), expected)
        for case, line in lines.items():
            self.assertEqual(line["limit_is"], "target")
            unit = {"load": "s", "memory": "B/span", "10000": "times"}.get(case.split()[-1], "ms/frame")
            self.assertEqual(line["unit"], unit)
        self.assertEqual(lines["1000000 spans memory"]["limit"], 64)

    def test_overhead_lines(self):
        lines = self.lines("overhead")
        self.assertEqual(list(lines), ["a node", "recording a step"])
        self.assertEqual(lines["a node"]["limit"], 2e-5)


if __name__ == "__main__":
    unittest.main()
