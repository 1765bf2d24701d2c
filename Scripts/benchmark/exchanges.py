"""Exchanges after activation with a PN532, and APDUs with virtual PC/SC readers."""
import collections

from benchmark import jobs
from benchmark.jobs import Messages, with_nfcpy, with_nfctool
from benchmark.tools import PRODUCTS, Workspace, run

# Goals for reading, writing over a message of the same length, and writing with one byte changed.
Goals = collections.namedtuple("Goals", "kind length read rewrite change")
JOBS = [
    Goals("ntag216", 800, 8, 215, 12),
    Goals("type4", 800, 9, 12, None),
    Goals("felica-lite-s-ndef", 208, 6, 24, None),
    Goals("type3", 800, None, None, None),
    Goals("topaz96", 90, None, None, None),
    Goals("topaz512", 460, 70, 90, None),
    Goals("classic1k-ndef", 716, 75, None, None),
]

CHIP = [
    ("exchanges after activation", "job", "{}"), ("nfctool, with the tag", "nfctool_tag", "{}"), ("goal", "goal", "≤ {}"),
    ("nfctool, all", "nfctool", "{}"), ("nfcpy, all", "nfcpy", "{}"),
]


def measure(report, python):
    report.heading("Exchanges after activation")
    report.table("exchanges", CHIP, with_chip(python))
    report.heading("APDUs with PC/SC readers: measured/minimum")
    rows = with_smart_card_readers()
    models = [key for key in rows[0] if key != "job"]
    report.table("apdus", [("job", "job", "{}")] + [(model, model, "{}") for model in models], rows)


def with_chip(python):
    # The 8-byte commands of a Topaz 512 use the chip's registers, and so does opening the reader. To separate them, the
    # exchanges with a Topaz 96 that are not for the tag are subtracted from the total.
    others = {}
    for job in JOBS:
        kind = jobs.Kind(job.kind, "classic" if job.kind.startswith("classic") else "", job.length, job.kind, None)
        with Workspace() as folder:
            messages = Messages(folder, job.length)
            for action, goal in (("read", job.read), ("rewrite", job.rewrite), ("change", job.change)):
                if action == "change" and goal is None:
                    continue
                if action == "change":
                    messages.new = messages.changed
                ours, _ = with_nfctool(kind, action, messages, folder)
                theirs = with_nfcpy(python, kind, action, messages)
                with_tag = ours.tag_exchanges
                if job.kind == "topaz96":
                    others[action] = ours.exchanges - with_tag
                elif job.kind == "topaz512":
                    with_tag = ours.exchanges - others[action]
                name = "change one byte of" if action == "change" else action
                yield {
                    "job": f"{name} {job.length} B, {job.kind}", "nfctool_tag": with_tag, "goal": goal,
                    "nfctool": ours.work_exchanges, "nfcpy": theirs.work_exchanges if theirs else None,
                }


def with_smart_card_readers():
    rows = {}
    for line in run(PRODUCTS / "APDUBenchmark").splitlines():
        model, kind, length, *costs = line.split()
        reads, fewest_reads, writes, fewest_writes = costs if len(costs) == 4 else (None,) * 4
        for action, count, fewest in (("read", reads, fewest_reads), ("write", writes, fewest_writes)):
            job = f"{action} {length} B, {kind}"
            rows.setdefault(job, {"job": job})[model] = f"{count}/{fewest}" if count else None
    return list(rows.values())
