"""Runs programs, and measures their processor time and memory."""
import collections
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# NFCTOOL_BENCH_TOOL names another program to try this benchmark with.
TOOL = os.environ.get("NFCTOOL_BENCH_TOOL", str(ROOT / ".build/release/nfctool"))
PRODUCTS = pathlib.Path(TOOL).parent
TICK = os.sysconf("SC_CLK_TCK")

Usage = collections.namedtuple("Usage", "seconds cpu_seconds megabytes output")


def run(*arguments, **options):
    return subprocess.run(arguments, check=True, text=True, stdout=subprocess.PIPE, **options).stdout


def measured(*arguments, answers="", environment=None):
    """Runs a program; returns its time, processor time, largest resident memory (with its own processes), and output."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as entered:
        entered.write(answers.encode())
        entered.seek(0)
        start = time.perf_counter()
        process = subprocess.Popen(arguments, stdin=entered, stdout=output, stderr=output, env=environment)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - start
        output.seek(0)
        text = output.read().decode(errors="replace")
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, arguments))}\nended with {process.returncode}:\n{text}")
    return Usage(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, text)


def timed(count, *arguments):
    """The median seconds and largest megabytes of several runs."""
    runs = [measured(*arguments) for _ in range(count)]
    return statistics.median(run.seconds for run in runs), max(run.megabytes for run in runs)


def processes(root):
    """A running process and its descendants."""
    children = collections.defaultdict(list)
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            try:
                fields = pathlib.Path(entry.path, "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            children[int(fields[1])].append(int(entry.name))
    found = [root]
    for process in found:
        found += children[process]
    return found


def cpu_seconds(root):
    """The processor time so far of a running process and its running descendants."""
    total = 0
    for process in processes(root):
        try:
            fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        total += int(fields[11]) + int(fields[12])
    return total / TICK


def megabytes(root):
    """The memory of a running process and its descendants; shared pages count once (PSS)."""
    total = 0
    for process in processes(root):
        try:
            lines = pathlib.Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1024


class Workspace:
    """A temporary folder, in which nfctool also keeps its state."""

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="nfctool-bench-")
        self.saved = os.environ.get("XDG_STATE_HOME")
        os.environ["XDG_STATE_HOME"] = f"{self.folder}/state"
        return self.folder

    def __exit__(self, *_):
        if self.saved is None:
            del os.environ["XDG_STATE_HOME"]
        else:
            os.environ["XDG_STATE_HOME"] = self.saved
        shutil.rmtree(self.folder)
