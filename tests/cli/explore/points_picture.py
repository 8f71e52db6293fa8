# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""What the page of bcoslog explore draws: rows, names, curves, marks, on a screen and on paper."""
import base64
import os
import struct

from pages import LOSS, MARKUP, becomes, box, color, has_text, machine, opened, pixel, point, row, same, x_of


@point
def colors(browser, logs):
    """a process has its colour where it has a CPU"""
    machine(browser, logs)
    cpu0, cpu1 = row(browser, "CPU 0"), row(browser, "CPU 1")
    alpha, beta, markup = color(100), color(200), color(300)
    same(pixel(browser, x_of(browser, 2), cpu0), alpha, "alpha")
    same(pixel(browser, x_of(browser, 9.5), cpu0), beta, "beta")
    same(pixel(browser, x_of(browser, 4), cpu1), markup, "the one with markup")
    same(pixel(browser, x_of(browser, 4), row(browser, "alpha") + 5), alpha, "alpha's row")
    quiet = {pixel(browser, x_of(browser, 6), cpu0), pixel(browser, x_of(browser, 2), cpu1), pixel(browser, x_of(browser, 10.5), cpu1)}
    same(len(quiet), 1, "colours of idle")
    kernel = pixel(browser, x_of(browser, 7.5), cpu0)
    assert kernel not in quiet | {alpha, beta, markup}, kernel
    assert max(kernel) - min(kernel) < 16, f"the kernel is not grey: {kernel}"
    unknown = {pixel(browser, x_of(browser, 9.5) + by, cpu1) for by in range(8)}
    same(len(unknown), 2, "colours of a hatched stretch")
    assert not unknown & (quiet | {kernel, alpha, beta, markup}), unknown


@point
def names_in_rows(browser, logs):
    """the row of a CPU has the names of who has it, where there is room"""
    machine(browser, logs)
    ink = "(canvas => (x, y, width) => canvas.getContext('2d').getImageData(x, y, width, 10).data" \
          ".filter((value, at) => at % 4 === 3 && value > 200).length)(document.querySelector('#over'))"
    place, cpu = box(browser, "#over"), row(browser, "CPU 0") - 5

    def inked(seconds, wide=40):
        return browser.run(f"({ink})({int(x_of(browser, seconds) - place['x']) + 8}, {int(cpu - place['y'])}, {wide}) > 20")

    # alpha from 1 s, nobody from 5 s, the kernel from 7 s, beta from 8 s.
    becomes(lambda: [inked(seconds) for seconds in (1, 5, 7, 8)], [True, False, False, True], "names: the kernel is quiet")


@point
def legend(browser, logs):
    """the page says what its colours and marks are, and how to move"""
    machine(browser, logs)
    has_text(browser, "#legend", "a colour for each process", "kernel", "idle", "unknown: the log does not tell", "input", "output", "birth",
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
            (6, "beta2", ("New name", "beta2"))):
        browser.hover(x_of(browser, seconds), row(browser, label))
        has_text(browser, "#popup", *wanted)
    same(browser.complaints, [], "complaints")
    # The loss may have been at any time of the second from 9 s on: the mark has a line that long.
    cpu = row(browser, "CPU 1")
    same([pixel(browser, x_of(browser, seconds), cpu, "#over") == LOSS for seconds in (8.9, 9.5, 9.9, 10.1)], [False, True, True, False],
         "the span of a loss")
    # The pop-up of a finger, which does not hover.
    browser.run("document.querySelector('#popup').hidden = true")
    browser.click(x_of(browser, 4.5), row(browser, MARKUP))
    has_text(browser, "#popup", "Event: event 0x00000008")
    browser.key("Escape")


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
    # The shares of two CPUs: processes; these and the kernel; these and unknown time.
    for seconds, shares in ((4, [1, 1, 1]), (6, [0.5, 0.5, 0.5]), (7.5, [1, 1, 0.5]), (9.5, [1, 0.5, 0.5]), (10.5, [0.5, 0.5, 0.5])):
        same([round(browser.run(f"({at})(0, {column}, {seconds})"), 3) for column in (1, 2, 3)], shares, f"CPUs at {seconds}")
    # A core takes 2 W, and 1 W more when busy.
    for seconds, power in ((4, 6), (6, 5)):
        same(round(browser.run(f"({at})(2, 1, {seconds})"), 3), power, f"power at {seconds}")
    same(round(browser.run("(({ data }, width) => data[1].reduce((a, b) => a + b) * width / 1e9)"
                           "(explorer.tracks.tracks[1].plot, explorer.viewport.span / (explorer.tracks.tracks[1].plot.data[0].length))")), 4096 + 512, "bytes of input")


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
    # Nothing of the panel is cut off where the window ends.
    same(browser.run("['body', '#side'].map(name => getComputedStyle(document.querySelector(name)).overflowY)"), ["visible", "visible"],
         "what does not fit")
    # A user who prefers a dark screen does not print a black picture: paper is light where CPU 0 is idle.
    browser.call("Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    becomes(lambda: min(pixel(browser, x_of(browser, 6), row(browser, "CPU 0"))) > 200, True, "idle is light on paper")
    pdf = base64.b64decode(browser.call("Page.printToPDF", printBackground=True)["data"])
    assert pdf.startswith(b"%PDF-") and len(pdf) > 5000, len(pdf)
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
