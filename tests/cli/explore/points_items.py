# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""The page of a process and the page of a device in the page of bcoslog explore."""
import os

from pages import COLORS, HERE, MARKUP, assigned, becomes, choose, entry, has_text, looks, machine, opened, part, pixel, point, row, same, x_of

DIGITS = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"


@point
def process_page(browser, logs):
    """a process has a page: its life, who ended it, what it used and took, its events"""
    machine(browser, logs)
    choose(browser, 200)
    # The process has all of a CPU of a core that executes 2000000 instructions in 125 us, and takes 1 W more than idle.
    has_text(browser, "#side", "beta2", "born\t4.000000000 s", "ended\t11.000000000 s", "killed by SIGKILL, sent by user space",
             'signal 9 code 0 from process 100 user 0 "alpha"', "3 s, 30 % of one", "CPUs used, up to 1.00",
             "up to 16000 million instructions/s", "Power, up to 1.00 W", "Events (5)", "lost 7 assignments: staging full")
    same(browser.run("[...document.querySelectorAll('.events li > span')].map(span => span.firstChild.nextSibling.nextSibling.textContent)"),
         ["Birth", "New name", "Loss: records lost", "Event: who sent the signal", "End: killed by SIGKILL, sent by user space"], "events")
    cpu = row(browser, "CPU 0")
    becomes(lambda: len(part(browser, x_of(browser, 2), cpu) | looks(100)), 3, "alpha steps back while beta is chosen")
    same(part(browser, x_of(browser, 9.5), cpu), looks(200), "beta")
    browser.key("n")
    has_text(browser, "#popup", "New name", "6.000000000 s")
    same(browser.run("document.querySelectorAll('.events li.on').length"), 1, "events that are marked in the list")
    browser.key("p")
    has_text(browser, "#popup", "Birth")
    for _ in range(2):
        browser.key("n")
    has_text(browser, "#popup", "Loss: records lost", "9.000000000 s", "CPU 1")
    for _ in range(3):
        browser.key("n")
    has_text(browser, "#popup", "End: killed by SIGKILL")
    has_text(browser, "#notice", "There is no later event of beta2.")
    browser.key("p")
    has_text(browser, "#popup", "who sent the signal")
    same(browser.run("document.querySelector('#notice').hidden"), True, "no notice where there is an event")
    browser.key("Escape")
    browser.until("document.querySelector('#popup').hidden && explorer.viewport.process === null")


@point
def known_from_history(browser, logs):
    """a process that the log has not seen begin has a page, too"""
    machine(browser, logs)
    choose(browser, 300)
    has_text(browser, "#side", MARKUP, "started\t0.600000000 s", "6 s, 60 % of one", "Event: event 0x00000008")
    same("ended" in browser.run("document.querySelector('#side dl').innerText"), False, "an end")


@point
def losses_of_a_life(browser, logs):
    """the page of a process has the losses of its life, and no others"""
    opened(browser, logs.page(logs.log(os.path.join(HERE, "names.log"))), "")
    for process, there in ((20, True), (10, True), (30, True), (40, False), (50, False)):
        choose(browser, process)
        has_text(browser, "#side", f"process\t{process}", "Events (")
        same("Loss: records lost" in browser.run("document.querySelector('#side').innerText"), there, f"a loss in the life of {process}")


@point
def device_page(browser, logs):
    """a device has a row and a page: what it transferred, and its latencies"""
    machine(browser, logs)
    y = row(browser, "<b>disk</b>")
    browser.click(x_of(browser, 8), y)
    has_text(browser, "#side", "<b>disk</b>", "device\t0x00000000", "driver\tthe kernel", "input, output\t4 KiB, 8 KiB",
             "interrupts\t1", "median\t500 ns", "Interrupts, up to 16 a second", "Input, up to 64 KiB/s", "Output, up to 128 KiB/s")
    same(pixel(browser, x_of(browser, 2), y - 3), COLORS[0], "input")
    same(pixel(browser, x_of(browser, 2.5), y + 2), COLORS[1], "output")
    same(pixel(browser, x_of(browser, 2.5), y - 3), pixel(browser, x_of(browser, 8), y - 3), "no input")
    browser.key("Escape")
    browser.until("explorer.viewport.device === null")


def press(browser, text):
    """Click the button in the panel that has this text."""
    browser.run("[...document.querySelectorAll('#side button')].find(button => button.textContent === "
                f"{text!r}).click()")


@point
def driver_page(browser, logs):
    """from a device to its driver and back; the driver's page shows what its devices do"""
    machine(browser, logs)
    browser.click(x_of(browser, 8), row(browser, "gpu0"))
    has_text(browser, "#side", "gpu0", "device\t0xc0000001", "driver\talpha 100", "hung", "median\t2 µs")
    press(browser, "alpha 100")
    has_text(browser, "#side", "process\t100", "Its devices", "Input, up to", "and events of the devices", "Interrupts, up to")
    # 512 bytes come within 1/160 of the 10 s that are shown.
    has_text(browser, "#side", "Input, up to 8 KiB/s", "Output, up to 0 B/s")
    press(browser, "gpu0")
    has_text(browser, "#side", "device\t0xc0000001")


@point
def devices_come_and_go(browser, logs):
    """a device that goes and comes again is two, each with its birth and its end"""
    logs.open(browser, "devices.log")
    browser.click(200, row(browser, "eth0"))
    has_text(browser, "#side", "eth0", "gone\t1.500000000 s, status 0", "1.46 KiB", "interrupts\t2", "End: status 0")
    browser.click(200, row(browser, "eth1"))
    has_text(browser, "#side", "eth1", "since\t1.600000000 s", "19.5 KiB", "Birth")


@point
def parent_is_a_link(browser, logs):
    """the parent of a process leads to the parent's page, if the log has it"""
    log = logs.log(os.path.join(HERE, "family.log"))
    opened(browser, logs.page(log), "")
    choose(browser, 31)
    has_text(browser, "#side", "parent\tsecond 20")
    browser.run("[...document.querySelectorAll('#side dd button')].find(button => button.innerText.includes('second')).click()")
    has_text(browser, "#side", "second", "process\t20", "born\t2.000000000 s")
    choose(browser, 32)
    has_text(browser, "#side", "parent\t77")
    same(browser.run("document.querySelectorAll('#side dd button').length"), 0, "a link to a parent that the log does not have")


@point
def selection_beside_a_choice(browser, logs):
    """a selection shows its totals also while a process or device is chosen, and a button leads back"""
    machine(browser, logs)
    for kind, name in (("choose", "beta2"), ("chooseDevice", "gpu0")):
        browser.run(f"explorer.viewport.select(null); explorer.viewport.{kind}(explorer.viewport.log.{'processes' if kind == 'choose' else 'devices'}.find(({{ name }}) => name === '{name}').number)")
        has_text(browser, "#side h2", name)
        browser.run("explorer.viewport.select(1e9, 3e9)")
        has_text(browser, "#side", "Selection", "from\t2.000000000 s", "to\t4.000000000 s")
        browser.run("document.querySelector('#side button').click()")
        has_text(browser, "#side h2", name)
        browser.run("[...document.querySelectorAll('#side button')].find(button => button.innerText === 'Totals of the selection').click()")
        has_text(browser, "#side", "Selection", "from\t2.000000000 s")
        browser.run("explorer.viewport.select(null)")
        has_text(browser, "#side h2", name)


@point
def wakings_over_parts(browser, logs):
    """a waking has its time, also where the page reads the event that tells of it in a later part of the log"""
    ms, many = 1000000, 60000
    path = assigned(logs.folder, "parts", {20: "twenty", 30: "thirty"}, ())
    wanted = []
    with open(path, "ab") as file:
        for number in range(many):
            at = 1000 * ms + number * 10000
            if number % 100 == 0:
                # That process 20 runs on CPU 0, and that a timer woke it 5 ms before: 40, 0 and 5000000 with 5 bits in each digit.
                text, since = b"400", 5 * ms
                # The page counts from the first waking on.
                wanted.append(at - 1000 * ms)
                while since > 31:
                    text += DIGITS[since & 31 | 32:][:1]
                    since >>= 5
                file.write(entry(0x0010, 20, at, b"\x09\0\0\xC0\0" + text + DIGITS[since:][:1]))
            file.write(entry(0x4002, 0, at, (30).to_bytes(4, "little")))
    assert os.path.getsize(path) > 1 << 20
    opened(browser, logs.page(path), "")
    number = browser.run("explorer.viewport.log.processes.find(process => process.id === 20).number")
    events = browser.run(f"explorer.engine.query('describe_events', false, {number}, 0, 10000)")
    same([event["time"] for event in events if event["value"] == 0xC000000A], wanted, "when it was woken")
