// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The panel at the side shows the totals of the selection, or the page of the chosen process or device.
import { $, printable } from "../dom.js";
import { totalsContent } from "./totals.js";
import { processPage, pickEvent } from "./process.js";
import { devicePage } from "./device.js";

const CURVE = 160; // number of buckets of a curve
const WAIT = 250; // ms from the last movement of the window to the count

export class Side {
	constructor(page) {
		this.page = page;
		this.viewport = page.viewport;
		this.asked = this.drawnFor = 0;
		this.rows = null;
		this.covers = false; // the totals of the selection cover the page of the chosen process or device
		this.viewport.onChange((what) => what === "window" && this.chosen() && this.recount());
	}

	chosen() {
		return this.viewport.process !== null || this.viewport.device !== null;
	}

	item() {
		const { process, device, log } = this.viewport;
		return device === null ? log.processes[process] : log.devices[device];
	}

	changed(what) {
		if (what !== "log") this.page.remark("");
		// If a live log has grown, the totals of a selection before that do not change.
		const known =
			what === "log" &&
			this.page.totalsOf === this.asking() &&
			this.isBehind(this.viewport.selection);
		// The panel shows what was chosen last, whether it is a selection, or a process or device.
		if (what === "selection") this.covers = this.viewport.selection !== null;
		else if (what !== "log") this.covers = false;
		if ((what === "log" && !known) || what === "selection") this.totals();
		if (what === "process" || what === "device" || what === "log") {
			// If a live log has grown, the curves stay until there are newer ones.
			if (what !== "log") this.rows = null;
			this.show();
			if (this.chosen()) this.curves();
		} else if (what === "event") {
			this.show();
		}
	}

	showTotals(covers) {
		this.covers = covers;
		this.show();
		$("side").querySelector("button")?.focus();
	}

	recount() {
		clearTimeout(this.timer);
		this.timer = setTimeout(() => this.chosen() && this.curves(), WAIT);
	}

	// Return: the content of the panel, or null while nothing is counted. A null in it stands for nothing.
	content() {
		const { viewport, page, rows, of } = this,
			{ process, device, log } = viewport,
			chosen = this.chosen() ? this.item() : null;
		if (page.selected && (!chosen || (this.covers && page.totalsOf === this.asking())))
			return totalsContent(page, page.selected, chosen);
		if (process !== null) return processPage(page, log.processes[process], rows, of);
		if (device !== null) return devicePage(page, log.devices[device], rows, of, page.selected);
		return null;
	}

	show() {
		const focused = $("side").contains(document.activeElement),
			content = this.content();
		if (content) $("side").replaceChildren(...content.filter(Boolean));
		$("side").querySelector("li.on")?.scrollIntoView({ block: "nearest" });
		// The element that had the focus has been replaced.
		if (focused) ($("side").querySelector("li.on") ?? $("scroll")).focus({ preventScroll: true });
	}

	// Count the curves of the chosen item in the window. A call replaces the calls before it that have not ended.
	async curves() {
		const { viewport, page } = this,
			wanted = (this.drawnFor = Symbol("curves")),
			of = { from: viewport.from, span: viewport.span, count: CURVE, end: viewport.log.span };
		if (this.drawing) return;
		this.drawing = true;
		const rows = await page.tracks
			.alone(() =>
				page.engine.series(
					page.source.parts(),
					{ ...of, process: viewport.process, device: viewport.device },
					() => wanted === this.drawnFor,
				),
			)
			.catch((error) => this.page.fail(error));
		this.drawing = false;
		// If nothing is chosen any more, the totals stay as they are, and keep the focus on one of their rows.
		if (!this.chosen()) return;
		if (wanted !== this.drawnFor) return void this.curves();
		this.rows = rows;
		this.of = of;
		this.show();
		document.documentElement.dataset.curves = String(
			Number(document.documentElement.dataset.curves ?? 0) + 1,
		);
	}

	// Return: the begin and end of the selection, ns since boot, as the account takes them.
	window() {
		const { selection, log } = this.viewport,
			begin = BigInt(log.begin);
		const since = begin + BigInt(Math.round(selection.from)),
			until = begin + BigInt(Math.round(selection.to));
		return [since < 0n ? 0n : since, until < 1n ? 1n : until];
	}

	isBehind(selection) {
		return selection && selection.to <= this.viewport.settled;
	}

	// Return: a name for the part of the log whose totals are wanted: the selection, or all of the log.
	asking() {
		const { selection } = this.viewport;
		return selection ? `${Math.round(selection.from)}-${Math.round(selection.to)}` : "all";
	}

	ofSelection(asked) {
		const [since, until] = this.window();
		return this.page.engine
			.totals(this.page.source.parts(), since, until, () => asked === this.asked)
			.catch((error) => this.page.fail(error));
	}

	async totals() {
		const asked = ++this.asked;
		if (this.counting) return;
		this.counting = true;
		const totals = await (this.viewport.selection ? this.ofSelection(asked) : this.page.engine.whole());
		this.counting = false;
		if (asked !== this.asked) return void this.totals();
		if (!totals) return;
		this.page.selected = totals;
		this.page.totalsOf = this.asking();
		this.show();
		document.documentElement.dataset.counted = String(asked);
	}

	// Pick the next (1) or previous (-1) event of the chosen process or device, or any event if nothing is chosen.
	step(by) {
		const { viewport, page } = this,
			device = viewport.device !== null;
		const from =
			viewport.event ??
			page.engine.calls.describe_at(viewport.from + viewport.span / 2) - (by > 0 ? 1 : 0);
		const event = page.engine.query(
			"describe_next",
			device ? 1 : 0,
			viewport.process ?? viewport.device ?? 0xfffffffc,
			from,
			by,
		);
		if (event) return pickEvent(page, event);
		const which = by > 0 ? "later" : "earlier";
		page.remark(
		`There is no ${which} event${this.chosen() ? ` of ${printable(this.item().name ?? "it")}` : ""}.`
		);
	}
}
