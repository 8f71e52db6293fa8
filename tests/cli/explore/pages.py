# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""What the tests of the page of bcoslog explore share: logs and pages of them, where things are on the screen, expectations."""
import json
import os
import struct
import subprocess
import sys
import time

from browser import Failed

HERE = os.path.dirname(os.path.abspath(__file__))
TOOL, ASSEMBLE = sys.argv[1:3]
BUILD = os.path.dirname(os.path.dirname(ASSEMBLE))
MARKUP = "<img src=x onerror=document.title='markup'>"
ALL = "#t=1000000000+10000000000"
# The colours of processes, as bcoslog-explore(1) has them.
COLORS = ((0x00, 0x72, 0xB2), (0xE6, 0x9F, 0x00), (0x00, 0x9E, 0x73), (0xCC, 0x79, 0xA7), (0x56, 0xB4, 0xE9), (0xD5, 0x5E, 0x00),
          (0x55, 0x22, 0x99), (0xEE, 0xCC, 0x22), (0x77, 0x00, 0x66), (0xAA, 0xEE, 0x99), (0x99, 0x22, 0x00), (0x22, 0xDD, 0xFF),
          (0x88, 0x33, 0x77), (0xAA, 0xCC, 0x88))
LOSS = (0xB3, 0x26, 0x1E)

points = []


def point(test):
    points.append(test)
    return test


def color(process):
    """The ID modulo 14 chooses."""
    return COLORS[process % 14]


def looks(process):
    """All colours of a wide part of a process' bar: the quotient modulo 3 chooses whether it is plain, striped or lined, and the
    lines have 25 % of black, or of white on a dark colour."""
    own = color(process)
    to = 0 if sum(part * weight for part, weight in zip(own, (0.299, 0.587, 0.114))) > 140 else 255
    return {own} if process // 14 % 3 == 0 else {own, tuple(int(part + (to - part) * 0.25 + 0.5) for part in own)}


class Logs:
    """The logs that are written as text, and pages of them."""

    def __init__(self, folder):
        self.folder = folder

    def log(self, path):
        name = os.path.join(self.folder, os.path.basename(path))
        if os.path.exists(name):
            return name
        with open(name, "wb") as file:
            subprocess.run([ASSEMBLE, path], stdout=file, check=True)
        return name

    def page(self, log, *options):
        page = log + ".html"
        if os.path.exists(page) and not options:
            return page
        result = subprocess.run([TOOL, "explore", *options, log, "-o", page], capture_output=True, text=True)
        assert result.returncode in (0, 1), result.stderr
        return page

    def open(self, browser, name):
        """Open the page of a log of the golden tests, all of it.  Return: the log."""
        log = self.log(os.path.join(HERE, "..", "golden", name))
        opened(browser, self.page(log), "")
        return log


def entry(kind, source, time, body):
    body += bytes(-len(body) % 4)
    return struct.pack("<HHIQI", 20 + len(body), kind, source, time, 0) + body


def assigned(folder, name, names, turns):
    """A log of one CPU: @names by ID, @turns of (ns, ID); nobody has it before the first one."""
    number = struct.Struct("<I").pack
    parts = [entry(0xA000, 0, 10, bytes(4)), entry(0xC000, 0, 10, number(0)), entry(0x8000, 0, 0, b"kernel"),
             *(entry(0x8000, process, 20, text.encode()) for process, text in names.items()), entry(0xC002, 0, 30, number(0xFFFFFFFF)),
             *(entry(0x4002, 0, at, number(process)) for at, process in turns)]
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(b"".join(parts))
    return path


# This resets what the address does not keep.
LEAD = """(fragment => {
    for (const what of ["drawn", "counted", "tracks"]) delete document.documentElement.dataset[what];
    document.querySelector("#query").value = "";
    document.activeElement.blur();
    hidePopup();
    explorer.ruler.pointer = null;
    document.querySelector("#scroll").scrollTop = 0;
    history.replaceState(null, "", fragment || "#");
    dispatchEvent(new Event("hashchange"));
})(%s)"""


def opened(browser, page, fragment=ALL, load=False):
    """Open a page, and wait until it is drawn with all of its curves, and counted: nothing moves afterwards. A page that is open
    already is led to the fragment, as by a link in it, unless it has to @load."""
    browser.complaints.clear()
    browser.requests.clear()
    if browser.page == page and not load:
        browser.run(LEAD % json.dumps(fragment))
    else:
        browser.open(page, fragment)
    browser.until("(page => page?.drawn && page.counted && page.tracks)(document.documentElement?.dataset)")


def machine(browser, logs, fragment=ALL, load=False):
    """Open the page of machine.log.  Return: the log."""
    log = logs.log(os.path.join(HERE, "machine.log"))
    opened(browser, logs.page(log), fragment, load)
    return log


def choose(browser, process):
    browser.run(f"explorer.viewport.choose(explorer.viewport.log.processes.find(process => process.id === {process}).number)")


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


def pixel(browser, x, y, canvas="#rows"):
    place = box(browser, canvas)
    return tuple(browser.run(f"Array.from(document.querySelector({canvas!r}).getContext('2d').getImageData("
                             f"{int(x - place['x'])}, {int(y - place['y'])}, 1, 1).data)"))[:3]


def part(browser, x, y, width=8, height=8):
    """The colours of a part of the rows, about this place."""
    place = box(browser, "#rows")
    data = browser.run(f"Array.from(document.querySelector('#rows').getContext('2d').getImageData({int(x - place['x']) - width // 2}, "
                       f"{int(y - place['y']) - height // 2}, {width}, {height}).data)")
    return {tuple(data[at:at + 3]) for at in range(0, len(data), 4)}


def same(got, wanted, what=""):
    assert got == wanted, f"{what}: {got!r} in the place of {wanted!r}"


def becomes(get, wanted, what="", seconds=60):
    """Wait until what @get returns is what is wanted: a picture, a count or a text may come later."""
    end = time.monotonic() + seconds
    got = get()
    while got != wanted and time.monotonic() < end:
        time.sleep(0.02)
        got = get()
    same(got, wanted, what)


def has_text(browser, selector, *parts):
    """Wait until this element is there and has all of these parts in its text; a line's end counts as a tab."""
    shown = (f"(element => element && !element.hidden && {json.dumps(parts)}.every(part => "
             f"element.innerText.replaceAll('\\n', '\\t').includes(part)))(document.querySelector({selector!r}))")
    try:
        browser.until(shown)
    except Failed:
        text = browser.run(f"document.querySelector({selector!r}).innerText").replace("\n", "\t")
        raise AssertionError(f"{[part for part in parts if part not in text]} missing in {text!r}") from None


def give(browser, path):
    root = browser.call("DOM.getDocument")["root"]["nodeId"]
    node = browser.call("DOM.querySelector", nodeId=root, selector="#file")["nodeId"]
    browser.call("DOM.setFileInputFiles", nodeId=node, files=[path])


def taken(browser, path):
    """Give a log to the page, and wait until it is counted, or refused."""
    browser.complaints.clear()
    browser.page = None
    browser.run("document.documentElement.dataset.counted = ''; document.querySelector('#notice').textContent = ''")
    give(browser, path)
    browser.until(f"explorer.source?.name === {json.dumps(os.path.basename(path))} && document.documentElement.dataset.counted"
                  " || /no BCOS event log/.test(document.querySelector('#notice').textContent)")
    return bool(browser.run("document.documentElement.dataset.counted"))
