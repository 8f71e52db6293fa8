# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""explore_test.py BCOSLOG ASSEMBLE: the page of bcoslog explore, as a person uses it. TAP on standard output."""
import base64
import glob
import html
import json
import os
import re
import subprocess
import sys
import tempfile
import traceback

from browser import Browser

HERE = os.path.dirname(os.path.abspath(__file__))
TOOL, ASSEMBLE = sys.argv[1:3]
MARKUP = "<img src=x onerror=document.title='markup'>"
# As bcoslog(1) has them: who had the CPUs longest has the first.
FIRST, SECOND, THIRD = (0x00, 0x72, 0xB2), (0xE6, 0x9F, 0x00), (0x00, 0x9E, 0x73)
ALL = "#t=1000000000+10000000000"

points = []


def point(test):
    points.append(test)
    return test


class Logs:
    """The logs that are written as text, and pages of them."""

    def __init__(self, folder):
        self.folder = folder

    def log(self, path):
        name = os.path.join(self.folder, os.path.basename(path))
        with open(name, "wb") as file:
            subprocess.run([ASSEMBLE, path], stdout=file, check=True)
        return name

    def page(self, log, *options):
        page = log + ".html"
        result = subprocess.run([TOOL, "explore", *options, log, "-o", page], capture_output=True, text=True)
        assert result.returncode in (0, 1), result.stderr
        return page


def opened(browser, page, fragment=ALL):
    browser.complaints.clear()
    browser.requests.clear()
    browser.open(page, fragment)
    browser.until("document.documentElement?.dataset.drawn && document.documentElement.dataset.counted")


def counted(browser, does):
    """Wait until what @does changes was counted."""
    before = browser.run("document.documentElement.dataset.counted")
    does()
    browser.until(f"document.documentElement.dataset.counted !== '{before}'")


def box(browser, selector):
    return browser.run(f"(({{x, y, width, height}}) => ({{x, y, width, height}}))(document.querySelector({selector!r}).getBoundingClientRect())")


def row(browser, text):
    """Where on the screen the middle of the row with this label is."""
    return browser.until("(label => { const box = label?.getBoundingClientRect(); return box && box.y + box.height / 2; })"
                         f"([...document.querySelectorAll('.label')].find(label => label.querySelector('b')?.textContent === {json.dumps(text)}))")


def x_of(browser, seconds):
    """Where on the screen a moment is while 1 s to 11 s are shown."""
    rows = box(browser, "#rows")
    return rows["x"] + (seconds - 1) / 10 * rows["width"]


def pixel(browser, x, y):
    place = box(browser, "#rows")
    return tuple(browser.run("Array.from(document.querySelector('#rows').getContext('2d').getImageData("
                             f"{int(x - place['x'])}, {int(y - place['y'])}, 1, 1).data)"))[:3]


def same(got, wanted, what=""):
    assert got == wanted, f"{what}: {got!r} in the place of {wanted!r}"


@point
def the_log_is_inside(browser, logs):
    """the page has the log inside, byte for byte"""
    log = logs.log(os.path.join(HERE, "machine.log"))
    with open(logs.page(log), encoding="utf-8") as file:
        text = file.read()
    blocks = re.findall(r'<script type="application/octet-stream" class="log"(?: data-name="([^"]*)")?>([^<]*)</script>', text)
    same(html.unescape(blocks[0][0]), "machine.log", "the name")
    with open(log, "rb") as file:
        same(b"".join(base64.b64decode(block) for _, block in blocks), file.read(), "the log")


@point
def opens(browser, logs):
    """it opens, complains of nothing and loads nothing"""
    page = logs.page(logs.log(os.path.join(HERE, "machine.log")))
    opened(browser, page)
    same(browser.complaints, [], "complaints")
    same([url for url in browser.requests if not url.startswith("data:")], [f"file://{page}"], "requests")
    same(browser.run("document.title"), "machine.log – bcoslog explorer", "the title")


@point
def policy(browser, logs):
    """its policy refuses any other script, and any connection"""
    browser.run("document.body.append(Object.assign(document.createElement('script'), { textContent: 'globalThis.planted = true' }))")
    same(browser.run("globalThis.planted"), None, "a planted script")
    same(browser.run("fetch('data:,x').then(() => 'went', () => 'refused')"), "refused", "a connection")
    browser.complaints.clear()


@point
def names_are_text(browser, logs):
    """a name with markup is text"""
    row(browser, MARKUP)
    same(browser.run("document.querySelectorAll('img, #labels b b').length"), 0, "elements out of names")
    same(browser.run("document.title"), "machine.log – bcoslog explorer", "the title")


@point
def colors(browser, logs):
    """a process has its colour where it has a CPU"""
    cpu0, cpu1 = row(browser, "CPU 0"), row(browser, "CPU 1")
    same(pixel(browser, x_of(browser, 2), cpu0), SECOND, "alpha")
    same(pixel(browser, x_of(browser, 9.5), cpu0), THIRD, "beta")
    same(pixel(browser, x_of(browser, 4), cpu1), FIRST, "the one with markup")
    same(pixel(browser, x_of(browser, 4), row(browser, "alpha")), SECOND, "alpha's row")
    quiet = {pixel(browser, x_of(browser, 6), cpu0), pixel(browser, x_of(browser, 2), cpu1), pixel(browser, x_of(browser, 10.5), cpu1)}
    same(len(quiet), 1, "colours of idle")
    kernel = pixel(browser, x_of(browser, 7.5), cpu0)
    assert kernel not in quiet | {FIRST, SECOND, THIRD}, kernel
    assert max(kernel) - min(kernel) < 16, f"the kernel is not grey: {kernel}"
    unknown = {pixel(browser, x_of(browser, 9.5) + by, cpu1) for by in range(8)}
    same(len(unknown), 2, "colours of a hatched stretch")
    assert not unknown & (quiet | {kernel, FIRST, SECOND, THIRD}), unknown


def page_cpus(browser):
    keys = ("online_ns", "processes_ns", "kernel_ns", "idle_ns", "unknown_ns", "turns")
    return {str(cpu["cpu"]): [cpu[key] for key in keys] for cpu in browser.run("explorer.selected.cpus")}


def tool_cpus(log, since, until):
    keys = ("online_ns", "processes_ns", "kernel_ns", "idle_ns", "unknown_ns", "turns")
    lines = subprocess.run([TOOL, "cpu", "--json", "--since", f"{since / 1e9:.9f}", "--until", f"{until / 1e9:.9f}", log],
                           capture_output=True, text=True, check=False).stdout.splitlines()
    return {cpu["cpu"]: [cpu[key] for key in keys] for cpu in map(json.loads, lines) if cpu["cpu"] != "all"}


@point
def totals(browser, logs):
    """the totals of a selection are right, and those of bcoslog cpu"""
    log = os.path.join(logs.folder, "machine.log")
    opened(browser, logs.page(log), f"{ALL}&s=2000000000+8500000000")
    # Online, processes, kernel, idle, unknown; all by hand from machine.log.
    same({cpu: times[:5] for cpu, times in page_cpus(browser).items()},
         {"0": [8500000000, 5500000000, 1000000000, 2000000000, 0], "1": [8500000000, 6000000000, 0, 1500000000, 1000000000]}, "totals")
    same(page_cpus(browser), tool_cpus(log, 2000000000, 10500000000), "totals of bcoslog cpu")
    same({p["process"]: p["time_ns"] for p in browser.run("explorer.selected.processes") if p["time_ns"]},
         {0: 1000000000, 100: 3000000000, 200: 2500000000, 300: 6000000000}, "processes")
    shown = browser.run("[...document.querySelectorAll('#side table')][0].innerText")
    assert re.search(r"CPU 0\s+65 %\s+12 %\s+24 %\s+0.0 %", shown), shown


@point
def selects(browser, logs):
    """Shift and drag selects, and is counted"""
    log = os.path.join(logs.folder, "machine.log")
    opened(browser, log + ".html")
    y = row(browser, "CPU 1")
    counted(browser, lambda: browser.drag(x_of(browser, 3), y, x_of(browser, 6), y, shift=True))
    selection = browser.run("[explorer.view.selection.from, explorer.view.selection.to]")
    since, until = (round(at) + 1000000000 for at in selection)
    assert abs(since - 3e9) < 2e7 and abs(until - 6e9) < 2e7, (since, until)
    browser.until(f"explorer.selected.end - explorer.selected.begin === {until - since}")
    same(page_cpus(browser), tool_cpus(log, since, until), "totals of bcoslog cpu")
    assert abs(page_cpus(browser)["1"][1] - 3e9) < 4e7


@point
def hovers(browser, logs):
    """a pop-up tells what is at the pointer"""
    browser.hover(x_of(browser, 2), row(browser, "CPU 0"))
    text = browser.until("!document.querySelector('#popup').hidden && document.querySelector('#popup').innerText")
    for wanted in ("alpha", "100", "1.000000000 s", "4 s"):
        assert wanted in text, (wanted, text)
    browser.hover(x_of(browser, 9.5), row(browser, "CPU 1"))
    browser.until("document.querySelector('#popup').innerText.startsWith('Unknown')")


@point
def zooms(browser, logs):
    """the wheel zooms at the pointer, drags and keys move, 0 shows all"""
    x, y = x_of(browser, 4), row(browser, "CPU 0")
    browser.wheel(x, y, -400)
    browser.until("explorer.view.span < 8e9")
    at = browser.run("explorer.ruler.time(%f)" % (x - box(browser, "#over")["x"]))
    assert abs(at - 3e9) < 3e7, at
    before = browser.run("explorer.view.from")
    browser.drag(x, y, x + 100, y)
    browser.until(f"explorer.view.from < {before}")
    before = browser.run("explorer.view.from")
    browser.key("ArrowRight")
    browser.until(f"explorer.view.from > {before}")
    browser.until("location.hash.startsWith('#t=') && location.hash !== %r" % ALL)
    browser.key("0")
    browser.until("explorer.view.span > 1e10")


@point
def finds(browser, logs):
    """what is found by name or number is chosen"""
    for text, wanted in (("bet", 200), ("300", 300)):
        browser.key("/")
        browser.until("document.activeElement.id === 'query'")
        browser.run("document.querySelector('#query').value = ''")
        browser.type(text)
        browser.until("!document.querySelector('#found').hidden")
        browser.key("Enter")
        browser.until(f"explorer.view.log.processes[explorer.view.process]?.id === {wanted}")
    browser.key("Escape")
    browser.until("explorer.view.process === null")


@point
def takes_a_file(browser, logs):
    """an empty page takes a log, and one that is none is refused in words"""
    page = os.path.join(logs.folder, "empty.html")
    subprocess.run([TOOL, "explore", "--empty", "-o", page], check=True)
    browser.complaints.clear()
    browser.open(page)
    browser.until("!document.querySelector('#empty').hidden")
    give(browser, os.path.join(HERE, "browser.py"))
    browser.until("/no BCOS event log/.test(document.querySelector('#notice').textContent)")
    give(browser, os.path.join(logs.folder, "machine.log"))
    browser.until("document.documentElement.dataset.counted")
    row(browser, "CPU 1")
    same(browser.complaints, [], "complaints")


def give(browser, path):
    root = browser.call("DOM.getDocument")["root"]["nodeId"]
    node = browser.call("DOM.querySelector", nodeId=root, selector="#file")["nodeId"]
    browser.call("DOM.setFileInputFiles", nodeId=node, files=[path])


@point
def hostile(browser, logs):
    """damaged, hostile and odd logs open"""
    for path in sorted(glob.glob(os.path.join(HERE, "..", "golden", "*.log"))):
        log = logs.log(path)
        browser.complaints.clear()
        browser.run("document.documentElement.dataset.counted = ''")
        browser.run("document.querySelector('#notice').textContent = ''")
        give(browser, log)
        browser.until(f"document.title.startsWith({json.dumps(os.path.basename(path))}) && document.documentElement.dataset.counted")
        same(browser.complaints, [], path)
        same(page_cpus(browser), tool_cpus(log, 0, 18446744073), path)


@point
def dark(browser, logs):
    """the colours follow the reader's preference"""
    light = browser.run("getComputedStyle(document.body).backgroundColor")
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    browser.until(f"getComputedStyle(document.body).backgroundColor !== {light!r}")


def main():
    failed = 0
    print(f"1..{len(points)}")
    with tempfile.TemporaryDirectory() as folder, Browser() as browser:
        for number, test in enumerate(points, 1):
            try:
                test(browser, Logs(folder))
                print(f"ok {number} - {test.__doc__}", flush=True)
            except Exception:  # pylint: disable=broad-except
                failed = 1
                print(f"not ok {number} - {test.__doc__}", flush=True)
                for line in (traceback.format_exc() + "\n".join(browser.complaints)).splitlines():
                    print(f"# {line}")
    sys.exit(failed)


main()
