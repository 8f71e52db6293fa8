# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""What the page of bcoslog explore draws: rows, names, curves, marks, on a screen and on paper."""
import base64
import itertools
import math
import os
import re

from pages import COLORS, LOSS, MARKUP, assigned, becomes, box, color, has_text, looks, machine, opened, part, pixel, point, row, same, x_of


@point
def colors(browser, logs):
    """a process has its colour where it has a CPU"""
    machine(browser, logs)
    cpu0, cpu1 = row(browser, "CPU 0"), row(browser, "CPU 1")
    same(part(browser, x_of(browser, 2), cpu0), looks(100), "alpha")
    same(part(browser, x_of(browser, 9.5), cpu0), looks(200), "beta")
    same(part(browser, x_of(browser, 4), cpu1), looks(300), "the one with markup")
    same(part(browser, x_of(browser, 4), row(browser, "alpha") + 2), looks(100), "alpha's row")
    same([len(looks(process)) for process in (100, 200, 300)], [2, 2, 1], "a striped, a lined and a plain one")
    processes = looks(100) | looks(200) | looks(300)
    quiet = {pixel(browser, x_of(browser, 6), cpu0), pixel(browser, x_of(browser, 2), cpu1), pixel(browser, x_of(browser, 10.5), cpu1)}
    same(len(quiet), 1, "colours of idle")
    kernel = pixel(browser, x_of(browser, 7.5), cpu0)
    assert kernel not in quiet | processes, kernel
    assert max(kernel) - min(kernel) < 16, f"the kernel is not grey: {kernel}"
    unknown = {pixel(browser, x_of(browser, 9.5) + by, cpu1) for by in range(8)}
    same(len(unknown), 2, "colours of a hatched stretch")
    assert not unknown & (quiet | processes | {kernel}), unknown


# How people who are blind to one of red, green and blue see their linear values: Machado, Oliveira and Fernandes, 2009.
VISIONS = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
# In Oklab (Ottosson, 2020) equal distances look alike. The matrices are for linear light, and for the cube roots of
# that.
LIGHT = ((0.4122214708, 0.5363325363, 0.0514459929), (0.2119034982, 0.6806995451, 0.1073969566), (0.0883024619, 0.2817188376, 0.6299787005))
LAB = ((0.2104542553, 0.7936177850, -0.0040720468), (1.9779984951, -2.4285922050, 0.4505937099), (0.0259040371, 0.7827717662, -0.8086757660))
DISTANCE = 7.5  # hundredths of what black and white have


def product(matrix, vector):
    return [sum(a * b for a, b in zip(line, vector)) for line in matrix]


def seen(rgb, vision):
    linear = [part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in rgb]
    shown = [min(1, max(0, part)) for part in product(VISIONS[vision], linear)]
    return product(LAB, [part ** (1 / 3) for part in product(LIGHT, shown)])


@point
def colors_differ(browser, logs):
    """the colours of processes differ for those, too, who are blind to a colour"""
    machine(browser, logs)
    same([tuple(channels) for channels in browser.run("processColors.map(channels)")], list(COLORS), "colours")
    near = [(round(100 * distance, 1), vision, one, other) for vision in VISIONS for one, other in itertools.combinations(COLORS, 2)
            if (distance := math.dist(seen(one, vision), seen(other, vision))) < DISTANCE / 100]
    same(near, [], "colours that are near each other")


@point
def neighbours_differ(browser, logs):
    """a line parts processes that look alike and have a CPU one after the other, and no others"""
    log = assigned(logs.folder, "alike.log", {1: "one", 43: "like one", 2: "two"},
                   [(10**9, 1), (3 * 10**9, 43), (5 * 10**9, 2), (7 * 10**9, 43), (9 * 10**9, 0xFFFFFFFF), (11 * 10**9, 1)])
    same(looks(1), looks(43), "how they look")
    opened(browser, logs.page(log))
    cpu, background = row(browser, "CPU 0"), (0xFC, 0xFC, 0xFB)
    for seconds, wanted in ((2, looks(1)), (3, looks(1) | {background}), (4, looks(43)), (5, looks(43) | looks(2)), (7, looks(43) | looks(2))):
        same(part(browser, x_of(browser, seconds), cpu), wanted, f"at {seconds} s")


@point
def names_in_rows(browser, logs):
    """the row of a CPU has the names of who has it, where there is room"""
    machine(browser, logs)
    ink = "(canvas => (x, y, width) => canvas.getContext('2d').getImageData(x, y, width, 10).data" \
          ".filter((value, at) => at % 4 === 3 && value > 200).length)(document.querySelector('#over'))"
    place, cpu = box(browser, "#over"), row(browser, "CPU 0") - 5

    def inked(seconds, wide=40):
        return browser.run(f"({ink})({int(x_of(browser, seconds) - place['x']) + 8}, {int(cpu - place['y'])}, {wide}) > 20")

    # CPU 0 belongs to alpha from 1 s, to nobody from 5 s, to the kernel from 7 s, and to beta from 8 s.
    becomes(lambda: [inked(seconds) for seconds in (1, 5, 7, 8)], [True, False, False, True], "names: the kernel is quiet")


@point
def legend(browser, logs):
    """the page says what its colours and marks are, and how to move"""
    machine(browser, logs)
    has_text(browser, "#legend", "a colour and texture for each process", "kernel", "idle", "unknown: the log does not tell", "input", "output", "birth",
             "end", "event", "error", "critical", "records were lost", "Wheel: zoom", "drag: move", "Shift + drag: select")


@point
def narrow(browser, logs):
    """in a narrow window everything is still there"""
    browser.call("Emulation.setDeviceMetricsOverride", width=600, height=800, deviceScaleFactor=1, mobile=False)
    try:
        machine(browser, logs)
        browser.until("document.querySelector('#rows').width < 600")
        for selector in ("#side", "#legend", "#rows", "#help", "#query"):
            place = box(browser, selector)
            assert place["width"] > 20 and place["height"] > 10, (selector, place)
            assert place["x"] >= 0 and place["x"] + place["width"] <= 600 and place["y"] + place["height"] <= 800.5, (selector, place)
        same(browser.run("document.documentElement.scrollWidth"), 600, "width")
    finally:
        browser.call("Emulation.setDeviceMetricsOverride", width=1400, height=800, deviceScaleFactor=1, mobile=False)


@point
def events(browser, logs):
    """events are marks, and tell in a pop-up what they are"""
    machine(browser, logs)
    for seconds, label, wanted in (
            (9, "CPU 1", ("Loss: records lost", "9.000000000 s", "1 s", "CPU 1", "lost 7 assignments: staging full")),
            (4.5, MARKUP, ("Event: event 0x00000008", "4.500000000 s", f"process 300 {MARKUP}", "critical (0xc0)", "\\u202eturned")),
            (1, "alpha", ("Event: event 0x00000007", "info (0x60)", "</script><script>document.title='markup'</script>")),
            (4, "beta2", ("Birth", "4.000000000 s", "beta")),
            (6, "beta2", ("New name", "beta2"))):
        browser.hover(x_of(browser, seconds), row(browser, label))
        has_text(browser, "#popup", *wanted)
    same(browser.complaints, [], "complaints")
    # The loss may have been at any time of the second from 9 s on, so its mark has a line of that length.
    cpu = row(browser, "CPU 1")
    same([pixel(browser, x_of(browser, seconds), cpu, "#over") == LOSS for seconds in (8.9, 9.5, 9.9, 10.1)], [False, True, True, False],
         "the span of a loss")
    # A finger, which does not hover, gets this pop-up.
    browser.run("document.querySelector('#popup').hidden = true")
    browser.click(x_of(browser, 4.5), row(browser, MARKUP))
    has_text(browser, "#popup", "Event: event 0x00000008")
    browser.key("Escape")
    browser.run("explorer.viewport.fit(); explorer.draw()")
    browser.hover(browser.run("explorer.ruler.x(10e9)") + box(browser, "#over")["x"], row(browser, "beta2"))
    has_text(browser, "#popup", "End: killed by SIGKILL, sent by user space", "11.000000000 s")


@point
def curves_follow_the_rows(browser, logs):
    """curves stay as wide as the rows when the window's size changes"""
    machine(browser, logs)
    try:
        browser.call("Emulation.setDeviceMetricsOverride", width=1100, height=800, deviceScaleFactor=1, mobile=False)
        becomes(lambda: box(browser, "#rows")["width"] < 640, True, "the rows are narrower")
        becomes(lambda: box(browser, "#tracks canvas")["width"] == box(browser, "#rows")["width"], True, "the curves are as wide")
    finally:
        browser.call("Emulation.setDeviceMetricsOverride", width=1400, height=800, deviceScaleFactor=1, mobile=False)


@point
def severities(browser, logs):
    """each severity has a shape of its own, not a colour alone"""
    machine(browser, logs)
    shapes = browser.run("""(() => [0x00, 0x40, 0x80, 0xc0].map((level) => {
        const context = Object.assign(document.createElement("canvas"), { width: 16, height: 16 }).getContext("2d");
        mark(context, { kind: "event", level }, 8, 8, "#000000");
        return String(context.getImageData(0, 0, 16, 16).data.filter((_, at) => at % 4 === 3));
    }))()""")
    same(len(set(shapes)), 4, "shapes")


@point
def tracks(browser, logs):
    """curves of CPUs, I/O and power are what the log says"""
    machine(browser, logs)
    browser.until("explorer.tracks.tracks.length === 3")
    at = "(track, column, seconds) => { const { data } = explorer.tracks.tracks[track].plot; " \
         "return data[column][data[0].findIndex(x => x > (seconds - 1) * 1e9)]; }"
    # These are the shares of two CPUs: processes; processes and the kernel; these and unknown time.
    for seconds, shares in ((4, [1, 1, 1]), (6, [0.5, 0.5, 0.5]), (7.5, [1, 1, 0.5]), (9.5, [1, 0.5, 0.5]), (10.5, [0.5, 0.5, 0.5])):
        same([round(browser.run(f"({at})(0, {column}, {seconds})"), 3) for column in (1, 2, 3)], shares, f"CPUs at {seconds}")
    # A core takes 2 W, and 1 W more when busy.
    for seconds, power in ((4, 6), (6, 5)):
        same(round(browser.run(f"({at})(2, 1, {seconds})"), 3), power, f"power at {seconds}")
    same(round(browser.run("(({ data }, width) => data[1].reduce((a, b) => a + b) * width / 1e9)"
                           "(explorer.tracks.tracks[1].plot, explorer.viewport.span / (explorer.tracks.tracks[1].plot.data[0].length))")), 4096 + 512, "bytes of input")


def churning(folder):
    """A log of 80000 turns: in each millisecond of the CPU "first" has it for 0.5 ms, "second" for 0.25, and nobody then."""
    turns = [(10**9 + ms * 10**6 + part, process) for ms in range(80000 // 3) for part, process in ((0, 7), (500000, 8), (750000, 0xFFFFFFFF))]
    return assigned(folder, "churning.log", {7: "first", 8: "second"}, turns)


@point
def many_turns(browser, logs):
    """where many turns share a pixel, its height tells their shares; nearer, each is seen"""
    log = churning(logs.folder)
    opened(browser, logs.page(log), "#t=2000000000+20000000000")
    cpu, rows = row(browser, "CPU 0"), box(browser, "#rows")
    x = rows["x"] + 300
    # The row is 22 pixels high. Its upper quarter belongs to nobody, and the rest to the process that had most.
    same(pixel(browser, x, cpu + 6), color(7), "the lower part")
    same(pixel(browser, x, cpu - 4), color(7), "what the other had too")
    idle = pixel(browser, x, cpu - 9)
    assert idle not in (color(7), color(8)), idle
    own = row(browser, "second")
    same(pixel(browser, x, own + 6), color(8), "a quarter of its row")
    assert pixel(browser, x, own - 6) != color(8)
    opened(browser, logs.page(log), "#t=2000000000+1000000")
    width = box(browser, "#rows")["width"]
    for part, wanted in ((0.25, color(7)), (0.6, color(8)), (0.9, idle)):
        same(pixel(browser, rows["x"] + part * width, cpu - 9), wanted, f"at {part}")


@point
def prints(browser, logs):
    """on paper the rows and the totals are there, and what can be pressed is not"""
    machine(browser, logs)
    browser.call("Emulation.setEmulatedMedia", media="print")
    shown = "(selector => getComputedStyle(document.querySelector(selector)).display !== 'none')"
    for selector, there in ((".buttons", False), ("#find", False), ("#rows", True), ("#side", True), ("#ruler", True), ("#legend", True)):
        same(browser.run(f"{shown}({selector!r})"), there, selector)
    same(browser.run("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)", "paper")
    # Nothing of the panel is cut off at the end of the window.
    same(browser.run("['body', '#side'].map(name => getComputedStyle(document.querySelector(name)).overflowY)"), ["visible", "visible"],
         "what does not fit")
    # A user who prefers a dark screen does not print a black picture: paper is light where CPU 0 is idle.
    browser.call("Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    becomes(lambda: min(pixel(browser, x_of(browser, 6), row(browser, "CPU 0"))) > 200, True, "idle is light on paper")
    browser.call("Emulation.setEmulatedMedia", media="", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    pdf = base64.b64decode(browser.call("Page.printToPDF", printBackground=True, preferCSSPageSize=True)["data"])
    # The rows are pixels, two for each pixel of CSS, on a page as wide as it is meant to be. The panel is on the second
    # page.
    same(pdf.startswith(b"%PDF-") and re.findall(rb"/Subtype /Image\s+/Width (\d+)", pdf)[:1], [b"1560"], "the picture of the rows")
    same(len(re.findall(rb"/Type /Page\s", pdf)), 2, "pages")
    same(browser.run("[document.documentElement.className, document.querySelector('#cut').hidden, theme() === DARK]"), ["", True, True],
         "the page after it was printed")
    # If the picture has only some rows, the paper says so.
    browser.run("explorer.rows.height = 1e6; dispatchEvent(new Event('beforeprint'))")
    same(browser.run("document.querySelector('#cut').hidden"), True, "all rows are there")
    browser.run("explorer.rows.rows.push(...Array(100).fill({ kind: 1, item: explorer.rows.rows.at(-1).item, top: 1e5, height: 16 })); "
                "dispatchEvent(new Event('beforeprint'))")
    has_text(browser, "#cut", "The picture has 8 of 108 rows")
    browser.run("dispatchEvent(new Event('afterprint'))")
    browser.page = None
    browser.call("Emulation.setEmulatedMedia", media="", features=[{"name": "prefers-color-scheme", "value": "light"}])
    same(browser.complaints, [], "complaints")


@point
def dark(browser, logs):
    """the colours follow the reader's preference"""
    machine(browser, logs)
    light = browser.run("getComputedStyle(document.body).backgroundColor")
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    browser.until(f"getComputedStyle(document.body).backgroundColor !== {light!r}")
    becomes(lambda: max(pixel(browser, x_of(browser, 6), row(browser, "CPU 0"))) < 80, True, "idle is dark")
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "light"}])
