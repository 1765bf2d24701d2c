"""`nfctool scan` and nfcpy's `connect`: 100 tags one after the other, the time until each is reported, and idle work."""
import json
import random
import statistics
import subprocess
import threading
import time

from benchmark import nfcpy
from benchmark.simulator import Simulator
from benchmark.tools import TOOL, Workspace, cpu_seconds

LATENCY = [
    ("tags, one after the other", "job", "{}"),
    ("median", "median", "{:.0f} ms"),
    ("p95", "p95", "{:.0f} ms"),
    ("CPU per tag", "cpu_milliseconds", "{:.1f} ms"),
    ("exchanges per tag", "exchanges", "{:.0f}"),
    ("nfcpy, median", "nfcpy_median", "{:.0f} ms"),
    ("p95", "nfcpy_p95", "{:.0f} ms"),
    ("CPU per tag", "nfcpy_cpu_milliseconds", "{:.1f} ms"),
]
IDLE = [
    ("`scan` without an event", "job", "{}"),
    ("CPU", "cpu_percent", "{:.2f} %"),
    ("exchanges per second", "exchanges_per_second", "{:.1f}"),
    ("frames on the air per second", "rf_frames_per_second", "{:.1f}"),
]
# The time between two tags, in seconds: random, so that tags arrive at all moments between two polls.
PAUSE = (0.3, 0.8)


class Scan:
    """A running `nfctool scan`, whose reports of tags are counted."""

    def __init__(self, simulator):
        arguments = [TOOL, "scan", "--reader", simulator.connection, "--json"]
        self.process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def is_report(self, line):
        return json.loads(line).get("event") == "tag"


class Connect:
    """nfcpy's loop, which prints one line for each tag."""

    def __init__(self, python, simulator):
        self.process = nfcpy.scan(python, simulator)

    def is_report(self, line):
        return True


class Reports:
    """Reads the lines of a program on a thread, and waits for reports of tags."""

    def __init__(self, program):
        self.program = program
        self.count = 0
        self.arrived = threading.Condition()
        self.time = 0.0
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.program.process.stdout:
            now = time.perf_counter()
            if self.program.is_report(line):
                with self.arrived:
                    self.count, self.time = self.count + 1, now
                    self.arrived.notify()

    def wait(self, count):
        """The time of report number `count`."""
        with self.arrived:
            if not self.arrived.wait_for(lambda: self.count >= count, timeout=30):
                raise SystemExit(f"No report of tag {count} within 30 s")
            return self.time


def empty_reader():
    """A virtual reader with true times and nothing in its field.

    Tags answer as soon as the field is on. With the time that they need to power up, nfcpy finds none on the virtual chip.
    """
    simulator = Simulator("ntag213?latency=real&powerup=off")
    simulator.ask("remove")
    return simulator


def end(process):
    process.terminate()
    process.wait()
    process.stdout.close()


def arrivals(simulator, program, spec, count):
    """Places tags one after the other; returns the times until they were reported."""
    process = program.process
    reports = Reports(program)
    moments = random.Random(1)
    milliseconds = []
    try:
        # Opening the reader and the first tag are not counted.
        simulator.ask(f"place {spec}")
        reports.wait(1)
        simulator.ask("remove")
        time.sleep(1)
        simulator.ask("reset")
        used = cpu_seconds(process.pid)
        for number in range(count):
            time.sleep(moments.uniform(*PAUSE))
            simulator.ask(f"place {spec}")
            start = time.perf_counter()
            milliseconds.append((reports.wait(number + 2) - start) * 1000)
            simulator.ask("remove")
        used = cpu_seconds(process.pid) - used
        exchanges = simulator.cost().exchanges
    finally:
        end(process)
    return {
        "median": statistics.median(milliseconds), "p95": statistics.quantiles(milliseconds, n=20)[-1],
        "cpu_milliseconds": used / count * 1000, "exchanges": exchanges / count, "milliseconds": milliseconds,
    }


def latencies(python, count):
    for spec, has_nfcpy in (
        ("topaz96", True), ("ntag213", True), ("type3", True), ("type4", True), ("classic1k-ndef", False)
    ):
        with Workspace(), empty_reader() as simulator:
            row = {"job": f"{count} × {spec}", **arrivals(simulator, Scan(simulator), spec, count)}
        if has_nfcpy:
            with empty_reader() as simulator:
                theirs = arrivals(simulator, Connect(python, simulator), spec, count)
            row |= {f"nfcpy_{name}": value for name, value in theirs.items()}
        yield row


def idle(seconds):
    for job, tag in (("no tag in the field", None), ("a tag stays in the field", "ntag213")):
        with Workspace(), empty_reader() as simulator:
            program = Scan(simulator)
            try:
                if tag:
                    simulator.ask(f"place {tag}")
                time.sleep(3)
                simulator.ask("reset")
                start, used = time.perf_counter(), cpu_seconds(program.process.pid)
                time.sleep(seconds)
                used, stats = cpu_seconds(program.process.pid) - used, simulator.stats()
                passed = time.perf_counter() - start
            finally:
                end(program.process)
            yield {
                "job": job, "cpu_percent": used / passed * 100, "exchanges_per_second": stats["exchanges"] / passed,
                "rf_frames_per_second": stats["rfFrames"] / passed,
            }


def measure(report, python, is_small):
    report.heading("Scanning many tags")
    report.table("scan", LATENCY, latencies(python, 10 if is_small else 100))
    report.table("idle", IDLE, idle(10 if is_small else 60))
