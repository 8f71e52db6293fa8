# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""explore_test.py BCOSLOG ASSEMBLE: the page of bcoslog explore, as a person uses it. TAP on standard output."""
import base64
import glob
import html
import json
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
import time
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


def tool_cpus(log, since=None, until=None):
    window = [] if since is None else ["--since", f"{since / 1e9:.9f}", "--until", f"{until / 1e9:.9f}"]
    keys = ("online_ns", "processes_ns", "kernel_ns", "idle_ns", "unknown_ns", "turns")
    lines = subprocess.run([TOOL, "cpu", "--json", *window, log],
                           capture_output=True, text=True, check=False).stdout.splitlines()
    return {cpu["cpu"]: [cpu[key] for key in keys] for cpu in map(json.loads, lines) if cpu["cpu"] != "all"}


def alike(got, wanted, what):
    """The same, but for what a number of JavaScript cannot hold: more than 104 days, which only damage makes of our logs."""
    same({cpu: [float(number) for number in numbers] for cpu, numbers in got.items()},
         {cpu: [float(number) for number in numbers] for cpu, numbers in wanted.items()}, what)


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
    selection = browser.run("[explorer.viewport.selection.from, explorer.viewport.selection.to]")
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
    browser.until("explorer.viewport.span < 8e9")
    at = browser.run("explorer.ruler.time(%f)" % (x - box(browser, "#over")["x"]))
    assert abs(at - 3e9) < 3e7, at
    before = browser.run("explorer.viewport.from")
    browser.drag(x, y, x + 100, y)
    browser.until(f"explorer.viewport.from < {before}")
    before = browser.run("explorer.viewport.from")
    browser.key("ArrowRight")
    browser.until(f"explorer.viewport.from > {before}")
    browser.until("location.hash.startsWith('#t=') && location.hash !== %r" % ALL)
    browser.key("0")
    browser.until("explorer.viewport.span > 1e10")


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
        browser.until(f"explorer.viewport.log.processes[explorer.viewport.process]?.id === {wanted}")
    browser.key("Escape")
    browser.until("explorer.viewport.process === null")


def side(browser):
    return browser.run("document.querySelector('#side').innerText")


def choose(browser, process):
    browser.run(f"explorer.viewport.choose(explorer.viewport.log.processes.find(process => process.id === {process}).number)")


@point
def events(browser, logs):
    """events are marks, and tell in a pop-up what they are"""
    opened(browser, os.path.join(logs.folder, "machine.log.html"))
    for seconds, label, wanted in (
            (9, "CPU 1", ("Loss: records lost", "9.000000000 s", "1 s", "CPU 1", "lost 7 assignments: staging full")),
            (4.5, MARKUP, ("Event: event 0x00000008", "4.500000000 s", f"process 300 {MARKUP}", "critical (0xc0)", "\\u202eturned")),
            (1, "alpha", ("Event: event 0x00000007", "info (0x60)", "</script><script>document.title='markup'</script>")),
            (6, "beta2", ("New name", "beta2"))):
        browser.hover(x_of(browser, seconds), row(browser, label))
        text = browser.until("!document.querySelector('#popup').hidden && document.querySelector('#popup').innerText")
        for part in wanted:
            assert part in text, (part, text)
    same(browser.complaints, [], "complaints")


@point
def process_page(browser, logs):
    """a process has a page: its life, who ended it, what it used and took, its events"""
    before = browser.run("document.documentElement.dataset.curves ?? ''")
    choose(browser, 200)
    browser.until(f"(document.documentElement.dataset.curves ?? '') !== {before!r}")
    text = side(browser)
    # All of a CPU of a core that executes 2000000 instructions in 125 us, and takes 1 W more than idle.
    for part in ("beta2", "born\t4.000000000 s", "ended\t11.000000000 s", "SIGKILL", 'signal 9 code 0 from process 100 user 0 "alpha"', "3 s, 30 % of one",
                 "CPUs used, up to 1.00", "up to 16000 million instructions/s", "Power, up to 1.00 W", "Events (4)"):
        assert part in text.replace("\n", "\t"), (part, text)
    same(browser.run("[...document.querySelectorAll('.events li > span')].map(span => span.firstChild.nextSibling.nextSibling.textContent)"),
         ["Birth", "New name", "Event: who sent the signal", "End: ended by a signal of user space: SIGKILL"], "events")
    colour = pixel(browser, x_of(browser, 2), row(browser, "CPU 0"))
    assert colour != SECOND, "alpha stands out although beta was chosen"
    same(pixel(browser, x_of(browser, 9.5), row(browser, "CPU 0")), THIRD, "beta")
    browser.key("n")
    browser.until("document.querySelectorAll('.events li.on').length")
    text = browser.run("document.querySelector('#popup').innerText")
    assert text.startswith("New name") and "6.000000000 s" in text, text
    browser.key("p")
    browser.until("document.querySelector('#popup').innerText.startsWith('Birth')")
    browser.key("Escape")
    browser.until("document.querySelector('#popup').hidden && explorer.viewport.process === null")


@point
def device_page(browser, logs):
    """a device has a row and a page: what it transferred, and its latencies"""
    y = row(browser, "<b>disk</b>")
    before = browser.run("document.documentElement.dataset.curves")
    browser.click(x_of(browser, 8), y)
    browser.until(f"document.documentElement.dataset.curves !== {before!r}")
    text = side(browser).replace("\n", "\t")
    for part in ("<b>disk</b>", "device\t0x00000000", "driver\tthe kernel", "input, output\t4 KiB, 8 KiB", "interrupts\t1", "median\t500 ns"):
        assert part in text, (part, text)
    same(pixel(browser, x_of(browser, 2), y - 3), FIRST, "input")
    same(pixel(browser, x_of(browser, 2.5), y + 2), SECOND, "output")
    same(pixel(browser, x_of(browser, 2.5), y - 3), pixel(browser, x_of(browser, 8), y - 3), "no input")
    browser.key("Escape")
    browser.until("explorer.viewport.device === null")


@point
def tracks(browser, logs):
    """curves of CPUs, I/O and power are what the log says"""
    browser.until("explorer.tracks.tracks.length === 3")
    at = "(track, column, seconds) => { const { data } = explorer.tracks.tracks[track].plot; " \
         "return data[column][data[0].findIndex(x => x > (seconds - 1) * 1e9)]; }"
    # Of two CPUs: what processes have; these and the kernel; these and what is unknown.
    for seconds, shares in ((4, [1, 1, 1]), (6, [0.5, 0.5, 0.5]), (7.5, [1, 1, 0.5]), (9.5, [1, 0.5, 0.5]), (10.5, [0.5, 0.5, 0.5])):
        same([round(browser.run(f"({at})(0, {column}, {seconds})"), 3) for column in (1, 2, 3)], shares, f"CPUs at {seconds}")
    # A core takes 2 W, and 1 W more when busy.
    for seconds, power in ((4, 6), (6, 5)):
        same(round(browser.run(f"({at})(2, 1, {seconds})"), 3), power, f"power at {seconds}")
    same(round(browser.run("(({ data }, width) => data[1].reduce((a, b) => a + b) * width / 1e9)"
                           "(explorer.tracks.tracks[1].plot, explorer.viewport.span / (explorer.tracks.tracks[1].plot.data[0].length))")), 4096, "bytes of input")


def churning(folder):
    """A log of 80000 turns: in each millisecond of the CPU "first" has it for 0.5 ms, "second" for 0.25, and nobody then."""
    def entry(kind, source, time, body):
        body += bytes(-len(body) % 4)
        return struct.pack("<HHIQI", 20 + len(body), kind, source, time, 0) + body

    number = struct.Struct("<I").pack
    parts = [entry(0xA000, 0, 10, bytes(4)), entry(0xC000, 0, 10, number(0)), entry(0x8000, 0, 0, b"kernel"), entry(0x8000, 7, 20, b"first"),
             entry(0x8000, 8, 20, b"second"), entry(0xC002, 0, 30, number(0xFFFFFFFF))]
    for ms in range(80000 // 3):
        for part, process in ((0, 7), (500000, 8), (750000, 0xFFFFFFFF)):
            parts.append(entry(0x4002, 0, 1000000000 + ms * 1000000 + part, number(process)))
    path = os.path.join(folder, "churning.log")
    with open(path, "wb") as file:
        file.write(b"".join(parts))
    return path


@point
def many_turns(browser, logs):
    """where many turns share a pixel, its height tells their shares; nearer, each is seen"""
    log = churning(logs.folder)
    opened(browser, logs.page(log), "#t=2000000000+20000000000")
    cpu, rows = row(browser, "CPU 0"), box(browser, "#rows")
    x = rows["x"] + 300
    # The row is 22 pixels high: of its upper quarter nothing is anybody's, the rest is of the one that had most.
    same(pixel(browser, x, cpu + 6), FIRST, "the lower part")
    same(pixel(browser, x, cpu - 4), FIRST, "what the other had too")
    idle = pixel(browser, x, cpu - 9)
    assert idle not in (FIRST, SECOND), idle
    own = row(browser, "second")
    same(pixel(browser, x, own + 6), SECOND, "a quarter of its row")
    assert pixel(browser, x, own - 6) != SECOND
    opened(browser, logs.page(log), "#t=2000000000+1000000")
    width = box(browser, "#rows")["width"]
    for part, color in ((0.25, FIRST), (0.6, SECOND), (0.9, idle)):
        same(pixel(browser, rows["x"] + part * width, cpu - 9), color, f"at {part}")


@point
def links(browser, logs):
    """a link leads to the window, the selection and the process"""
    opened(browser, os.path.join(logs.folder, "machine.log.html"), "#t=5000000000+1000000000&s=5200000000+300000000&p=1")
    same(browser.run("[explorer.viewport.from, explorer.viewport.span, explorer.viewport.selection.from, explorer.viewport.selection.to, explorer.viewport.process]"),
         [4000000000, 1000000000, 4200000000, 4500000000, 1], "the view")
    same(browser.run("explorer.selected.online_ns"), 600000000, "two CPUs for 0.3 s")


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
def takes_what_is_dropped(browser, logs):
    """a log that is dropped on the empty page opens"""
    browser.complaints.clear()
    browser.open(os.path.join(logs.folder, "empty.html"))
    browser.until("!document.querySelector('#empty').hidden")
    drag = {"items": [], "files": [os.path.join(logs.folder, "machine.log")], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver"):
        browser.call("Input.dispatchDragEvent", type=kind, x=600, y=400, data=drag)
    browser.until("document.body.classList.contains('drop')")
    browser.call("Input.dispatchDragEvent", type="drop", x=600, y=400, data=drag)
    browser.until("document.documentElement.dataset.counted")
    row(browser, "CPU 1")
    same(browser.run("[document.title, document.querySelector('#empty').hidden, document.body.classList.contains('drop')]"),
         ["machine.log – bcoslog explorer", True, False], "the page")
    same(browser.complaints, [], "complaints")


@point
def prints(browser, logs):
    """on paper the rows and the totals are there, and what can be pressed is not"""
    opened(browser, os.path.join(logs.folder, "machine.log.html"))
    browser.call("Emulation.setEmulatedMedia", media="print")
    shown = "(selector => getComputedStyle(document.querySelector(selector)).display !== 'none')"
    for selector, there in ((".buttons", False), ("#find", False), ("#rows", True), ("#side", True), ("#ruler", True)):
        same(browser.run(f"{shown}({selector!r})"), there, selector)
    same(browser.run("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)", "paper")
    # Nothing of the panel is cut off where the window ends.
    same(browser.run("['body', '#side'].map(name => getComputedStyle(document.querySelector(name)).overflowY)"), ["visible", "visible"],
         "what does not fit")
    # Who prefers a dark screen does not print a black picture: where CPU 0 is idle, nearly all light comes back.
    browser.call("Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    browser.run("new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(() => go(1))))")
    browser.until("explorer.palette === false")
    idle = pixel(browser, x_of(browser, 6), row(browser, "CPU 0"))
    assert min(idle) > 200, f"idle is {idle} on paper"
    pdf = base64.b64decode(browser.call("Page.printToPDF", printBackground=True)["data"])
    assert pdf.startswith(b"%PDF-") and len(pdf) > 5000, len(pdf)
    browser.call("Emulation.setEmulatedMedia", media="", features=[{"name": "prefers-color-scheme", "value": "light"}])
    same(browser.complaints, [], "complaints")


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
        alike(page_cpus(browser), tool_cpus(log), path)


@point
def any_bytes(browser, logs):
    """logs with bytes changed, cut out and doubled at random open"""
    seed = int(os.environ.get("SEED") or time.time_ns() % 1000000)
    print(f"# SEED={seed}")
    chance = random.Random(seed)
    with open(os.path.join(logs.folder, "machine.log"), "rb") as file:
        whole = file.read()
    for number in range(25):
        log = bytearray(whole)
        for _ in range(chance.randint(1, 12)):
            at, length = chance.randrange(len(log)), chance.randint(1, 40)
            what = chance.randrange(3)
            if what == 0:
                log[at] = chance.randrange(256)
            elif what == 1 and len(log) > 200:
                del log[at:at + length]
            else:
                log[at:at] = log[at:at + length]
        path = os.path.join(logs.folder, f"random{number}.log")
        with open(path, "wb") as file:
            file.write(log)
        browser.complaints.clear()
        browser.run("document.documentElement.dataset.counted = ''; document.querySelector('#notice').textContent = ''")
        give(browser, path)
        browser.until(f"document.title.startsWith('random{number}.log') && (document.documentElement.dataset.counted"
                      " || /no BCOS event log/.test(document.querySelector('#notice').textContent))")
        same(browser.complaints, [], path)
        if browser.run("document.documentElement.dataset.counted"):
            alike(page_cpus(browser), tool_cpus(path), path)


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
