# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""A command without a log asks the recorder's socket, at which a program of this test answers. What it shows is the
recorder's, and what it says of a refusal is the recorder's sentence."""
import os
import socket
import struct
import threading
import time

from made import S, Tool, assign, event, group

tool = Tool()
PATH = tool.path("socket")
os.environ["BCOSLOG_SOCKET"] = PATH
LOG = group(cpus=1, processes=((7, "seven"),)) + assign(0, 7, 10 * S) + event("process", 7, 0, 11 * S, "from the recorder")


class Recorder:
    """Gives each who asks this answer, and keeps the last request."""

    def __init__(self, answer):
        self.answer, self.request = answer if isinstance(answer, tuple) else (answer,), b""

    def __enter__(self):
        self.listens = socket.socket(socket.AF_UNIX)
        self.listens.bind(PATH)
        self.listens.listen()
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()
        return self

    def serve(self):
        try:
            while True:
                self.serve_one(self.listens.accept()[0])
        except OSError:
            pass

    def serve_one(self, client):
        with client:
            self.request = client.recv(16, socket.MSG_WAITALL)
            for part in self.answer:
                client.sendall(part)
                time.sleep(0.3 if part is not self.answer[-1] else 0)

    def __exit__(self, *_):
        # This ends accept().
        self.listens.shutdown(socket.SHUT_RDWR)
        self.thread.join(30)
        self.listens.close()
        os.remove(PATH)


def asked(answer, *words):
    with Recorder(answer) as recorder:
        return tool.run(*words), recorder.request


done, request = asked(b"BCOSlog1" + LOG, "text")
tool.check("the recorder's log is shown", done[0] == 0 and "from the recorder" in done[1], str(done))
tool.equal("the request", request, b"BCOSask1" + struct.pack("<II", 0, 0))
done, request = asked(b"BCOSlog1" + LOG, "text", "-f")
tool.check("one that follows asks for what comes", request[8] & 1 and "from the recorder" in done[1], str((request, done)))
done, _ = asked(b"BCOSerr1not you", "text")
tool.check("a refusal is the recorder's sentence", done[0] == 2 and "the recorder refuses: not you" in done[2] and not done[1], str(done))
done, _ = asked(b"BCOSerr1" + b"n" * 5000, "text")
tool.check("of any length", done[0] == 2 and "nnn" in done[2] and len(done[2]) < 1000, str(done))
done, _ = asked(b"BCOSerr1\x1b[31m", "text")
tool.check("and harms no terminal", done[0] == 2 and "\x1b" not in done[2], str(done))
for answer in (b"BCOSlog2" + LOG, b"BCOSerr2text", b"GET / HTTP/1.1\r\n"):
    done, _ = asked(answer, "text")
    tool.check(f"{answer[:8]} is no recorder", done[0] == 2 and PATH in done[2] and "not a recorder of this version" in done[2], str(done))
done, _ = asked(b"BCOSlog1" + LOG[:-3], "text")
tool.check("a log that is cut off is shown, and that is said", done[0] == 1 and "from the recorder" not in done[1] and done[2], str(done))

# The recorded directory ends at 11 s; the recorder sends the rest in two parts. All of it is the log, also of its end.
HOST = event("process", 0, 0xC0000012, 9 * S, "host our")
now = int(time.clock_gettime(time.CLOCK_BOOTTIME)) * S
tool.run("record", "-o", "kept", tool.save("log", group(cpus=1, processes=((7, "seven"),)) + HOST
                                           + event("process", 7, 1, 11 * S, "early")))
part = [event("process", 7, 1, now - 2 * S, "first part"), event("process", 7, 1, now - S, "second part")]
for words in ("text", "--last", "1h"), ("text", "--since", "%d" % (now // S - 10)):
    with Recorder((b"BCOSlog1" + group(cpus=1, processes=((7, "seven"),)) + HOST + part[0], part[1])):
        done = tool.run(*words, BCOSLOG_RECORDED=tool.path("kept"))
    tool.check(" ".join(words) + ": a recorder that sends its log in parts, after a recorded directory",
               done[0] == 0 and "first part" in done[1] and "second part" in done[1], str(done))

# What is damaged before the recorder's first event is damage of the log, though whose log it is was found out before.
for damage in HOST + bytes([255] * 64), bytes([255] * 64):
    with Recorder(b"BCOSlog1" + group(cpus=1, processes=((7, "seven"),)) + damage + group(cpus=1, processes=((7, "seven"),)) + HOST
                  + part[0]):
        done = tool.run("text", "--last", "1h", BCOSLOG_RECORDED=tool.path("kept"))
    tool.check("damage at the beginning of what a recorder sends, after a recorded directory",
               done[0] == 1 and "first part" in done[1] and "damage" in done[2], str(done))

# What was recorded is of another machine: the recorder's log alone is shown, unless that machine is asked for.
OTHER = event("process", 0, 0xC0000012, 9 * S, "host oak")
tool.run("record", "-o", "others", tool.save("log", group(cpus=1, processes=((7, "seven"),)) + OTHER
                                             + event("process", 7, 1, 11 * S, "of the oak")))
OURS = b"BCOSlog1" + group(cpus=1, processes=((7, "seven"),)) + HOST + part[0]
for words in ("text", "--last", "1h"), ("top", "--last", "1h"):
    with Recorder(OURS):
        done = tool.run(*words, BCOSLOG_RECORDED=tool.path("others"))
    tool.check(" ".join(words) + ": what another machine recorded is left out, and that is said",
               done[0] == 0 and ("first part" in done[1] or words[0] == "top") and "of the oak" not in done[1] and
               "others has nothing of this machine, and is left out: --machine reads what it has of oak" in done[2], str(done))
with Recorder(OURS):
    done = tool.run("text", "--machine", "oak", BCOSLOG_RECORDED=tool.path("others"))
tool.check("it is read if it is asked for", done[0] == 0 and "of the oak" in done[1] and "first part" not in done[1] and not done[2],
           str(done))
with Recorder(OURS):
    done = tool.run("text", "--boot", "0", BCOSLOG_RECORDED=tool.path("others"))
tool.check("and no boot of it is taken for one of this machine", done[0] == 2 and "of the oak" not in done[1] and
           "left out" in done[2], str(done))

os.environ["BCOSLOG_SOCKET"] = "x" * 200
done = tool.run("text")
tool.check("a name that no socket can have", done[0] == 2 and "too long" in done[2], str(done))
tool.end()
