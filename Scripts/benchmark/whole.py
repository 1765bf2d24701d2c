"""Whole commands: modelled time with nfctool at two speeds of the serial line, and with nfcpy."""
from benchmark import jobs

SPEED = 921600
MILLISECONDS = "{:.0f} ms"

USUAL = [
    ("whole command, 115,200 baud", "job", "{}"),
    ("nfctool", "total", MILLISECONDS),
    ("serial line", "line", MILLISECONDS),
    ("work", "work", MILLISECONDS),
    ("limit", "limit", MILLISECONDS),
    ("ratio", "ratio", "{:.2f}"),
    ("ratio without the line", "ratio_without_line", "{:.2f}"),
    ("CPU", "cpu_milliseconds", MILLISECONDS),
    ("memory", "megabytes", "{:.0f} MB"),
    ("nfcpy", "nfcpy_total", MILLISECONDS),
    ("nfcpy / nfctool", "nfcpy_ratio", "{:.1f}"),
]
RAISED = [
    ("whole command, 921,600 baud", "job", "{}"),
    ("nfctool", "total", MILLISECONDS),
    ("serial line", "line", MILLISECONDS),
    ("work", "work", MILLISECONDS),
    ("limit", "limit", MILLISECONDS),
    ("ratio", "ratio", "{:.2f}"),
    ("nfcpy", "nfcpy_total", MILLISECONDS),
    ("nfcpy's work", "nfcpy_work", MILLISECONDS),
    ("nfcpy / nfctool", "nfcpy_ratio", "{:.1f}"),
    ("of the work", "nfcpy_work_ratio", "{:.1f}"),
]
FAST = [
    ("Type 4 Tags of type A with `--fast`", "job", "{}"),
    ("106 kbit/s", "total", MILLISECONDS),
    ("`--fast`", "fast_total", MILLISECONDS),
    ("and 921,600 baud", "fast_raised_total", MILLISECONDS),
    ("work", "work", MILLISECONDS),
    ("`--fast`", "fast_work", MILLISECONDS),
    ("and 921,600 baud", "fast_raised_work", MILLISECONDS),
    ("its ratio", "ratio", "{:.2f}"),
]


def row(title, cost):
    """A row of the table, with all figures of the cost."""
    return {
        "job": title, **cost._asdict(), "ratio": cost.work / cost.limit,
        "ratio_without_line": (cost.work - cost.work_line) / cost.limit,
    }


def compared(row, theirs):
    """Adds nfcpy's cost to a row."""
    if theirs:
        row |= {f"nfcpy_{name}": value for name, value in theirs._asdict().items()}
        row |= {"nfcpy_ratio": theirs.total / row["total"], "nfcpy_work_ratio": theirs.work / row["work"]}
    return row


def measure(report, python, is_small):
    report.heading("Whole commands with a PN532")
    raised, fast = [], []

    def usual():
        for kind, action, title, messages, folder in jobs.jobs():
            if is_small and kind.name not in ("ntag216", "type4", "classic1k"):
                continue
            cost, usage = jobs.with_nfctool(kind, action, messages, folder)
            raised_cost, _ = jobs.with_nfctool(kind, action, messages, folder, speed=SPEED)
            theirs = jobs.with_nfcpy(python, kind, action, messages)
            raised.append(compared(row(title, raised_cost), theirs))
            if kind.name in ("type4", "ntag424", "desfire") and action != "format":
                fast_cost, _ = jobs.with_nfctool(kind, action, messages, folder, fast=True)
                both, _ = jobs.with_nfctool(kind, action, messages, folder, speed=SPEED, fast=True)
                fast.append({
                    "job": title, "total": cost.total, "work": cost.work, "fast_total": fast_cost.total,
                    "fast_work": fast_cost.work, "fast_raised_total": both.total, "fast_raised_work": both.work,
                    "ratio": both.work / both.limit,
                })
            usage = {"cpu_milliseconds": usage.cpu_seconds * 1000, "megabytes": usage.megabytes}
            yield compared(row(title, cost) | usage, theirs)

    report.table("whole", USUAL, usual())
    report.table("whole_raised", RAISED, raised)
    report.table("whole_fast", FAST, fast)
