# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""serve_test.py BCOSLOG ASSEMBLE GOLDEN: bcoslog serve, asked by HTTP and seen in a browser. TAP on standard output."""
import glob
import http.client
import json
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import traceback
import urllib.parse

import browser as browsers
from pages import color
from points_hostile import AUDIT, ITEMS, hostile_names

TOOL, ASSEMBLE, GOLDEN = sys.argv[1:4]
points = []


def point(test):
    points.append(test)
    return test


class Server:
    """A server of a log, and its address."""

    def __init__(self, *arguments, engine=None, **options):
        command = [TOOL, *(["--engine", engine] if engine else []), "serve", *arguments]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
        self.line = self.process.stdout.readline()
        address = re.search(r"http://\S+", self.line)
        assert address, self.line + self.process.stderr.read()
        self.url = urllib.parse.urlsplit(address.group())
        self.token = self.url.query.removeprefix("token=")

    def ask(self, path, method="GET", body=None, **headers):
        connection = http.client.HTTPConnection(self.url.hostname, self.url.port, timeout=20)
        connection.request(method, path, body=body, headers={"Host": self.url.netloc, **headers})
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, answer.headers, content

    def log(self, start=0):
        return self.ask(f"/log?token={self.token}&from={start}")

    def end(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        self.process.wait(20)
        return self.process.returncode

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is not None:
            return
        try:
            self.end()
        finally:
            self.process.kill()
            self.process.wait()


def golden(folder, name):
    path = os.path.join(folder, os.path.basename(name))
    with open(path, "wb") as file:
        subprocess.run([ASSEMBLE, os.path.join(GOLDEN, name)], stdout=file, check=True)
    return path


def answers(server):
    """Does it? A client beyond the limit is sent away without an answer, until the server knows that others have gone."""
    try:
        return server.log()[0] == 200
    except (OSError, http.client.HTTPException):
        return False


def until(condition, seconds=20):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "this does not come true"
        time.sleep(0.02)


class Growing:
    """A log of which there is the first half: grow() appends the rest."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.whole = file.read()
        # The first two bytes of an entry are its size.
        self.half = 0
        while self.half < len(self.whole) // 2:
            self.half += self.whole[self.half] | self.whole[self.half + 1] << 8
        self.file = open(path, "wb")
        self.append(self.whole[:self.half])

    def append(self, part):
        self.file.write(part)
        self.file.flush()

    def grow(self):
        self.append(self.whole[self.half:])

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.file.close()


@point
def the_page_and_the_log(folder):
    path = golden(folder, "reports.log")
    with open(path, "rb") as file, Server(path) as server:
        whole = file.read()
        assert re.fullmatch(r"[0-9a-f]{32}", server.token), server.token
        assert server.url.hostname == "127.0.0.1", server.url
        assert server.line == f"{path} is at {server.url.geturl()}\n", server.line
        status, headers, page = server.ask(f"/?token={server.token}")
        assert status == 200 and headers["Content-Type"] == "text/html; charset=utf-8", (status, headers)
        assert headers["Cache-Control"] == "no-store" and "Access-Control-Allow-Origin" not in headers, headers
        assert b"connect-src 'self'" in page and b"bcoslog-live" in page and b"bcoslog:log" not in page
        assert page.count(b"default-src 'none'") == 1
        policy = re.search(rb'Content-Security-Policy" content="([^"]*)"', page).group(1).decode()
        assert headers["Content-Security-Policy"] == policy + "; frame-ancestors 'none'", headers
        until(lambda: server.log()[2] == whole)
        status, headers, content = server.log(len(whole))
        assert headers["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'", headers
        assert (status, content) == (200, b"") and headers["Bcoslog-From"] == str(len(whole)), headers
        # A request for a part that does not exist gets the log from its beginning, and a header says so.
        status, headers, content = server.log(len(whole) + 1)
        assert content == whole and headers["Bcoslog-From"] == headers["Bcoslog-Base"] == "0", headers


@point
def the_metrics(folder):
    path = golden(folder, "reports.log")
    secret = os.path.join(folder, "token")
    for text in ("", "0123456789abcdef" * 2 + "0", "x" * 32, "0123456789abcdef\n0123456789abcdef"):
        with open(secret, "w", encoding="ascii") as file:
            file.write(text)
        done = subprocess.run([TOOL, "serve", "--token", secret, path], capture_output=True, text=True, check=False, timeout=20)
        assert done.returncode == 2 and "32 hexadecimal digits" in done.stderr, (text, done)
    with open(secret, "w", encoding="ascii") as file:
        file.write("0123456789abcdef" * 2 + "\n")
    right = subprocess.run([TOOL, "metrics", path], capture_output=True, check=True).stdout
    with Server("--token", secret, path) as server:
        assert server.token == "0123456789abcdef" * 2, server.token
        assert server.ask("/metrics")[0] == 403
        place = f"/metrics?token={server.token}"
        until(lambda: server.ask(place)[2] == right)
        assert server.ask(place)[2] == right, "asking counts nothing"
        assert server.ask(place)[1]["Content-Type"] == "application/openmetrics-text; version=1.0.0; charset=utf-8"
    # The log goes on: of the entries of its first half nothing is counted twice.
    with Growing(path) as log, Server(path) as server:
        place = f"/metrics?token={server.token}"
        until(lambda: b"\nbcos_log_bytes_total %d\n" % log.half in server.ask(place)[2])
        log.grow()
        until(lambda: server.ask(place)[2] == right)


@point
def a_log_that_goes_on(folder):
    path = golden(folder, "reports.log")
    with Growing(path) as log, Server(path) as server:
        until(lambda: len(server.log()[2]) == log.half)
        log.grow()
        until(lambda: server.log(log.half)[2] == log.whole[log.half:])


@point
def nobody_without_the_token(folder):
    path = golden(folder, "reports.log")
    with Server(path) as server:
        token = server.token
        for wrong in ("", "?token=", f"?token={token[:-1]}", f"?token={token}0", f"?token={'0' * 32}", f"?other={token}"):
            assert server.ask(f"/{wrong}")[0] == 403, wrong
            assert server.ask(f"/log{wrong}")[0] == 403, wrong
        # Another name of this machine is that of another site, whose pages the browser would trust with the log.
        for host in ("evil.example", f"evil.example:{server.url.port}", "127.0.0.1", f"127.0.0.1.evil:{server.url.port}"):
            assert server.ask(f"/?token={token}", Host=host)[0] == 403, host
        assert server.ask(f"/?token={token}", Host=f"localhost:{server.url.port}")[0] == 200
        assert server.ask(f"/none?token={token}")[0] == 404
        assert server.ask(f"/../etc/passwd?token={token}")[0] == 404
        for method in ("POST", "PUT", "DELETE", "OPTIONS"):
            assert server.ask(f"/?token={token}", method=method, body=b"x" * 100000)[0] == 405, method
    with Server(path) as other:
        assert other.token != token


@point
def on_a_network(folder):
    path = golden(folder, "reports.log")
    with Server("--listen", "0.0.0.0", path) as server:
        port, token = server.url.port, server.token
        for host in (f"127.0.0.1:{port}", f"localhost:{port}", f"192.0.2.7:{port}", f"[2001:db8::7]:{port}", f"{socket.gethostname()}:{port}"):
            assert server.ask(f"/?token={token}", Host=host)[0] == 200, host
        for host in ("evil.example", f"evil.example:{port}", "192.0.2.7", f"192.0.2.7:{port + 1}", f"192.0.2.7.evil:{port}", f"[x]:{port}", ""):
            assert server.ask(f"/?token={token}", Host=host)[0] == 403, host
        assert server.ask("/")[0] == 403


@point
def at_the_address_it_printed(folder):
    """The address that the server prints is the one that it answers to, however a browser writes it."""
    path = golden(folder, "reports.log")
    with Server("--listen", "127.0.0.5", path) as server:
        port, token = server.url.port, server.token
        assert server.url.hostname == "127.0.0.5"
        for host, status in ((f"127.0.0.5:{port}", 200), (f"localhost:{port}", 200), (f"127.0.0.6:{port}", 403), ("127.0.0.5", 403)):
            assert server.ask(f"/?token={token}", Host=host)[0] == status, host
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        print("# there is no IPv6 here")
        return
    with Server("--listen", "[0:0:0::1]", path) as server:
        port, token = server.url.port, server.token
        for host, status in ((f"[::1]:{port}", 200), (f"[0:0:0:0:0:0:0:1]:{port}", 200), (f"[::2]:{port}", 403), (f"::1:{port}", 403), ("[::1]", 403),
                             (f"[::1:{port}", 403)):
            assert server.ask(f"/?token={token}", Host=host)[0] == status, host


@point
def at_port_80(folder):
    """A browser leaves :80 out."""
    try:
        socket.create_server(("127.0.0.1", 80)).close()
    except OSError as error:
        print(f"# nothing can listen at port 80: {error}")
        return
    with Server("--listen", "127.0.0.1:80", golden(folder, "reports.log")) as server:
        for host, status in (("127.0.0.1", 200), ("127.0.0.1:80", 200), ("localhost", 200), ("[::1]", 200), ("127.0.0.1:81", 403), ("evil.example", 403)):
            assert server.ask(f"/?token={server.token}", Host=host)[0] == status, host


@point
def slow_clients(folder):
    """Clients without the token, which begin a request and never end it, keep nobody out."""
    with Server(golden(folder, "reports.log")) as server:
        asked = http.client.HTTPConnection(server.url.hostname, server.url.port, timeout=20)
        asked.request("GET", f"/log?token={server.token}", headers={"Host": server.url.netloc})
        assert asked.getresponse().read() is not None
        slow = [socket.create_connection((server.url.hostname, server.url.port), 20) for _ in range(200)]
        for client in slow:
            try:
                client.sendall(b"GET / HTTP/1.1\r\nX: ")
            except OSError:
                pass
        assert answers(server)
        # The connection that had the token was never closed.
        asked.request("GET", f"/log?token={server.token}", headers={"Host": server.url.netloc})
        assert asked.getresponse().status == 200
        for client in slow:
            client.close()


@point
def what_is_no_request(folder):
    path = golden(folder, "reports.log")
    with Server(path) as server:
        for text in (b"\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET " + b"/" * 100000 + b" HTTP/1.1\r\n\r\n", bytes(range(256)) * 8,
                     b"GET /log?from=99999999999999999999999999 HTTP/1.1\r\nHost: x\r\n\r\n"):
            with socket.create_connection((server.url.hostname, server.url.port), 20) as client:
                try:
                    client.sendall(text)
                    client.shutdown(socket.SHUT_WR)
                    client.recv(100)
                except OSError:
                    pass
        # These are more clients than there may be, and they say nothing.
        idle = [socket.create_connection((server.url.hostname, server.url.port), 20) for _ in range(40)]
        for client in idle:
            client.close()
        until(lambda: answers(server))
        assert server.end() == 0, "SIGTERM ends it in order"
        assert not server.process.stderr.read()


@point
def how_it_ends(folder):
    path = golden(folder, "reports.log")
    with open(path, "rb") as file, subprocess.Popen(["cat"], stdin=file, stdout=subprocess.PIPE) as pipe, \
            Server("-", stdin=pipe.stdout) as server:
        until(lambda: server.log()[1]["Bcoslog-Ended"] == "1")
        assert server.end(signal.SIGINT) == 0
    for arguments, reason in ((["--listen", "nobody.example", path], "numeric address"), (["--memory", "0", path], "1 to 1024"),
                              (["--listen", "127.0.0.1:70000", path], "70000"), ([path + ".none"], "there is no file")):
        done = subprocess.run([TOOL, "serve", *arguments], capture_output=True, text=True, timeout=20)
        assert done.returncode == 2 and reason in done.stderr and not done.stdout, (arguments, done)
    with Server(path) as server:
        done = subprocess.run([TOOL, "serve", "--listen", f"127.0.0.1:{server.url.port}", path], capture_output=True, text=True,
                              timeout=20)
        assert done.returncode == 2 and "cannot listen" in done.stderr, done


@point
def only_the_newest_part(folder):
    """Of a log of some MiB in groups, one is kept, from a group on."""
    path = os.path.join(folder, "large.log")
    with open(golden(folder, "reports.log"), "rb") as file:
        once = file.read()
    with open(path, "wb") as file:
        # The log is repeated, and each copy begins with a group.
        for _ in range(3 * (1 << 20) // len(once)):
            file.write(once)
    size = os.path.getsize(path)
    with Server("--memory", "1", path) as server:
        until(lambda: int(server.log()[1]["Bcoslog-Base"]) > size - (2 << 20))
        until(lambda: server.log(size)[1]["Bcoslog-From"] == str(size))
        _, headers, content = server.log()
        assert int(headers["Bcoslog-Base"]) % len(once) == 0 and headers["Bcoslog-Full"] == "0", headers
        assert len(content) <= (5 << 18) and content[:len(once)] == once and len(content) + int(headers["Bcoslog-From"]) == size


def whole_log(server):
    """Return: all that is kept, as one log."""
    content, place = b"", 0
    while True:
        _, headers, part = server.log(place)
        if int(headers["Bcoslog-From"]) != place:
            content = b""
        if not part:
            return content
        content, place = content + part, int(headers["Bcoslog-From"]) + len(part)


@point
def groups_farther_apart_than_the_memory(folder):
    """Only the begin of the log has a group, and what is kept begins at one all the same, and has the end of the log."""
    path = os.path.join(folder, "far.log")
    entries, time = [], 10**9

    def entry(kind, source, at, body):
        entries.append(struct.pack("<HHIQI", 20 + len(body), kind, source, at, 1) + body)

    entry(0xA000, 0, time, struct.pack("<HHII", 0, 0, 1000, 2000))
    for cpu in (0, 1):
        entry(0xC000, cpu, time, struct.pack("<I", 0))
    for process, name in ((0, b"kernel\0\0"), (10, b"turn")):
        entry(0x8000, process, time, name)
    for cpu in (0, 1):
        entry(0xC002, cpu, time, struct.pack("<I", 0xFFFFFFFF))
    entry(0x0010, 0, time, struct.pack("<IB", 0xC0000010, 0x40) + b"wall clock 1700000000.000000000")
    for turn in range(1 << 17):
        time += 1000
        entry(0x4002, 0, time, struct.pack("<I", 0xFFFFFFFF if turn & 1 else 10))
    # After this loss, nobody knows what CPU 1 does. Its end is stated.
    text = b"lost 3 assignments: staging full, until 3.000000000 s"
    time = 3 * 10**9
    entry(0x4010, 1, 2 * 10**9, struct.pack("<IB", 0x80000001, 0x80) + text + bytes(-(len(text) + 5) % 4))
    for turn in range(1 << 16):
        time += 1000
        entry(0x4002, 0, time, struct.pack("<I", 0xFFFFFFFF if turn & 1 else 10))
    entry(0x0000, 10, time, b"last")
    with open(path, "wb") as file:
        file.write(b"".join(entries))
    part = os.path.join(folder, "part.log")
    with Server("--memory", "1", path) as server:
        until(lambda: whole_log(server)[-24:] == entries[-1])
        content = whole_log(server)
        assert (1 << 18) < len(content) <= (5 << 18), len(content)
        assert server.log()[1]["Bcoslog-Full"] == "0"
        assert server.log()[1]["Bcoslog-Age"] == "0", "a file does not tell how old it is"
        server.end()
        assert not server.process.stderr.read()
    with open(part, "wb") as file:
        file.write(content)
    checked = subprocess.run([TOOL, "check", part], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    cpus = {}
    for line in subprocess.run([TOOL, "cpu", "--json", part], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines():
        row = json.loads(line)
        cpus[row["cpu"]] = row
    assert cpus[0]["unknown_ns"] == 0 and cpus[0]["processes_ns"] > 0, cpus[0]
    assert cpus[1]["idle_ns"] == 0 and cpus[1]["unknown_ns"] == cpus[1]["online_ns"], cpus[1]
    told = subprocess.run([TOOL, "text", "--wall", part], capture_output=True, text=True, check=False)
    assert "no wall clock" not in told.stderr and "does not state" not in told.stderr, told.stderr


@point
def from_the_device(folder):
    # golden/fake_device.c stands for the device, and gives the bytes of a file.
    path, device = golden(folder, "reports.log"), os.path.join(os.path.dirname(ASSEMBLE), "fake_device.so")
    environment = {**os.environ, "LD_PRELOAD": device, "FAKE_LOG": path, "FAKE_STATUS": "mask=0x1f active=0x1f"}
    with open(path, "rb") as file, Server(env=environment) as server:
        whole = file.read()
        assert server.line.startswith("/dev/bcos_evlog is at "), server.line
        until(lambda: server.log()[2] == whole)


@point
def from_bpf(folder):
    probe = subprocess.run([TOOL, "--engine", "bpf", "status"], capture_output=True, text=True, check=False)
    if probe.returncode:
        return probe.stderr.strip()
    with Server(engine="bpf") as server:
        assert server.line.startswith("The log of the BPF programs is at "), server.line
        until(lambda: server.log()[2])
        until(lambda: 0 < int(server.log()[1]["Bcoslog-Age"]) < 5 * 10**9)
        # A process that lives now is in the served log, which explains itself.
        child = subprocess.Popen(["bash", "-c", "exec -a seen-by-serve sleep 0.2"])
        child.wait()
        log = os.path.join(folder, "served.log")

        def seen():
            content, place = b"", 0
            while True:
                part = server.log(place)[2]
                if not part:
                    break
                content, place = content + part, place + len(part)
            with open(log, "wb") as file:
                file.write(content)
            told = subprocess.run([TOOL, "processes", "--json", log], capture_output=True, text=True, check=False).stdout
            return any(json.loads(line).get("process") == child.pid for line in told.splitlines())
        until(seen)
        checked = subprocess.run([TOOL, "check", log], capture_output=True, text=True, check=False)
        assert checked.returncode == 0, checked.stdout + checked.stderr
    return None


@point
def in_a_browser(folder):
    if not browsers.program():
        return "no Chromium; scripts/deps explorer brings it"
    path = golden(folder, "reports.log")
    with open(path, "rb") as file:
        whole = file.read()
    half = 0
    while half < len(whole) // 2:
        half += whole[half] | whole[half + 1] << 8
    with open(path, "wb") as file, browsers.Browser() as page:
        file.write(whole[:half])
        file.flush()
        with Server(path) as server:
            page.loaded = False
            page.call("Page.navigate", url=server.url.geturl())
            page.until(f"document.documentElement?.dataset.bytes === '{half}'")
            short = page.run("explorer.viewport.log.span")
            file.write(whole[half:])
            file.flush()
            page.until(f"document.documentElement.dataset.bytes === '{len(whole)}'")
            assert page.run("explorer.viewport.log.span") > short
            names = page.run("explorer.viewport.log.processes.map((process) => process.name).join()")
            assert "ten" in names and "twenty" in names, names
            # A process has the colour of its ID, as in the page of a file.
            for process in page.run("explorer.viewport.log.processes.filter((process) => process.id)"):
                label = f"[...document.querySelectorAll('.label')].find(label => label.title.endsWith(', process {process['id']}'))"
                shown = page.until(f"{label}?.querySelector('.swatch').style.backgroundColor")
                assert shown == "rgb(%d, %d, %d)" % color(process["id"]), (process, shown)
            # Each byte was decoded once: the page appends, and does not begin again.
            assert page.run("document.documentElement.dataset.decoded") == str(len(whole))
            totals = page.run("explorer.selected.cpus")
            told = subprocess.run([TOOL, "cpu", "--json", path], stdout=subprocess.PIPE, text=True, check=True).stdout
            for cpu in (json.loads(line) for line in told.splitlines()):
                shown = next((row for row in totals if row["cpu"] == cpu["cpu"]), None)
                for key in ("online_ns", "processes_ns", "kernel_ns", "idle_ns", "unknown_ns", "turns"):
                    assert not shown or shown[key] == cpu[key], (key, shown, cpu)
            assert len(totals) == len(told.splitlines()) - 1
            # When the log goes on, a complete stretch is not counted again, and a stretch with new entries is.
            page.run("explorer.side.totals = () => { globalThis.again = true; }")
            for past, again in ((0, None), (1, True)):
                page.run(f"(to => {{ explorer.viewport.selection = {{ from: 0, to }}; explorer.totalsOf = `0-${{to}}`; "
                         f"explorer.viewport.renew(explorer.viewport.log); }})(explorer.viewport.log.span + {past})")
                assert page.run("globalThis.again") is again, f"a selection up to {past} ns after the end"
            # A log that is opened in place of the served one stays, although new entries were on their way.
            assert page.run("""(async () => {
                const live = explorer.source, bytes = [];
                let go;
                for await (const part of live.parts()) bytes.push(part);
                live.after = async function* () { await new Promise(done => go = done); };
                live.loaded = live.to;
                const renewing = explorer.renew(live);
                await explorer.open({ name: "other", size: 1, parts: () => bytes });
                go();
                await renewing;
                return [explorer.source.name, document.querySelector("#name").textContent, explorer.follows(live)];
            })()""") == ["other", "other", False]
            assert not page.complaints, page.complaints
            assert all(url.startswith(f"http://{server.url.netloc}/") for url in page.requests), page.requests
    return None


def hostile_logs(folder):
    """Those of HOSTILE; without it, one with hostile names, and damaged ones."""
    if "HOSTILE" in os.environ:
        return sorted(glob.glob(os.path.join(os.environ["HOSTILE"], "*.log")))
    os.mkdir(os.path.join(folder, "text"))
    names = hostile_names(os.path.join(folder, "text"))
    return [golden(folder, name) for name in (names, "damaged.log", "allowed.log", "losses.log")]


def served_to(page, path):
    """Wait until a page shows all of a log.  Return: it is a log."""
    page.complaints.clear()
    with open(path, "rb") as file, subprocess.Popen(["cat"], stdin=file, stdout=subprocess.PIPE) as pipe:
        whole = subprocess.run([TOOL, "cat", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout
        with Server("-", stdin=pipe.stdout) as server:
            until(lambda: server.log()[1]["Bcoslog-Ended"] == "1")
            content = server.log()[2]
            assert content == whole, f"{path}: {len(content)} bytes, and {len(whole)} by bcoslog cat"
            page.loaded = False
            page.call("Page.navigate", url=server.url.geturl())
            page.until(f"document.documentElement?.dataset.bytes === '{len(content)}'" if content else
                       "performance.getEntriesByType('resource').some(({ name }) => name.includes('/log?'))")
            assert not page.run(f"{AUDIT}\naudit()"), path
            assert not content or not page.run(ITEMS)[0], path
            assert not page.complaints, (path, page.complaints)
    return len(content) > 0


@point
def hostile(folder):
    """Hostile names are text, and what is left of damaged logs is shown."""
    if not browsers.program():
        return "no Chromium; scripts/deps explorer brings it"
    logs = hostile_logs(folder)
    with browsers.Browser() as page:
        assert any([served_to(page, path) for path in logs])
    return None


def main():
    failed = 0
    print(f"1..{len(points)}")
    for number, test in enumerate(points, 1):
        with tempfile.TemporaryDirectory() as folder:
            name = test.__name__.replace("_", " ")
            try:
                skipped = test(folder)
                print(f"ok {number} - {name}{' # SKIP ' + skipped if skipped else ''}", flush=True)
            except Exception:
                failed = 1
                print(f"not ok {number} - {name}")
                print("# " + traceback.format_exc().replace("\n", "\n# "), flush=True)
    return failed


sys.exit(main())
