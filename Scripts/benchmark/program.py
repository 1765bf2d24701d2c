"""The program itself: decoding, start-up, memory; and the journals of stations."""
import subprocess

from benchmark.tools import PRODUCTS, TOOL, run, timed

BINARY = [("command", "job", "{}"), ("time", "milliseconds", "{:.1f} ms"), ("memory", "megabytes", "{:.1f} MB"),
          ("goal", "goal", "{}")]


def measure_decoder(report):
    report.heading("Decoder, a message of 1 MiB")
    output = run(PRODUCTS / "DecoderBenchmark")
    report.figures["decoder"] = output.splitlines()
    report.text(f"```\n{output}```")


def commands():
    for count, words, goal in (
        (30, ("--help",), "≤ 10 ms"), (10, ("read", "--reader", "virtual"), "≤ 500 ms, ≤ 40 MB"),
    ):
        seconds, peak = timed(count, TOOL, *words)
        yield {"job": f"nfctool {' '.join(words)}", "milliseconds": seconds * 1000, "megabytes": peak, "goal": goal}


def measure_binary(report):
    report.heading("The program")
    report.table("binary", BINARY, commands())


def measure_journal(report, is_small):
    """One plan with different numbers of stations in PostgreSQL, and a long plan in both journals; uses a private server."""
    for words in (("curve", 2000, 1, 8), ("plans", 10**4)) if is_small else (("curve",), ("plans",)):
        report.heading(f"Journal: {words[0]}")
        print(flush=True)
        report.figures[f"journal_{words[0]}"] = lines = []
        benchmark = subprocess.Popen([PRODUCTS / "JournalBenchmark", *map(str, words)], stdout=subprocess.PIPE, text=True)
        for line in benchmark.stdout:
            print(line, end="", flush=True)
            lines.append(line.rstrip())
        assert benchmark.wait() == 0, words
