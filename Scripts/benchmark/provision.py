"""Provisioning: long plans, one and four readers, and 16 readers in one process."""
import json
import os
import subprocess
import time

from benchmark.simulator import Simulator
from benchmark.tools import TOOL, Workspace, cpu_seconds, measured, megabytes

# The message is one URI of 60 bytes: 22 before the id, 19 for the id, 5 after it, and 14 for the UID.
TEMPLATE = ("--uri", "https://example.com/t/{id}?tag={uid}")

PLANS = [("`provision --dry-run`", "job", "{}"), ("time", "seconds", "{:.2f} s"), ("memory", "megabytes", "{:.1f} MB"),
         ("goal", "goal", "{}")]
DESKS = [
    ("NTAG213, URI of 60 bytes, true times", "job", "{}"),
    ("time", "seconds", "{:.1f} s"),
    ("per tag", "milliseconds_per_tag", "{:.0f} ms"),
    ("exchanges per tag", "exchanges_per_tag", "{:.1f}"),
    ("beyond tags and serial line", "beyond_tags", "{:.1f} %"),
    ("beyond all modelled time", "beyond_modelled", "{:.1f} %"),
    ("times one reader", "speedup", "{:.2f}"),
    ("goal", "goal", "{}"),
]
MANY = [
    ("one process", "job", "{}"),
    ("time", "seconds", "{:.1f} s"),
    ("CPU per tag", "cpu_milliseconds_per_tag", "{:.1f} ms"),
    ("memory at the beginning", "megabytes_first", "{:.1f} MB"),
    ("at the end", "megabytes_last", "{:.1f} MB"),
    ("largest", "megabytes_peak", "{:.1f} MB"),
]


def plan(folder, count):
    path = f"{folder}/plan-{count}.csv"
    with open(path, "w") as file:
        file.write("id\n")
        file.writelines(f"{number:019}\n" for number in range(1, count + 1))
    return path


def checks(sizes):
    for count in sizes:
        with Workspace() as folder:
            usage = measured(TOOL, "provision", plan(folder, count), *TEMPLATE, "--dry-run", "--json")
        yield {
            "job": f"{count:,} rows", "rows": count, "seconds": usage.seconds, "megabytes": usage.megabytes,
            "goal": "≤ 20 s, ≤ 150 MB" if count == 10**6 else None,
        }


class Desk:
    """Virtual readers, each with a stream of tags, which removes a tag when its row is reported."""

    def __init__(self, readers, tags, latency):
        self.simulators = {}
        for number in range(readers):
            # Tags leave only when they are removed.
            spec = f"ntag213*{tags}?stream&dwell=86400s&latency={latency}&serial={1 + number * tags}"
            simulator = Simulator(spec)
            self.simulators[simulator.connection] = simulator
        self.rows = readers * tags

    def provision(self, folder, watch=lambda number, process: None):
        """Seconds from the opening of the first reader to the last row. `watch` is called after each row."""
        arguments = [TOOL, "provision", plan(folder, self.rows), *TEMPLATE, "--json", "--timeout", "10s"]
        for connection in self.simulators:
            arguments += ["--reader", connection]
        tool = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)
        start, number = None, 0
        for line in tool.stdout:
            event = json.loads(line)
            if event["event"] == "reader" and start is None:
                start = time.perf_counter()
            elif event["event"] == "row":
                number += 1
                end = time.perf_counter()
                watch(number, tool.pid)
                self.simulators[event["reader"]].ask("remove")
        _, status, usage = os.wait4(tool.pid, 0)
        tool.returncode = os.waitstatus_to_exitcode(status)
        assert tool.returncode == 0 and number == self.rows, (tool.returncode, number)
        return end - start, usage.ru_utime + usage.ru_stime

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for simulator in self.simulators.values():
            simulator.__exit__()


def desks(count):
    with Workspace() as folder, Desk(1, count, "real") as desk:
        alone, _ = desk.provision(folder)
        (stats,) = (simulator.stats() for simulator in desk.simulators.values())
    # Every program needs the serial line for its exchanges, so the time of the line does not count as overhead.
    tags = (stats["tagMicroseconds"] + stats["lineMicroseconds"]) / 1e6
    modelled = stats["modelledMicroseconds"] / 1e6
    yield {
        "job": f"1 reader, {count} tags", "seconds": alone, "milliseconds_per_tag": alone / count * 1000,
        "exchanges_per_tag": stats["exchanges"] / count, "beyond_tags": (alone / tags - 1) * 100,
        "beyond_modelled": (alone / modelled - 1) * 100,
        "goal": "≤ 15 %",
    }
    with Workspace() as folder, Desk(4, count // 4, "real") as desk:
        together, _ = desk.provision(folder)
    yield {
        "job": f"4 readers, {count // 4} tags each", "seconds": together, "milliseconds_per_tag": together / count * 1000,
        "speedup": alone / together, "goal": "≥ 3.6 times one reader",
    }


def many(readers, tags):
    """Memory of nfctool and its readers' processes, after the first twentieth of the tags, then about once a second."""
    samples = []
    last = 0.0

    def watch(number, process):
        nonlocal last
        now = time.perf_counter()
        if number == desk.rows or number >= desk.rows // 20 and now - last >= 1:
            samples.append({"tags": number, "megabytes": megabytes(process)})
            # Reading the memory also takes time.
            last = time.perf_counter()

    with Workspace() as folder, Desk(readers, tags, "none") as desk:
        seconds, used = desk.provision(folder, watch)
    sizes = [sample["megabytes"] for sample in samples]
    yield {
        "job": f"{readers} readers, {tags} tags each", "seconds": seconds, "cpu_milliseconds_per_tag": used / desk.rows * 1000,
        "megabytes_first": sizes[0], "megabytes_last": sizes[-1], "megabytes_peak": max(sizes), "samples": samples,
    }


def measure(report, is_small):
    report.heading("Provisioning")
    sizes = [10**3, 10**4] if is_small else [10**3, 10**4, 10**5, 10**6]
    report.table("plans", PLANS, checks(sizes))
    report.table("provision", DESKS, desks(40 if is_small else 1000))


def measure_many(report, is_small):
    report.heading("Sixteen readers in one process")
    report.table("readers", MANY, many(16, 20 if is_small else 1000))
