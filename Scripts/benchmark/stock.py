"""The programs of libnfc and libfreefare on the same virtual chip."""
import collections
import os

from benchmark.jobs import Messages, check_equal
from benchmark.simulator import Simulator
from benchmark.tools import TOOL, Workspace, measured

# `before` prepares the tag with nfctool; `ours` are the nfctool commands for the same job. {old} and {new} are messages, {out} is
# the file to write, {dump} the dump that `before` made. `answers` are for the program's questions.
Job = collections.namedtuple("Job", "title kind length before ours theirs answers check", defaults=("", None))

WRITE = "write --ndef @{old}"
SAVE = "dump --overwrite {dump}"
JOBS = [
    Job("dump, topaz96", "topaz96", 90, [WRITE], ["dump --overwrite {out}"], "nfc-jewel r {out}"),
    Job("restore 90 B, topaz96", "topaz96", 90, [WRITE, SAVE, "erase --yes"], ["restore --yes {dump}"],
        "nfc-jewel w {dump}", "n\nn\n"),
    Job("dump, ntag216", "ntag216", 800, [WRITE], ["dump --overwrite {out}"], "nfc-mfultralight r {out}"),
    Job("restore 800 B, ntag216", "ntag216", 800, [WRITE, SAVE, "erase --yes", "write --ndef @{new}"],
        ["restore --yes {dump}"], "nfc-mfultralight w {dump}", "n\nn\nn\nn\n"),
    # nfc-read-forum-tag3 returns wrong bytes after the first 12 blocks.
    Job("read 180 B, type3", "type3", 180, [WRITE], ["read --overwrite --output {out}"],
        "nfc-read-forum-tag3 -q -o {out}", "", "old"),
    Job("format, desfire", "desfire", 800, [], ["format --yes"], "mifare-desfire-create-ndef -y"),
    Job("write 800 B, desfire", "desfire", 800, ["format --yes"], ["write --ndef @{new}"],
        "mifare-desfire-write-ndef -y -i {new}"),
    Job("read 800 B, desfire", "desfire", 800, ["format --yes", WRITE], ["read --overwrite --output {out}"],
        "mifare-desfire-read-ndef -y -o {out}", "", "old"),
    Job("format and write 700 B, classic1k", "classic1k", 700, [], ["format --yes", "write --ndef @{new}"],
        "mifare-classic-write-ndef -y -i {new}"),
    Job("read 700 B, classic1k", "classic1k-ndef", 700, [WRITE], ["read --overwrite --output {out}"],
        "mifare-classic-read-ndef -y -o {out}", "", "old"),
    Job("factory state, classic1k", "classic1k-ndef", 700, [WRITE], ["format --factory --yes"],
        "mifare-classic-format -y"),
    Job("dump, classic1k", "classic1k", 700, [], ["dump --overwrite {out}"], "nfc-mfclassic r a u {out}"),
]

COLUMNS = [
    ("job, 115,200 baud", "job", "{}"),
    ("nfctool", "total", "{:.0f} ms"),
    ("work", "work", "{:.0f} ms"),
    ("other program", "program", "{}"),
    ("its time", "other_total", "{:.0f} ms"),
    ("its work", "other_work", "{:.0f} ms"),
    ("other / nfctool", "other_ratio", "{:.1f}"),
]


def added(first, second):
    return type(first)(*(a + b for a, b in zip(first, second)))


def measure(report):
    report.heading("Programs of libnfc and libfreefare")
    report.table("stock", COLUMNS, rows())


def rows():
    for job in JOBS:
        with Workspace() as folder:
            messages = Messages(folder, job.length)
            # nfc-mfultralight and nfc-mfclassic write .mfd files, nfc-jewel .jwd files; all are the memory in binary.
            files = {"old": messages.old, "new": messages.new, "out": f"{folder}/out.mfd", "dump": f"{folder}/dump.mfd"}

            def words(line):
                return [word.format_map(files) for word in line.split()]

            def tool(simulator, line):
                measured(TOOL, *words(line), "--reader", simulator.connection, "--quiet")

            def check():
                if job.check:
                    check_equal(files["out"], files[job.check])
                if os.path.exists(files["out"]):
                    os.unlink(files["out"])

            ours = None
            with Simulator(job.kind) as simulator:
                for line in job.before:
                    tool(simulator, line)
                for line in job.ours:
                    simulator.ask("reset")
                    tool(simulator, line)
                    cost = simulator.cost()
                    ours = added(ours, cost) if ours else cost
                check()
            with Simulator(job.kind) as simulator:
                for line in job.before:
                    tool(simulator, line)
                simulator.ask("reset")
                program = words(job.theirs)
                measured(*program, answers=job.answers, environment=os.environ | {"LIBNFC_DEVICE": simulator.connection})
                theirs = simulator.cost()
                check()
            yield {
                "job": job.title, **ours._asdict(), "program": program[0], "other_ratio": theirs.total / ours.total,
                **{f"other_{name}": value for name, value in theirs._asdict().items()},
            }
