# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Files of a recorded directory that somebody else has made cost a multiple of their size, and a signal ends the reading."""
import os
import signal
import subprocess

from made import MS, S, Tool, event, group

tool = Tool()
EMPTY_FRAME = bytes.fromhex("28b52ffd0058010000")   # a frame of zstd without contents


def bytes_read(pid):
    with open(f"/proc/{pid}/io", encoding="ascii") as file:
        return int(file.readline().split()[1])


def reading(*words, until=None):
    """Return: (exit status, bytes that were read). until: the bytes after which SIGTERM comes."""
    with subprocess.Popen([tool.program, *words], cwd=tool.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
        while until is not None and os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
            if bytes_read(child.pid) > until:
                child.send_signal(signal.SIGTERM)
                until = None
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        read = bytes_read(child.pid)
        return child.wait(60), read


try:
    bytes_read(os.getpid())
except OSError as error:
    print(f"1..0 # SKIP the kernel does not count what is read: {error}")
    raise SystemExit(0) from error

counts = {}
for frames in (10000, 20000):
    tool.save("frames.bcos.zst", EMPTY_FRAME * frames)
    counts[frames] = reading("check", "frames.bcos.zst")[1]
tool.check("twice as many tiny frames cost twice as much", counts[20000] < 3 * counts[10000], counts)
tool.check("and a stated multiple of the file", counts[20000] < 20000 * 9 * 100 + (16 << 20), counts)

# A file of 1 TiB without data lies beside a recording.
log = tool.save("log", group(), *[event("process", 10, 1, S + n * MS, "mark") for n in range(100)])
tool.run("record", "-o", "kept", log)
with open(tool.path("kept/x.bcos.zst"), "wb") as file:
    try:
        file.truncate(1 << 40)
        sparse = os.stat(file.fileno()).st_blocks == 0
    except OSError:
        sparse = False
if sparse:
    for words in (("check", "kept"), ("status", "kept"), ("record", "-o", "kept", log)):
        status, read = reading(*words)
        tool.check(f"a file of holes: {words[0]}", status in (0, 1) and read < 64 << 20, (status, read))
os.unlink(tool.path("kept/x.bcos.zst"))

# The first signal ends each command within the log.
large = tool.save("large", group(cpus=1), b"".join(event("process", 10, 1, S + n * MS, "mark") for n in range(1 << 19)))
size = os.path.getsize(large)
for words in (("check",), ("dump",), ("cpu",), ("text",), ("top", "--once")):
    status, read = reading(*words, "large", until=1 << 20)
    tool.check(f"a signal during {words[0]}", status == 128 + signal.SIGTERM and read < size, (status, read, size))
# Input without an end, in which nothing is an entry.
for words in (("check", "/dev/zero"), ("dump", "/dev/urandom"), ("top", "/dev/zero")):
    with subprocess.Popen([tool.program, *words], cwd=tool.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
        while bytes_read(child.pid) < 1 << 22:
            pass
        child.send_signal(signal.SIGTERM)
        try:
            child.wait(30)
            ended = True
        except subprocess.TimeoutExpired:
            child.kill()
            ended = False
    tool.check("the first signal ends " + " ".join(words), ended)

tool.end()
