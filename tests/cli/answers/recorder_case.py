# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""A recorder finds out what is in its way before it loads programs, and removes nothing that is not its own."""
import contextlib
import fcntl
import os
import socket
import struct
import subprocess
import threading
import time

from made import S, Tool, event, group, wall_clock

tool = Tool()
SOCKET = tool.path("socket")


def record(*words):
    """Records as a process that may load no programs, so that a recorder which loads them first complains of that."""
    drop = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] if not os.geteuid() else []
    done = subprocess.run([*drop, tool.program, "--engine", "bpf", "record", *words], capture_output=True, text=True,
                          timeout=60, cwd=tool.folder, check=False)
    return done.returncode, done.stderr.removeprefix("bcoslog: ").strip()


other = socket.socket(socket.AF_UNIX)
other.bind(SOCKET)
other.listen(1)
answers = f"another recorder runs already, and answers at {SOCKET}"
tool.equal("another recorder answers", record("--memory", "--socket", SOCKET), (2, answers))
tool.equal("it is asked before the directory is made", record("-o", "none", "--socket", SOCKET), (2, answers))
tool.check("and there is none", not os.path.exists(tool.path("none")))
waiting = []
for _ in range(8):
    client = socket.socket(socket.AF_UNIX)
    client.setblocking(False)
    waiting.append(client)
    if client.connect_ex(SOCKET):
        break
tool.equal("it is stopped, and its queue is full", record("--memory", "--socket", SOCKET), (2, answers))
other.close()


@contextlib.contextmanager
def listening(serve, *arguments):
    """Has a thread serve whoever connects to the socket. A connection that sends nothing asks it to end."""
    os.unlink(SOCKET)
    with socket.socket(socket.AF_UNIX) as own:
        own.bind(SOCKET)
        own.listen(8)
        thread = threading.Thread(target=serve, args=(own, *arguments))
        thread.start()
        try:
            yield
        finally:
            with socket.socket(socket.AF_UNIX) as end:
                end.connect(SOCKET)
            thread.join()


# A recorder of an earlier version knows no request for the newest group.
def earlier(own, asked):
    """Answer as it does, until a request without that flag comes."""
    while not asked or asked[-1] & 2:
        with own.accept()[0] as client:
            word, flags, _ = struct.unpack("<8sII", client.recv(16, socket.MSG_WAITALL))
            asked.append(flags)
            client.sendall(b"BCOSerr1this is not what this version of bcoslog asks" if flags & ~1 else
                           b"BCOSlog1" + group() + event("process", 10, 1, 5 * S, "hello"))


asked = []
with listening(earlier, asked), \
     subprocess.Popen([tool.program, "--engine", "bpf", "serve"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                      env=dict(os.environ, BCOSLOG_SOCKET=SOCKET)) as serve:
    address = serve.stdout.readline()
    serve.terminate()
    said = serve.stderr.read()
tool.check("its log is shown all the same", "token=" in address, (address, said))
tool.equal("it was asked for its newest group first", asked, [3, 1])
tool.check("and a sentence tells what that means",
           "of an earlier version" in said and "what is shown first is the past" in said, said)

# The clock of the machine was set while the recorder ran: times of the wall clock are those that it showed.
boot = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
began, was = boot - 100 * S, 1700000000 * S     # 2023-11-14 22:13:20
log = group(since=began) + wall_clock(began, was)
for second in range(50):
    log += event("process", 10, 1, began + second * S, "mark %d" % second)
log += wall_clock(began + 50 * S, time.time_ns() - 50 * S)
for second in range(50, 100):
    log += event("process", 10, 1, began + second * S, "mark %d" % second)


def recorder(own, log):
    """Answers each request with this log."""
    while True:
        client, _ = own.accept()
        with client:
            if client.recv(16, socket.MSG_WAITALL) == b"":
                return
            client.sendall(b"BCOSlog1")
            for at in range(0, len(log), 1000):
                client.sendall(log[at:at + 1000])


with listening(recorder, log):
    status, shown, said = tool.run("--engine", "bpf", "text", "--since", "2023-11-14 22:13:29.5", "--until", "2023-11-14 22:13:32.5",
                                   BCOSLOG_SOCKET=SOCKET)
    tool.equal("a window before the clock was set", [n for n in range(100) if "mark %d\n" % n in shown], [10, 11, 12])
    late = time.strftime("%F %T", time.gmtime(time.time() - 20))
    status, shown, said = tool.run("--engine", "bpf", "text", "--since", late, BCOSLOG_SOCKET=SOCKET)
    marks = [n for n in range(100) if "mark %d\n" % n in shown]
    tool.check("a window after it", marks and 76 <= marks[0] <= 82 and marks[-1] == 99, (status, marks, said))

# --last 0 begins at the present: only what comes later is shown. The directory has the log of an unknown machine, which is not
# taken for the past of this one.
now = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
log = group(since=began) + wall_clock(began, time.time_ns() - (now - began)) + event("process", 10, 1, now - S, "before") + \
    event("process", 10, 1, now + 600 * S, "after")
os.makedirs(tool.path("past"))
tool.run("record", "-o", tool.path("past"), tool.save("past.bcos", group() + event("process", 10, 1, 5 * S, "past")))
with listening(recorder, log):
    for last, expected in (("0", ["after"]), ("0s", ["after"]), ("60s", ["before", "after"])):
        shown = tool.run("--engine", "bpf", "text", "-f", "--last", last, BCOSLOG_SOCKET=SOCKET,
                         BCOSLOG_RECORDED=tool.path("past"))[1]
        tool.equal("what --last %s shows" % last, [word for word in ("past", "before", "after") if word + "\n" in shown], expected)

# The lock of a directory is that of the machine's recordings in it.
status, said = record("-o", "kept", "--socket", "")
locks = [name for name in os.listdir(tool.path("kept")) if name.endswith(".lock")]
tool.check("the lock is there before programs are loaded", status == 2 and len(locks) == 1, (status, said, locks))
if locks:
    with open(tool.path(os.path.join("kept", locks[0])), "r+b") as lock:
        fcntl.lockf(lock, fcntl.LOCK_EX)
        tool.equal("somebody has it", record("-o", "kept", "--socket", ""),
                   (2, "somebody records into kept already: end that, or name another directory"))
tool.end()
