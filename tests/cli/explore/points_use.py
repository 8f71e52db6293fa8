# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""The page of bcoslog explore as a person uses it: it opens, zooms, finds, tells, and takes a log."""
import base64
import html
import os
import re
import subprocess

from pages import ALL, HERE, TOOL, assigned, box, give, has_text, machine, opened, point, row, same, taken, x_of


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
    # The licence of uPlot demands to be kept with it.
    assert "Permission is hereby granted, free of charge" in text and "Leon Sorokin" in text


@point
def opens(browser, logs):
    """it opens, complains of nothing and loads nothing"""
    page = machine(browser, logs, load=True) + ".html"
    same(browser.complaints, [], "complaints")
    same([url for url in browser.requests if not url.startswith("data:")], [f"file://{page}"], "requests")
    same(browser.run("document.title"), "machine.log – bcoslog explorer", "the title")


@point
def policy(browser, logs):
    """its policy refuses any other script, and any connection"""
    machine(browser, logs)
    browser.run("document.body.append(Object.assign(document.createElement('script'), { textContent: 'globalThis.planted = true' }))")
    same(browser.run("globalThis.planted"), None, "a planted script")
    same(browser.run("fetch('data:,x').then(() => 'went', () => 'refused')"), "refused", "a connection")
    browser.complaints.clear()


@point
def hovers(browser, logs):
    """a pop-up tells what is at the pointer"""
    machine(browser, logs)
    browser.hover(x_of(browser, 2), row(browser, "CPU 0"))
    has_text(browser, "#popup", "alpha", "100", "1.000000000 s", "4 s")
    browser.hover(x_of(browser, 9.5), row(browser, "CPU 1"))
    has_text(browser, "#popup", "Unknown: the log does not tell")


@point
def zooms(browser, logs):
    """the wheel zooms at the pointer, drags and keys move, 0 shows all"""
    machine(browser, logs)
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
    machine(browser, logs)
    for text, parts, kind, wanted in (("bet", ("beta2", "200"), "process", 200), ("300", ("<img", "300"), "process", 300),
                                      ("gpu", ("gpu0", "device 0xc0000001"), "device", 0xC0000001),
                                      ("0xc0000001", ("gpu0", "device 0xc0000001"), "device", 0xC0000001)):
        browser.key("/")
        browser.until("document.activeElement.id === 'query'")
        browser.run("document.querySelector('#query').value = ''")
        browser.type(text)
        has_text(browser, "#found li.on", *parts)
        browser.key("Enter")
        browser.until(f"explorer.viewport.log.{'processes' if kind == 'process' else 'devices'}[explorer.viewport.{kind}]?.id === {wanted}")
    browser.key("Escape")
    browser.until("explorer.viewport.device === null")


def looked_for(browser, text):
    """Type into the search.  Return: what it offers, each with the texts of its parts."""
    browser.key("/")
    browser.until("document.activeElement.id === 'query'")
    browser.run("document.querySelector('#query').value = ''")
    browser.type(text)
    return browser.run("[...document.querySelectorAll('#found [role=option]')].map(item => [...item.querySelectorAll('span:not(.swatch)')].map(part => part.textContent))")


@point
def finds_former_names(browser, logs):
    """a process or device is found by a name that it had before, which is said"""
    opened(browser, logs.page(logs.log(os.path.join(HERE, "names.log"))), "")
    for text, wanted in (
            # A former name that begins with the text comes before a name that has it somewhere.
            ("sh", [["cc1", "10", "formerly sh"], ["bash", "20"]]),
            ("MAK", [["cc1", "10", "formerly <i>Make</i>"]]),
            ("slee", [["python", "30", "formerly sleep"]]),
            ("python", [["python", "30"]]),
            ("eth0", [["wan0", "device 0xc0000001", "formerly eth0"]]),
            ("zsh", [])):
        same(looked_for(browser, text), wanted, f"what is found by {text}")
        browser.key("Escape")
    looked_for(browser, "sh")
    browser.key("Enter")
    has_text(browser, "#side", "cc1", "process\t10", "formerly\t<i>Make</i>, make, sh")
    looked_for(browser, "eth")
    browser.key("Enter")
    has_text(browser, "#side", "wan0", "formerly\teth0", "driver\tbash 20")
    looked_for(browser, "python")
    browser.key("Enter")
    has_text(browser, "#side", "process\t30", "formerly\tsleep\t")
    same(browser.run("document.querySelectorAll('i:not(.label i)').length"), 0, "elements out of names")
    browser.key("Escape")
    same(browser.complaints, [], "complaints")


@point
def links(browser, logs):
    """a link leads to the window, the selection and the process"""
    log = machine(browser, logs, "#t=5000000000+1000000000&s=5200000000+300000000&p=200@4000000000", load=True)
    view = "[explorer.viewport.from, explorer.viewport.span, explorer.viewport.selection?.from, explorer.viewport.selection?.to, " \
           "explorer.viewport.log.processes[explorer.viewport.process]?.id, explorer.viewport.log.devices[explorer.viewport.device]?.id]"
    same(browser.run(view), [4000000000, 1000000000, 4200000000, 4500000000, 200, None], "the view")
    same(browser.run("explorer.selected.online_ns"), 600000000, "two CPUs for 0.3 s")
    # The address leads back to the view that it keeps, and an ID alone is enough.
    browser.run("explorer.viewport.chooseDevice(explorer.viewport.log.devices.find(device => device.name === 'gpu0').number)")
    browser.until("location.hash.endsWith('&d=3221225473@45')")
    opened(browser, log + ".html", browser.run("location.hash"), load=True)
    same(browser.run(view), [4000000000, 1000000000, 4200000000, 4500000000, None, 0xC0000001], "the view again")
    opened(browser, log + ".html", "#p=300")
    same(browser.run(view)[4], 300, "a process by its ID")
    same(browser.run("explorer.viewport.selection"), None, "what the link does not name is not selected")
    for wrong in ("#p=301", "#p=x", "#t=5+", "#s=1+1&d=99", "#t=99999999999999999999+99999999999999999999", "#%00<script>"):
        opened(browser, log + ".html", wrong)
        same(browser.run(view)[4:], [None, None], wrong)
        same(browser.complaints, [], wrong)


@point
def link_is_in_sight(browser, logs):
    """the row of a process that a link leads to is in sight"""
    log = assigned(logs.folder, "many.log", {number: f"p{number}" for number in range(1, 81)}, [(10**9, 1), (2 * 10**9, 2)])
    inside = "(row => row.top >= explorer.rows.scroll.scrollTop && row.top < explorer.rows.scroll.scrollTop + explorer.rows.scroll.clientHeight)" \
             "(explorer.rows.rowOf(PROCESS_ROW, explorer.viewport.process))"
    for load in (True, False):
        opened(browser, logs.page(log), "#p=80", load)
        same(browser.run("explorer.rows.height > 2 * explorer.rows.scroll.clientHeight"), True, "not all rows are in sight")
        same(browser.run(inside), True, f"the row of the process is, when the page is {'loaded' if load else 'open'}")
        opened(browser, logs.page(log), "#p=1", load)
        same(browser.run(inside), True, "the first row")


@point
def takes_a_file(browser, logs):
    """an empty page takes a log, and one that is none is refused in words"""
    log, page = logs.log(os.path.join(HERE, "machine.log")), os.path.join(logs.folder, "empty.html")
    subprocess.run([TOOL, "explore", "--empty", "-o", page], check=True)
    browser.complaints.clear()
    browser.open(page)
    browser.until("!document.querySelector('#empty').hidden")
    give(browser, os.path.join(HERE, "browser.py"))
    browser.until("/no BCOS event log/.test(document.querySelector('#notice').textContent)")
    for _ in ("once", "the same file again"):
        browser.run("delete document.documentElement.dataset.counted")
        give(browser, log)
        browser.until("document.documentElement.dataset.counted")
        row(browser, "CPU 1")
    same(browser.complaints, [], "complaints")


@point
def another_log(browser, logs):
    """what the address says of one log is not said of another one that is opened there"""
    machine(browser, logs, "#t=2000000000+1000000000&s=2000000000+500000000")
    browser.until("explorer.viewport.selection && location.hash.includes('s=2000000000')")
    log = logs.log(os.path.join(HERE, "..", "golden", "devices.log"))
    same(taken(browser, log), True, "it opens")
    same(browser.run("[explorer.viewport.selection, explorer.totalsOf, explorer.viewport.from < 0]"), [None, "all", True], "the view")


@point
def takes_what_is_dropped(browser, logs):
    """a log that is dropped on the empty page opens"""
    browser.complaints.clear()
    log, page = logs.log(os.path.join(HERE, "machine.log")), os.path.join(logs.folder, "empty.html")
    subprocess.run([TOOL, "explore", "--empty", "-o", page], check=True)
    browser.open(page)
    browser.until("!document.querySelector('#empty').hidden")
    drag = {"items": [], "files": [log], "dragOperationsMask": 1}
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
def wall_clock_on_the_axis(browser, logs):
    """the axis shows the wall clock that held at each time, also after it was set"""
    logs.open(browser, "clock.log")
    same(browser.run("document.querySelector('#corner').innerText"), "seconds since boot", "the axis at first")
    browser.key("c")
    browser.until("document.querySelector('#corner').innerText === 'wall clock, UTC'")
    # 10 s since boot are 1700000000, which is 22:13:20; at 13 s the clock says 1699996403, an hour before.
    texts = browser.run("[10, 12.5, 12.999, 13, 14].map(s => explorer.ruler.label(s * 1e9 - Number(explorer.viewport.log.begin), 1e8))")
    same(texts, ["22:13:20.0", "22:13:22.5", "22:13:22.9", "21:13:23.0", "21:13:24.0"], "marks")
    # Marks are round by the clock of the axis.
    browser.run("explorer.viewport.show(0, 1e8)")
    marks = browser.run("(({ marks, distance }) => marks.map(at => explorer.ruler.label(at, 1)))(explorer.ruler.marks())")
    assert marks and all(mark.endswith("000000") for mark in marks), marks
    browser.run("document.querySelector('#corner').click()")
    browser.until("document.querySelector('#corner').innerText === 'seconds since boot'")
    machine(browser, logs)
    browser.key("c")
    same(browser.run("[document.querySelector('#corner').innerText, document.querySelector('#corner').disabled]"),
         ["seconds since boot", True], "a log that does not state the wall clock")
