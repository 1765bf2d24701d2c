"""`nfctool simulate` with its control socket, and the costs that the virtual chip counts."""
import collections
import os
import socket
import subprocess
import tempfile

from benchmark.tools import TOOL

# Milliseconds. `line` is the part of `total` on the serial line. `limit` is the time on the air and in the tag's memory plus
# one turnaround for each exchange in which a tag answered. The `work` begins after the exchange that activated the tag.
Cost = collections.namedtuple("Cost", "total line work work_line limit exchanges work_exchanges tag_exchanges rf_bytes")


class Simulator:
    def __init__(self, tags):
        self.folder = tempfile.mkdtemp(prefix="nfctool-bench-")
        self.control = f"{self.folder}/control"
        arguments = [TOOL, "simulate", "--tag", tags, "--control", self.control]
        self.process = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)
        self.connection = self.process.stdout.readline().strip()
        self.port = self.connection.partition(":")[2]
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(self.control)
        self.lines = self.socket.makefile("r")

    def ask(self, command):
        self.socket.sendall(f"{command}\n".encode())
        answer = self.lines.readline().strip()
        if not answer.startswith("ok"):
            raise SystemExit(f"{command}: {answer}")
        return answer.split()[1:]

    def stats(self):
        return {key: int(value) for key, value in (word.split("=") for word in self.ask("stats"))}

    def cost(self):
        """The cost of all exchanges since the last `reset`."""
        stats = self.stats()
        total, line, tag = (stats[f"{part}Microseconds"] / 1000 for part in ("modelled", "line", "tag"))
        opening = [stats[f"opening{part}Microseconds"] / 1000 for part in ("Modelled", "Line", "Tag")]
        return Cost(
            total, line, total - opening[0], line - opening[1], tag - opening[2], stats["exchanges"],
            stats["exchanges"] - stats["openingExchanges"], stats["tagExchanges"],
            stats["rfBytesSent"] + stats["rfBytesReceived"],
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()
        self.lines.close()
        self.socket.close()
        if os.path.exists(self.control):
            os.unlink(self.control)
        os.rmdir(self.folder)
