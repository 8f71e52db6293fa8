# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Hostile and damaged logs in the page of bcoslog explore: no crash, no hang, and no name that is more than text."""
import base64
import glob
import json
import os
import random
import re
import shutil
import subprocess
import time

from pages import BUILD, HERE, MARKUP, TOOL, box, machine, opened, point, row, same, taken
from points_totals import alike, selected

TESTS = os.path.join(HERE, "..", "..")
# The names have markup, the ends of what a name may stand in, characters that turn the direction of writing or ring the
# bell of a terminal, and words of JavaScript.
NAMES = [MARKUP, "</script><script>document.title='markup'</script>", "</title></style><svg onload=document.title='markup'>",
         "\" onclick=\"document.title='markup'", "'><u>quoted</u>&lt;u&gt;&#60;u&#62;", "<!--]]>", "\u202eturned\u2066inside",
         "\x1b[31mred\x07\x7f", "one\nline\r\tand\u2028two\u2029", "\ufeff\u200b\u200f\u061c\u0085\u009b31m", "__proto__", "constructor",
         "${document.title='markup'}%s%n\\u003cu\\u003e", "<u>" + "long " * 400]

# audit() returns what is wrong with the page: an element or attribute that none of its parts makes, and a character
# that is no plain text, wherever it stands, also in a picture. The scripts are the engine, uPlot and the page itself.
AUDIT = r"""if (!globalThis.audit) {
    const known = new Set(("html head meta link title style body header h1 h2 h3 span div label input ol ul li button p " +
        "main section canvas aside dl dt dd table thead tbody tr th td b i time kbd form dialog code strong script").split(" "));
    const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;
    const { fillText } = CanvasRenderingContext2D.prototype;
    globalThis.drawnTexts = new Set();
    CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
        drawnTexts.add(text);
        return fillText.call(this, text, ...place);
    };
    globalThis.audit = (part = document) => {
        const wrong = [], text = (what, where) => { if (control.test(what)) wrong.push(`${where}: ${JSON.stringify(what)}`); };
        for (const element of part.querySelectorAll("*:not(script, style)")) {
            const tag = element.localName;
            if (!known.has(tag)) wrong.push(element.outerHTML.slice(0, 80));
            if (["b", "i", "time", "title", "td", "h3"].includes(tag) && element.querySelector(":scope > :not(.swatch)"))
                wrong.push(element.outerHTML.slice(0, 80));
            for (const { name, value } of element.attributes) {
                if (name.startsWith("on")) wrong.push(`${tag} ${name}`);
                text(value, `${tag} ${name}`);
            }
            for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) text(node.data, tag);
        }
        const scripts = document.querySelectorAll("script").length;
        if (scripts !== 3) wrong.push(`${scripts} scripts`);
        for (const drawn of drawnTexts) text(drawn, "a picture");
        if (document.title === "markup") wrong.push("the title");
        return wrong.slice(0, 5);
    };
}"""


def sound(browser, what):
    same(browser.run(f"{AUDIT}\naudit()"), [], what)
    same(browser.complaints, [], what)


def quoted(text):
    return '"' + "".join(chr(byte) if 0x20 <= byte < 0x7f and byte not in b'"\\' else f"\\x{byte:02x}" for byte in text.encode()) + '"'


def hostile_names(folder):
    """The text of a log that has each of NAMES as a name, a former name and a text of a process and of a device, and as a parent,
    a program and who sent a signal; each process has the CPU once."""
    lines = ['10 0 h-core 0 h:1000 h:500 2000000', '10 0 h-cpu 0 0', '0 4294967295 h-process 0 "kernel"']
    for number, name in enumerate(NAMES):
        process, device, at, text = 100 + number, 0xC0000001 + number, (number + 1) * 1000000, quoted(name)
        lines += [f"{at} 1 process {process} {text}", f"{at + 1} 1 process-event {process} 0xC0000005 b:0x40 {text}",
                  f"{at + 2} 1 process-event {process} 0xC0000006 b:0x40 {text}", f"{at + 3} 1 assign 0 {process}",
                  f"{at + 4} 1 device {device} {process} {text}", f"{at + 5} 1 device-event {device} 7 b:0x80 {text}",
                  f"{at + 6} 1 input {device} 512", f"{at + 7} 1 irq {device} 0", f"{at + 8} 1 process-event {process} 9 b:0xC0 {text}",
                  f"{at + 9} 1 cpu-event 0 7 b:0x80 {text}"]
        lines += [f"{at + 500000} 1 process {process} {quoted('now ' + name)}", f"{at + 500001} 1 device {device} {process} {quoted('now ' + name)}",
                  f"{at + 900000} 1 process-event {process} 0xC0000004 b:0x40 {text}"]
    end = (len(NAMES) + 1) * 1000000
    lines += [f"{end} 1 end {100 + len(NAMES) - 1} 0x80000009", f"{end} 1 cpu-event 0 0x80000001 b:0x80 {quoted(MARKUP)}"]
    path = os.path.join(folder, "names_text.log")
    with open(path, "w", encoding="ascii") as file:
        file.write("\n".join(lines) + "\n")
    return path


def hostile_page(browser, logs):
    """Open a page whose log has hostile names, and a hostile name."""
    log = os.path.join(logs.folder, "\"><img src=x onerror=document.title='markup'>\u202e&amp;.log")
    if not os.path.exists(log):
        os.makedirs(os.path.join(logs.folder, "text"), exist_ok=True)
        shutil.copy(logs.log(hostile_names(os.path.join(logs.folder, "text"))), log)
    opened(browser, logs.page(log), "", load=True)


# This opens the page of each process and device, each event of their lists, and the pop-up of the row. A process has a
# birth, a new name and four events, a device has a birth, a new name and one event; there is one end, and a loss that
# each process has.  Returns: what is wrong, and how many events there were.
ITEMS = """(() => {
    const { viewport } = explorer, wrong = [], popup = document.querySelector("#popup");
    let events = 0;
    for (const [kind, choose, content] of [["processes", "choose", processContent], ["devices", "chooseDevice", deviceContent]])
        for (const item of viewport.log[kind]) {
            viewport[choose](item.number);
            for (let at = 0; at < document.querySelectorAll(".events li").length; at++, events++) {
                popup.hidden = true;
                document.querySelectorAll(".events li")[at].click();
                if (popup.hidden) wrong.push(`no pop-up of ${kind} ${item.number}`);
                wrong.push(...audit(popup));
            }
            wrong.push(...audit());
            showPopup(content(viewport, item), 9, 9);
            wrong.push(...audit(popup));
        }
    return [wrong.slice(0, 5), events];
})()"""
# This shows the rows from near, where they have the names of those who have the CPU, and the pop-ups there.
NEAR = """(() => {
    const wrong = [], { viewport, engine } = explorer;
    viewport.choose(null);
    document.querySelector("#scroll").scrollTop = 0;
    for (let at = 0; at < viewport.log.span; at += 1e6) {
        viewport.show(at, 2e6);
        explorer.draw();
        showPopup(cpuContent(viewport, viewport.log.cpus[0], engine.query("query_cpu", 0, at)), 9, 9);
        wrong.push(...audit());
    }
    return [wrong.slice(0, 5), [...drawnTexts].filter(text => text.startsWith("now __pr") || text.startsWith("now \\\\u202e")).length];
})()"""


@point
def names_are_text(browser, logs):
    """names and texts are text, with markup or without, wherever they stand"""
    hostile_page(browser, logs)
    same(browser.run("explorer.viewport.log.processes.length"), len(NAMES) + 1, "processes")
    same(browser.run("document.title.includes('<img src=x') && document.querySelector('#name').textContent.includes('<img src=x')"), True,
         "the name of the log")
    sound(browser, "the rows and totals")
    same(browser.run(ITEMS), [[], 10 * len(NAMES) + 2], "pages of processes and devices")
    same(browser.run(NEAR), [[], 2], "rows")
    for text in ("u", "<", "markup", "now", "\u202e", "long", "proto", "0"):
        browser.key("/")
        browser.run("document.querySelector('#query').value = ''")
        browser.type(text)
        browser.until("document.querySelectorAll('#found li').length")
        sound(browser, f"what is found by {text!r}")
        browser.key("Escape")
    browser.hover(600, row(browser, "CPU 0"))
    browser.until("!document.querySelector('#popup').hidden")
    browser.run("dispatchEvent(new Event('beforeprint'))")
    sound(browser, "paper")
    browser.run("dispatchEvent(new Event('afterprint'))")
    # A name of 2000 characters leaves room for the rest.
    browser.run("explorer.viewport.choose(explorer.viewport.log.processes.find(({ name }) => name.length > 1999).number)")
    browser.run("document.querySelectorAll('.events li')[0].click()")
    heights = [box(browser, "#side h2")["height"], box(browser, "#popup")["height"]]
    assert heights[0] <= 150 and heights[1] <= 640, heights
    browser.page = None

# The texts of the marks that entries are missing.
MISSED = """(() => {
    const texts = [];
    for (let number = 0, event; (event = explorer.engine.query("describe_event", number)); number++)
        if (event.kind === "missed") texts.push(event.text);
    return texts;
})()"""


@point
def hostile(browser, logs):
    """damaged, hostile and odd logs open, with the totals of the tool, of all and of a part"""
    machine(browser, logs)
    for path in sorted(glob.glob(os.path.join(HERE, "..", "golden", "*.log"))):
        log = logs.log(path)
        same(taken(browser, log), True, f"{path} opens")
        alike(browser, log)
        if os.path.basename(path) == "damaged.log":
            same(browser.run(MISSED), ["nothing is recorded of 60 bytes: the log is damaged there"], "what is missing")
        begin, span = (int(value) for value in browser.run("[explorer.viewport.log.begin, explorer.viewport.log.span]"))
        if 3 < span < 1e15:
            since, until = begin + span // 3, begin + 2 * span // 3
            selected(browser, since, until)
            alike(browser, log, since, until)
        sound(browser, path)


def bytes_of(path):
    """A seed: bytes, or hexadecimal digits with comments."""
    with open(path, "rb") as file:
        data = file.read()
    if not path.endswith(".hex"):
        return data
    return bytes.fromhex(re.sub(r"#.*", "", data.decode()))


def seeds():
    """The logs of HOSTILE; without it, those from which fuzzers begin, and some of what they have found, if they have run."""
    if "HOSTILE" in os.environ:
        paths = sorted(glob.glob(os.path.join(os.environ["HOSTILE"], "*.log")))
        assert paths, f"no name in {os.environ['HOSTILE']} ends in .log"
        return [(path, bytes_of(path)) for path in paths]
    paths = sorted(glob.glob(os.path.join(TESTS, "abi", "golden", "**", "*.hex"), recursive=True))
    for name in ("reader", "account", "entry"):
        paths += sorted(glob.glob(os.path.join(BUILD, "fuzz", f"{name}.corpus", "*")))[:40]
    return [(os.path.relpath(path, TESTS), bytes_of(path)) for path in paths]


# This opens bytes as a dropped file is opened, and waits until it is counted.  Returns: are they a log?
OPEN = """(async text => {
    const counted = () => document.documentElement.dataset.counted;
    delete document.documentElement.dataset.counted;
    await explorer.open(ofFile(new File([Uint8Array.from(atob(text), character => character.charCodeAt(0))], "seed")));
    if (/no BCOS event log/.test(document.querySelector("#notice").textContent)) return false;
    while (!counted()) await new Promise(go => setTimeout(go, 1));
    explorer.draw();
    return true;
})("%s")"""


def open_bytes(browser, data, what):
    """The page opens a log, says that it is damaged, or that it is none, where the tool does.  Return: it is a log."""
    browser.page = None
    browser.complaints.clear()
    began = time.monotonic()
    is_log = browser.run(OPEN % base64.b64encode(data).decode())
    assert time.monotonic() - began < 30, f"{what} took {time.monotonic() - began} s"
    notice = browser.run("document.querySelector('#notice').textContent")
    status = subprocess.run([TOOL, "cpu", "--json", "-"], input=data, capture_output=True, check=False).returncode
    same((is_log, "The log is damaged" in notice, "This is no BCOS event log" in notice), (status < 2, status == 1, status == 2), f"{what}: {notice}")
    sound(browser, what)
    return is_log


@point
def fuzzers_seeds(browser, logs):
    """what fuzzers begin with, or the logs of HOSTILE, open or are refused in words, alone and within a log"""
    with open(machine(browser, logs), "rb") as file:
        whole = file.read()
    found = seeds()
    are_logs = [open_bytes(browser, data, path) for path, data in found]
    assert "HOSTILE" in os.environ or (are_logs.count(True) > 40 and are_logs.count(False) > 1), are_logs
    inside = os.path.join(logs.folder, "inside.log")
    with open(inside, "wb") as file:
        file.write(whole[:400] + b"".join(data for _, data in found) + whole[400:])
    same(taken(browser, inside), True, "a log with all of them inside")
    alike(browser, inside)
    sound(browser, inside)


@point
def truncated(browser, logs):
    """a log that is cut anywhere opens, and the page says that it is damaged"""
    machine(browser, logs)
    with open(logs.log(os.path.join(HERE, "names.log")), "rb") as file:
        whole = file.read()
    # The file is cut at all places in the first entry, and at some of the others.
    for length in [*range(0, int.from_bytes(whole[:2], "little") + 2), *range(57, len(whole), 31)]:
        open_bytes(browser, whole[:length], f"{length} bytes")


@point
def any_bytes(browser, logs):
    """logs with bytes changed, cut out and doubled at random open"""
    seed = int(os.environ.get("SEED") or time.time_ns() % 1000000)
    print(f"# SEED={seed}")
    chance = random.Random(seed)
    machine(browser, logs)
    wholes = []
    for log in (logs.log(os.path.join(HERE, "machine.log")), logs.log(os.path.join(HERE, "..", "golden", "losses.log"))):
        with open(log, "rb") as file:
            wholes.append(file.read())
    for number in range(25):
        log = bytearray(wholes[number % 2])
        for _ in range(chance.randint(1, 12)):
            at, length = chance.randrange(len(log)), chance.randint(1, 40)
            what = chance.randrange(4)
            if what == 0:
                log[at] = chance.randrange(256)
            elif what == 1:
                log[at] ^= 1 << chance.randrange(8)
            elif what == 2 and len(log) > 200:
                del log[at:at + length]
            else:
                log[at:at] = log[at:at + length]
        path = os.path.join(logs.folder, f"random{number}.log")
        with open(path, "wb") as file:
            file.write(log)
        is_log = taken(browser, path)
        sound(browser, path)
        if is_log:
            alike(browser, path)
