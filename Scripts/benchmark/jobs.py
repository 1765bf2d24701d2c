"""The measured kinds of tag, messages, and jobs: read, write, rewrite and format, with nfctool and with nfcpy."""
import collections
import os
import pathlib

from benchmark import nfcpy
from benchmark.simulator import Simulator
from benchmark.tools import TOOL, Workspace, measured, run

# `blank` is the kind before `nfctool format`. If `prepared` is None, the tag is made from `blank` with this command.
Kind = collections.namedtuple("Kind", "name type length prepared blank")

# A PN532 does not support Type 5 Tags (ISO 15693).
KINDS = [
    Kind("topaz96", "1", 90, "topaz96", "topaz96-blank"),
    Kind("topaz512", "1", 460, "topaz512", "topaz512-blank"),
    Kind("ultralight", "2", 46, None, "ultralight"),
    Kind("ntag216", "2", 800, "ntag216", None),
    Kind("felica-lite-s", "3", 208, "felica-lite-s-ndef", "felica-lite-s"),
    Kind("type3", "3", 800, "type3", None),
    Kind("type4", "4", 800, "type4", None),
    Kind("type4b", "4", 800, "type4b", None),
    Kind("ntag424", "4", 250, "ntag424", None),
    Kind("desfire", "4", 800, None, "desfire"),
    Kind("classic1k", "classic", 716, "classic1k-ndef", "classic1k"),
]
ACTIONS = ("read", "write", "rewrite", "format")


def encoded(folder, name, letter, length):
    """A file with one text record, `length` bytes long in total."""
    path = f"{folder}/{name}"
    head = 7 if length - 4 < 256 + 3 else 10
    run(TOOL, "ndef", "encode", "--text", letter * (length - head), "--output", path, "--overwrite")
    assert os.path.getsize(path) == length, os.path.getsize(path)
    return path


class Messages:
    """Two messages of one length, and a third that differs from the first in one byte."""

    def __init__(self, folder, length):
        self.old = encoded(folder, "old", "a", length)
        self.new = encoded(folder, "new", "b", length)
        self.changed = f"{folder}/changed"
        octets = bytearray(pathlib.Path(self.old).read_bytes())
        octets[length // 2] ^= 1
        pathlib.Path(self.changed).write_bytes(octets)


def write(simulator, message):
    run(TOOL, "write", "--reader", simulator.connection, "--quiet", "--ndef", f"@{message}")


def prepared(kind, action, messages):
    """A simulator with a tag on which `action` can be done: blank, with an empty message, or with the old message."""
    simulator = Simulator(kind.blank if action == "format" or kind.prepared is None else kind.prepared)
    if action != "format":
        if kind.prepared is None:
            run(TOOL, "format", "--reader", simulator.connection, "--quiet", "--yes")
        if action != "write":
            write(simulator, messages.old)
    simulator.ask("reset")
    return simulator


def check_equal(path, message):
    assert pathlib.Path(path).read_bytes() == pathlib.Path(message).read_bytes(), (path, message)


def command(action, messages, folder):
    """The words after `nfctool` for a job."""
    match action:
        case "read":
            return "read", "--output", f"{folder}/read", "--overwrite"
        case "format":
            return "format", "--yes"
        case _:
            return "write", "--ndef", f"@{messages.new}"


def with_nfctool(kind, action, messages, folder, speed=None, fast=False):
    """The cost of a whole command, from opening the reader to closing it, and its processor time and memory."""
    with prepared(kind, action, messages) as simulator:
        reader = simulator.connection + (f"?speed={speed}" if speed else "")
        options = ["--reader", reader, "--quiet"] + (["--fast"] if fast else [])
        usage = measured(TOOL, *command(action, messages, folder), *options)
        if action == "read":
            check_equal(f"{folder}/read", messages.old)
        return simulator.cost(), usage


def with_nfcpy(python, kind, action, messages):
    """The cost of the same job with nfcpy; None if nfcpy cannot do it."""
    if not nfcpy.can(action, kind):
        return None
    with prepared(kind, action, messages) as simulator:
        message = messages.old if action == "read" else messages.new
        nfcpy.do(python, simulator, action, message)
        return simulator.cost()


def jobs():
    """(Kind, action, title, messages, folder) of each job."""
    for kind in KINDS:
        with Workspace() as folder:
            messages = Messages(folder, kind.length)
            for action in ACTIONS:
                if action != "format":
                    yield kind, action, f"{action} {kind.length} B, {kind.name}", messages, folder
                elif kind.blank:
                    yield kind, action, f"format, {kind.name}", messages, folder
