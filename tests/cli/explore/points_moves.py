# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Each way to move in the page of bcoslog explore: keys, wheel, drags, clicks, buttons, the search, other logs."""
import os

from pages import HERE, assigned, becomes, box, give, has_text, machine, opened, pixel, point, row, same, x_of

VIEW = "[explorer.viewport.from, explorer.viewport.span].map(Math.round)"
SELECTION = "explorer.viewport.selection && [explorer.viewport.selection.from, explorer.viewport.selection.to].map(Math.round)"


def near(got, wanted, within, what):
    assert all(abs(a - b) <= within for a, b in zip(got, wanted)), f"{what}: {got} in the place of {wanted}"


@point
def keys_move(browser, logs):
    """each key of the list of keys does what the list says"""
    start = "#t=4000000000+1000000000"
    for keys, wanted in ((["+"], (3.2e9, 0.6e9)), (["="], (3.2e9, 0.6e9)), (["w"], (3.2e9, 0.6e9)), (["+", "-"], (3e9, 1e9)), (["w", "s"], (3e9, 1e9)),
                         (["a"], (2.85e9, 1e9)), (["ArrowLeft"], (2.85e9, 1e9)), (["d"], (3.15e9, 1e9)), (["ArrowRight"], (3.15e9, 1e9)),
                         (["0"], (-0.1e9, 10.2e9))):
        machine(browser, logs, start)
        for key in keys:
            browser.key(key)
        near(browser.run(VIEW), wanted, 2, f"after {keys}")
    machine(browser, logs, f"{start}&s=5000000000+2000000000")
    browser.key("f")
    same(browser.run(VIEW), [4e9, 2e9], "f shows the selection")
    browser.key("?")
    has_text(browser, "#keys", "wheel, + −", "zoom in and out", "this list")
    same(browser.run("document.querySelector('#keys').open"), True, "the list of keys")
    browser.run("document.querySelector('#keys button').click()")
    same(browser.run("document.querySelector('#keys').open"), False, "the list after Close")
    browser.key("/")
    browser.key("a")
    same(browser.run(f"[document.querySelector('#query').value, ...{VIEW}]"), ["a", 4e9, 2e9], "what is typed into the search moves nothing")
    browser.key("Escape")
    browser.key("Escape")
    same(browser.run(SELECTION), None, "the selection after Escape")
    same(browser.complaints, [], "complaints")


@point
def mouse_moves(browser, logs):
    """wheel, drags, clicks and buttons do what the list of keys says"""
    machine(browser, logs)
    axis, y = box(browser, "#ruler"), row(browser, "CPU 0")
    high = axis["y"] + 10
    browser.wheel(x_of(browser, 4), high, -400)
    becomes(lambda: browser.run("explorer.viewport.span < 8e9"), True, "the wheel on the axis")
    machine(browser, logs)
    browser.call("Input.dispatchMouseEvent", type="mouseWheel", x=x_of(browser, 4), y=y, deltaX=-100, deltaY=0)
    browser.until("explorer.viewport.from < -0.1e9")
    machine(browser, logs)
    browser.drag(x_of(browser, 3), high, x_of(browser, 6), high)
    near(browser.run(SELECTION), (2e9, 5e9), 2e7, "a drag on the axis selects")
    browser.click(x_of(browser, 4), y, count=2)
    near(browser.run(VIEW), (2e9, 3e9), 2e7, "a double click in the selection shows it")
    browser.click(axis["x"] + 300, high)
    same(browser.run(SELECTION), None, "a click on the axis selects nothing")
    machine(browser, logs)
    browser.click(x_of(browser, 6), y, count=2)
    # Nobody has CPU 0 from 5 s to 7 s. These are 2 s of the 2.8 s that are shown then.
    near(browser.run(VIEW), (3.6e9, 2.8e9), 2, "a double click shows a stretch")
    for button, wanted in (("fit", (-0.1e9, 10.2e9)), ("in", (5e9 - 0.3 * 10.2e9, 0.6 * 10.2e9)), ("out", (-0.1e9, 10.2e9))):
        browser.run(f"document.querySelector('#{button}').click()")
        near(browser.run(VIEW), wanted, 2, f"the button {button}")
    same(browser.complaints, [], "complaints")


@point
def rows_scroll(browser, logs):
    """Shift and the wheel, and the keys Page up and down, scroll the rows"""
    opened(browser, logs.page(assigned(logs.folder, "many.log", {number: f"p{number}" for number in range(1, 81)}, [(10**9, 1), (2 * 10**9, 2)])), "")
    top = "explorer.rows.scroll.scrollTop"
    browser.call("Input.dispatchMouseEvent", type="mouseWheel", x=600, y=400, deltaX=0, deltaY=120, modifiers=8)
    becomes(lambda: browser.run(f"{top} > 0 && explorer.viewport.span > 1e9"), True, "Shift and the wheel scroll, and do not zoom")
    before = browser.run(top)
    browser.key("PageDown")
    becomes(lambda: browser.run(top), before + 200, "Page down")
    browser.key("PageUp")
    becomes(lambda: browser.run(top), before, "Page up")


@point
def found_by_mouse(browser, logs):
    """what is found is chosen by a click, or by arrow keys and Enter"""
    machine(browser, logs)
    browser.key("/")
    browser.type("a")
    has_text(browser, "#found", "alpha", "beta2")
    place = browser.run("(({ x, y }) => [x + 20, y + 8])([...document.querySelectorAll('#found li')].find(item => item.innerText.includes('beta2')).getBoundingClientRect())")
    browser.click(*place)
    has_text(browser, "#side", "beta2", "process\t200")
    same(browser.run("document.querySelector('#found').hidden"), True, "the list is closed")
    browser.key("/")
    browser.run("document.querySelector('#query').value = ''")
    browser.type("a")
    second = browser.run("document.querySelectorAll('#found li')[1].querySelector('span:not(.swatch)').textContent")
    browser.key("ArrowDown")
    same(browser.run("document.querySelector('#found li.on span:not(.swatch)').textContent"), second, "the second one")
    browser.key("Enter")
    has_text(browser, "#side h2", second)
    browser.key("Escape")


@point
def rows_tell(browser, logs):
    """a pop-up tells of a process' row and of a device's row, and a click on a label chooses it"""
    machine(browser, logs)
    browser.hover(x_of(browser, 2), row(browser, "beta2"))
    has_text(browser, "#popup", "beta2", "process\t200", "started\t4.000000000 s", "ended\t11.000000000 s", "on CPUs\t3 s")
    browser.hover(x_of(browser, 9), row(browser, "gpu0"))
    has_text(browser, "#popup", "gpu0", "device\t0xc0000001", "input\t512 B", "driver\talpha 100")
    browser.hover(50, 5)
    browser.until("document.querySelector('#popup').hidden")
    browser.click(60, row(browser, "gpu0"))
    has_text(browser, "#side", "gpu0", "driver\talpha 100")
    browser.click(60, row(browser, "alpha"))
    has_text(browser, "#side", "alpha", "process\t100")
    browser.key("Escape")


@point
def interrupts(browser, logs):
    """interrupts are marks at the lower edge of a device's row"""
    machine(browser, logs)
    y = row(browser, "gpu0")
    there = [len({pixel(browser, x_of(browser, 3.5) + by, y + 8) for by in range(-2, 3)}), len({pixel(browser, x_of(browser, 6) + by, y + 8) for by in range(-2, 3)})]
    same(there, [2, 1], "colours at the interrupt of 3.5 s, and where there is none")


@point
def a_refused_log(browser, logs):
    """where a log is open, a file that is none changes nothing and is refused by its name"""
    machine(browser, logs)
    give(browser, os.path.join(HERE, "browser.py"))
    browser.until("/browser.py: This is no BCOS event log/.test(document.querySelector('#notice').textContent)")
    same(browser.run("[document.title, document.querySelector('#name').textContent, document.querySelector('#empty').hidden]"),
         ["machine.log – bcoslog explorer", "machine.log", True], "the page")
    browser.hover(x_of(browser, 2), row(browser, "CPU 0"))
    has_text(browser, "#popup", "alpha", "100", "1.000000000 s", "4 s")
    browser.run("explorer.viewport.select(1e9, 9.5e9)")
    has_text(browser, "#side", "Selection", "for\t8.50 s", "energy\t≥ 44.5 J")
    same(browser.complaints, [], "complaints")
    browser.page = None


@point
def the_last_log(browser, logs):
    """of two logs that are opened at once the last one is shown, whichever is read first"""
    machine(browser, logs)
    browser.run("""(async () => {
        const bytes = [];
        for await (const part of explorer.source.parts()) bytes.push(part);
        const file = (name, wait) => ({ name, size: 1, async *parts() { await wait; yield* bytes; } });
        let go;
        const first = explorer.open(file("first", new Promise(done => go = done)));
        await explorer.open(file("last"));
        go();
        await first;
    })()""")
    same(browser.run("[document.title, document.querySelector('#name').textContent, explorer.source.name]"),
         ["last – bcoslog explorer", "last", "last"], "the page")
    browser.page = None
