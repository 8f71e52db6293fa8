# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""faults.py BCOSLOG FOLDER [WORDS]: each system call of some commands fails once; see faults.sh. WORDS choose points by their
titles. TAP on standard output."""
import contextlib
import fcntl
import http.client
import os
import pty
import re
import select
import signal
import socket
import struct
import subprocess
import sys
import termios
import threading
import time
import traceback
import urllib.parse

TOOL, FOLDER = sys.argv[1:3]
LOG, DONE, SOCKET = (os.path.join(FOLDER, name) for name in ("reports.log", "done", "socket"))
FULL = os.environ.get("FULL") == "1"
PATIENCE = 30
points = []


def environment(call, number, error, **more):
    return dict(os.environ, FAULT=f"{call}:{number}:{error}", FAULT_DONE=DONE, LD_PRELOAD=os.path.join(FOLDER, "faults.so"), **more)


def each(call, error, judge):
    """Lets each call of this name fail; in reduced rounds some of them, the first ones among them."""
    number = 1
    while number < 2000:
        if os.path.exists(DONE):
            os.remove(DONE)
        try:
            judge(call, number, error)
        except AssertionError as wrong:
            raise AssertionError(f"{call} number {number} fails with {error}: {wrong}") from wrong
        if not os.path.exists(DONE):
            break
        number += 1 if FULL else max(1, number // 2)
    assert number > 1, f"{call} is never called"


def point(title, judge, faults):
    for words in faults.split():
        call, error = words.split(":")
        points.append((f"{title}: {call} fails with {error}", call, error, judge))


def said(status, text):
    """A failure is explained in a sentence."""
    assert status in (0, 2), f"status {status}: {text}"
    assert status == 0 or re.search(r"(?m)^bcoslog: .{10}", text), f"status {status}, and nothing is said: {text}"


@contextlib.contextmanager
def running(*words, **how):
    """A process of bcoslog, which has to end by itself in time; none is left behind."""
    process = subprocess.Popen([TOOL, *words], stderr=subprocess.PIPE, text=True, **how)
    try:
        yield process
    except subprocess.TimeoutExpired as wrong:
        raise AssertionError("it does not end") from wrong
    finally:
        process.kill()
        with process:
            pass


# ---- bcoslog top on a terminal


def drain(terminal, seconds):
    """What the terminal gets up to then, or up to its end."""
    text, end = b"", time.monotonic() + seconds
    while time.monotonic() < end:
        if not select.select([terminal], [], [], max(0, min(0.1, end - time.monotonic())))[0]:
            if text:
                break
            continue
        try:
            part = os.read(terminal, 65536)
        except OSError:
            break
        if not part:
            break
        text += part
    return text


def on_terminal(call, number, error):
    terminal, other = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    before = termios.tcgetattr(other)
    try:
        with running("top", LOG, stdin=other, stdout=other,
                     env=environment(call, number, error, TERM="xterm", BCOSLOG_SOCKET=SOCKET)) as process:
            end = time.monotonic() + PATIENCE
            drain(terminal, 5)
            while process.poll() is None and time.monotonic() < end:
                os.write(terminal, b"q")
                drain(terminal, 0.2)
            assert process.poll() is not None, "it does not end"
            said(process.returncode, process.stderr.read())
            after = termios.tcgetattr(other)
            assert after == before, f"the terminal is another one: {before} {after}"
    finally:
        os.close(terminal)
        os.close(other)


point("top", on_terminal, "read:EIO read:EINTR poll:EINTR ioctl:EIO")


# ---- bcoslog serve


def ask_server(url):
    address = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=5)
    try:
        connection.request("GET", f"/log?{address.query}&from=0", headers={"Host": address.netloc})
        answer = connection.getresponse()
        return answer.read() if answer.status == 200 else None
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()


def serving(call, number, error):
    with open(LOG, "rb") as file:
        whole = file.read()
    with running("serve", LOG, stdout=subprocess.PIPE, env=environment(call, number, error, BCOSLOG_SOCKET=SOCKET)) as process:
        url = re.search(r"http://\S+", process.stdout.readline())
        end = time.monotonic() + PATIENCE
        # A part of the log is the answer while the rest is read. One request may fail, and the next ones do not.
        while url and process.poll() is None and ask_server(url.group()) != whole:
            assert time.monotonic() < end, "the log is never there"
            time.sleep(0.02)
        if url and process.poll() is None:
            process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)
        text = process.stderr.read()
        said(process.returncode, text)
        assert url or process.returncode == 2, "it tells no address"


if not re.search("built without|not installed", subprocess.run([TOOL, "serve", os.devnull, "--listen", "192.0.2.999"], capture_output=True, text=True,
                                                               check=False).stderr):
    point("serve", serving, "socket:EMFILE bind:EACCES listen:EACCES accept4:ECONNABORTED accept4:EMFILE recv:ECONNRESET send:EPIPE poll:EINTR "
                            "pthread_create:EAGAIN read:EIO")


# ---- who asks a recorder, which is a program of this test


class Recorder:
    """Answers each who asks with the bytes of the log."""

    def __enter__(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.bind(SOCKET)
        self.socket.listen()
        with open(LOG, "rb") as file:
            self.log = file.read()
        threading.Thread(target=self.answer, daemon=True).start()
        return self

    def answer(self):
        while True:
            try:
                client, _ = self.socket.accept()
            except OSError:
                return
            with client:
                try:
                    if client.recv(16, socket.MSG_WAITALL)[:8] == b"BCOSask1":
                        client.sendall(b"BCOSlog1" + self.log)
                except OSError:
                    pass

    def __exit__(self, *_):
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()
        os.remove(SOCKET)


def asking(call, number, error):
    expected = subprocess.run([TOOL, "dump", LOG], capture_output=True, text=True, check=True).stdout
    with Recorder():
        done = subprocess.run([TOOL, "dump"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, check=False,
                              env=environment(call, number, error, BCOSLOG_SOCKET=SOCKET))
    said(done.returncode, done.stderr)
    # A recorder that ends before it answers is none, and then BPF programs may record instead; the command says so.
    if "BPF programs" not in done.stderr:
        assert expected.startswith(done.stdout), f"other entries: {done.stderr}"
        assert done.returncode == 2 or done.stdout == expected, f"entries are missing, and nothing is said: {done.stderr}"


point("who asks a recorder", asking, "socket:EMFILE connect:EACCES connect:EINTR send:ENOMEM recv:ECONNRESET recv:EINTR read:EIO read:EINTR poll:EINTR")


# ---- a recorder that is asked


def until(condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "this does not come true"
        time.sleep(0.05)


def asks():
    done = subprocess.run([TOOL, "dump", "--last", "1s"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, check=False,
                          env=dict(os.environ, BCOSLOG_SOCKET=SOCKET))
    return done.returncode == 0 and done.stdout


def recording(call, number, error):
    try:
        with running("--engine", "bpf", "record", "--memory", stdout=subprocess.DEVNULL,
                     env=environment(call, number, error, BCOSLOG_SOCKET=SOCKET)) as process:
            # One who asks may be the one for whom the call fails; who asks next is answered.
            until(lambda: process.poll() is not None or os.path.exists(SOCKET) and asks())
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE)
            said(process.returncode, process.stderr.read())
            assert not os.path.exists(SOCKET), "its socket is left"
    finally:
        if os.path.exists(SOCKET):
            os.remove(SOCKET)


RECORDS = subprocess.run([TOOL, "--engine", "bpf", "status"], capture_output=True, check=False).returncode == 0
point("a recorder", recording, "socket:EMFILE bind:EACCES listen:EACCES eventfd:EMFILE pthread_create:EAGAIN accept4:ECONNABORTED "
                               "accept4:EMFILE recv:ECONNRESET send:EPIPE poll:EINTR")

points = [one for one in points if not sys.argv[3:] or sys.argv[3] in one[0]]
wrong = 0
print(f"1..{len(points)}")
for index, (title, call, error, judge) in enumerate(points, 1):
    if judge is recording and not RECORDS:
        print(f"ok {index} - {title} # SKIP this kernel refuses BPF")
        continue
    try:
        each(call, error, judge)
        print(f"ok {index} - {title}", flush=True)
    except Exception:  # pylint: disable=broad-except
        wrong = 1
        print(f"not ok {index} - {title}")
        print("".join("# " + line + "\n" for line in traceback.format_exc().splitlines()[-3:]), end="", flush=True)
sys.exit(wrong)
