# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""The page of bcoslog explore by keyboard alone, and as a screen reader has it."""
from pages import MARKUP, becomes, choose, has_text, machine, point, row, same


def told(browser):
    return browser.run("document.querySelector('#told').textContent")


@point
def along_a_cpu(browser, logs):
    """keys lead along a CPU's stretches, with pop-ups; Enter opens the process' page, Escape closes"""
    machine(browser, logs)
    browser.key("ArrowDown")
    # 6 s is the middle of the window; nobody has CPU 0 from 5 s to 7 s.
    has_text(browser, "#popup", "Idle", "CPU\t0", "from\t5.000000000 s", "for\t2 s")
    browser.key("ArrowRight")
    has_text(browser, "#popup", "kernel", "from\t7.000000000 s", "for\t1 s")
    browser.key("ArrowRight")
    has_text(browser, "#popup", "beta2", "process\t200", "from\t8.000000000 s", "for\t3 s")
    same("beta2" in told(browser) and "8.000000000" in told(browser), True, "what is read aloud")
    browser.key("ArrowRight")
    has_text(browser, "#popup", "from\t8.000000000 s")
    browser.key("Enter")
    has_text(browser, "#side", "beta2", "killed by SIGKILL", "Events (5)")
    same(browser.run("document.querySelector('#popup').hidden"), False, "the pop-up is still there")
    for _ in range(3):
        browser.key("ArrowLeft")
    has_text(browser, "#popup", "alpha", "from\t1.000000000 s", "for\t4 s")
    browser.key("Enter")
    has_text(browser, "#side", "alpha", "process\t100")
    browser.key("ArrowLeft")
    has_text(browser, "#popup", "alpha")
    browser.key("Escape")
    same(browser.run("[document.querySelector('#popup').hidden, explorer.cursor.open, explorer.viewport.process !== null]"),
         [True, False, True], "the first Escape closes the pop-up")
    browser.key("Escape")
    browser.until("explorer.viewport.process === null")


@point
def along_events(browser, logs):
    """keys lead from row to row, and along the events of processes and devices"""
    machine(browser, logs)
    for wanted in (("CPU\t0",), ("CPU\t1", MARKUP), ("<b>disk</b>", "device\t0x0"), ("gpu0",), ("kernel", "process\t0"), (MARKUP, "process\t300")):
        browser.key("ArrowDown")
        has_text(browser, "#popup", *wanted)
    browser.key("ArrowRight")
    has_text(browser, "#popup", "Event: event 0x00000008", "4.500000000 s", "critical (0xc0)")
    browser.key("Enter")
    has_text(browser, "#side", MARKUP, "Event: event 0x00000008")
    same(browser.run("document.querySelectorAll('.events li.on').length"), 1, "events that are marked in the list")
    for _ in range(2):
        browser.key("ArrowUp")
    has_text(browser, "#popup", "gpu0")
    browser.key("ArrowRight")
    has_text(browser, "#popup", "Event", "hung", "3.600000000 s")
    # A part that is not in sight moves into sight.
    browser.run("explorer.viewport.show(8e9, 1e9)")
    browser.key("ArrowUp")
    browser.key("ArrowUp")
    has_text(browser, "#popup", "CPU\t1")
    browser.key("ArrowLeft")
    has_text(browser, "#popup", MARKUP, "from\t3.000000000 s")
    browser.until("explorer.viewport.from <= 2e9")
    browser.key("Escape")
    same(browser.complaints, [], "complaints")


@point
def focus(browser, logs):
    """the focus is seen, on the rows, a button and a row of the panel, and Enter there does what a click does"""
    machine(browser, logs)
    browser.run("document.querySelector('#scroll').focus()")
    browser.key("ArrowDown")
    outline = "getComputedStyle(document.activeElement).outlineStyle + getComputedStyle(document.activeElement).outlineWidth"
    same(browser.run(f"[document.activeElement.id, {outline}]"), ["scroll", "solid2px"], "the rows")
    browser.run("document.querySelector('#fit').focus({ focusVisible: true })")
    same(browser.run(outline), "solid2px", "a button")
    browser.key("Escape")
    browser.run("[...document.querySelectorAll('#side tr.link')].find(link => link.innerText.includes('alpha')).focus({ focusVisible: true })")
    # Curves of the earlier choice may end now.
    browser.run("explorer.side.curves()")
    same(browser.run("document.activeElement.tagName"), "TR", "a row of the panel")
    browser.key("Enter")
    has_text(browser, "#side", "alpha", "process\t100")
    same(browser.run("document.activeElement.id"), "scroll", "the focus after the panel has changed")
    browser.key("Escape")
    browser.until("explorer.viewport.process === null")


@point
def screen_reader(browser, logs):
    """each element that is used has a role and a name, as the browser tells screen readers"""
    machine(browser, logs)
    browser.key("/")
    browser.run("document.querySelector('#query').value = ''")
    browser.type("alp")
    has_text(browser, "#found li.on", "alpha")
    nodes = browser.call("Accessibility.getFullAXTree")["nodes"]
    tree = [(node.get("role", {}).get("value"), node.get("name", {}).get("value", "")) for node in nodes if not node.get("ignored")]
    for role in ("button", "combobox", "option", "application", "listbox", "dialog"):
        unnamed = [name for kind, name in tree if kind == role and not name.strip()]
        same(unnamed, [], f"{role} without a name")
    for role, part in (("application", "Arrow keys"), ("combobox", "Find"), ("option", "alpha"), ("button", "Zoom in"), ("button", "Keys")):
        assert any(kind == role and part in name for kind, name in tree), (role, part, tree)
    same(browser.run("document.querySelector('#query').getAttribute('aria-activedescendant')"), "found0", "the one that Enter takes")
    browser.key("Escape")
    becomes(lambda: browser.run("document.querySelector('#query').getAttribute('aria-expanded')"), "false", "the list is closed")
    row(browser, "CPU 0")


@point
def keys_dialog(browser, logs):
    """the list of keys closes with Escape, and keys do not act on the page below it"""
    machine(browser, logs)
    choose(browser, 200)
    before = browser.run("[explorer.viewport.from, explorer.viewport.span]")
    browser.key("?")
    browser.until("document.querySelector('#keys').open")
    for key in ("a", "w", "n", "0"):
        browser.key(key)
    same(browser.run("[explorer.viewport.from, explorer.viewport.span, explorer.viewport.event]"), [*before, None], "the page behind")
    browser.key("Escape")
    browser.until("!document.querySelector('#keys').open")
    same(browser.run("explorer.viewport.process !== null"), True, "the choice is still there")


@point
def to_the_life(browser, logs):
    """f shows the life of what is chosen, and Find moves to it if it is out of sight"""
    machine(browser, logs)
    choose(browser, 200)
    browser.key("f")
    # beta lives from 4 s to 11 s, which is the last 7 s of the log. With a tenth on either side these are 8.4 s, and the window
    # ends 0.2 s after the log, which is 10 s long.
    same(browser.run("[explorer.viewport.from, explorer.viewport.span].map(ns => Math.round(ns / 1e8))"), [18, 84], "its life")
    browser.run("explorer.viewport.choose(null); explorer.viewport.show(0, 1e9)")
    browser.key("/")
    browser.run("document.querySelector('#query').value = 'beta'; document.querySelector('#query').dispatchEvent(new Event('input'))")
    browser.key("Enter")
    browser.until("explorer.viewport.process !== null")
    same(browser.run("[explorer.viewport.from, explorer.viewport.span].map(ns => Math.round(ns / 1e8))"), [18, 84], "found")
    # The window stays if the process is in sight already.
    browser.run("explorer.viewport.show(4e9, 1e9)")
    browser.key("/")
    browser.run("document.querySelector('#query').value = 'beta'; document.querySelector('#query').dispatchEvent(new Event('input'))")
    browser.key("Enter")
    same(browser.run("[explorer.viewport.from, explorer.viewport.span]"), [4e9, 1e9], "in sight")
