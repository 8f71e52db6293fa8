# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""large_test.py: the page of bcoslog explore, of a log of 1 GiB. TAP on standard output."""
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "bench"))
import explorer  # noqa: E402  pylint: disable=wrong-import-position
from browser import Browser  # noqa: E402  pylint: disable=wrong-import-position

GIB, CPUS = 1 << 30, 4
BUDGET = 1000 / 60


def point(number, name, fails):
    print(f"{'not ok' if fails else 'ok'} {number} - {name}", flush=True)
    for line in fails:
        print(f"# {line}")
    return bool(fails)


KEYS = ("online_ns", "processes_ns", "kernel_ns", "idle_ns", "unknown_ns", "turns")


def wrong_totals(browser, log):
    done = subprocess.run([explorer.TOOL, "cpu", "--json", log], stdout=subprocess.PIPE, text=True, check=True)
    told = {str(cpu["cpu"]): cpu for cpu in map(json.loads, done.stdout.splitlines())}
    shown = {str(cpu["cpu"]): cpu for cpu in browser.run("explorer.selected.cpus")}
    if sorted(shown) != sorted(set(told) - {"all"}):
        return [f"the page has the CPUs {sorted(shown)}"]
    return [f"{key} of CPU {cpu}: {shown[cpu][key]} in the page, {told[cpu][key]} of the tool"
            for cpu in shown for key in KEYS if shown[cpu][key] != told[cpu][key]]


def memory(browser):
    """MiB of the engine, and the most that any process of the browser had, in MiB: the one that draws the page."""
    most = 0
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{process}/cmdline", "rb") as command, open(f"/proc/{process}/status", encoding="ascii") as status:
                if b"--type=renderer" in command.read() and os.getpgid(int(process)) == os.getpgid(browser.process.pid):
                    most = max(most, *(int(line.split()[1]) >> 10 for line in status if line.startswith("VmHWM")))
        except (OSError, ValueError, TypeError):
            continue
    return browser.run("explorer.engine.calls.memory.buffer.byteLength") >> 20, most


def main():
    failed = False
    print("1..3")
    with tempfile.TemporaryDirectory() as folder, Browser(1600, 1000) as browser:
        log = os.path.join(folder, "large.log")
        explorer.write(log, GIB // 24, CPUS)
        seconds = explorer.open_log(browser, folder, log)
        notice = browser.run("document.querySelector('#notice').textContent")
        complaints = [*browser.complaints, *([notice] if notice else [])]
        failed |= point(1, f"it opens all of {os.path.getsize(log) >> 20} MiB ({seconds:.0f} s), and leaves nothing out", complaints)
        print("# memory: %d MiB of the engine, at most %d MiB of the process that has the page" % memory(browser))
        failed |= point(2, "its totals are those that bcoslog cpu tells", wrong_totals(browser, log))
        slow = []
        for nearer, times in explorer.frames(browser).items():
            median = sorted(times)[len(times) // 2]
            print(f"# {nearer} times: {median:.1f} ms in the median, {max(times):.1f} ms at most", flush=True)
            if median > BUDGET:
                slow.append(f"magnified {nearer} times, a frame takes {median:.1f} ms")
        failed |= point(3, "a frame takes less than a sixtieth of a second, at all magnifications", slow)
    sys.exit(failed)


main()
