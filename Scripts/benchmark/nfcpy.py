"""nfcpy on the virtual chip. It raises the speed of the serial line to 921,600 baud by itself."""
import subprocess

from benchmark.tools import run

OPEN = """
import sys, nfc, nfc.clf.transport, nfc.clf.pn532, nfc.tag
clf = nfc.ContactlessFrontend()
clf.device = nfc.clf.pn532.init(nfc.clf.transport.TTY(sys.argv[1]))
"""

JOB = OPEN + """
action, message = sys.argv[2:]
targets = [nfc.clf.RemoteTarget(name) for name in ("106A", "106B", "212F")]
tag = nfc.tag.activate(clf, clf.sense(*targets, iterations=10, interval=0.1))
if action == "read":
    assert tag.ndef.octets == open(message, "rb").read()
elif action == "format":
    assert tag.format() is True
else:
    tag.ndef.octets = open(message, "rb").read()
clf.close()
"""

# One line for each tag, after its message was read.
SCAN = OPEN + """
def connected(tag):
    assert tag.ndef is not None
    print(tag.identifier.hex().upper(), flush=True)
    return True
while clf.connect(rdwr={"on-connect": connected}): pass
"""


def can(action, kind):
    """Whether nfcpy can do a job: it does not support MIFARE Classic, and formats only the tags listed here."""
    if kind.type == "classic":
        return False
    return action != "format" or kind.name in ("topaz96", "topaz512", "felica-lite-s")


def do(python, simulator, action, message):
    """Does a job, from opening the reader to closing it."""
    run(python, "-c", JOB, simulator.port, action, message)


def scan(python, simulator):
    """A running program that prints the UID of each tag after reading its message."""
    return subprocess.Popen([python, "-c", SCAN, simulator.port], stdout=subprocess.PIPE, text=True)
