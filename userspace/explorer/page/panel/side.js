// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The panel at the side: the totals of the selection, or the page of what was chosen.
import { $ } from "../dom.js";
import { totalsContent } from "./totals.js";
import { processPage, pickEvent } from "./process.js";
import { devicePage } from "./device.js";

const CURVE = 160;		// buckets
const WAIT = 250;		// ms after the window moved last

export class Side {
	constructor(page) {
		this.page = page;
		this.view = page.view;
		this.asked = this.drawnFor = 0;
		this.rows = null;
		this.view.onChange((what) => what === "window" && this.chosen() && this.recount());
	}

	chosen() {
		return this.view.process !== null || this.view.device !== null;
	}

	changed(what) {
		if (what === "log")
			this.selected = null;
		if (what === "log" || what === "selection")
			this.totals();
		if (what === "process" || what === "device" || what === "log") {
			this.rows = null;
			this.show();
			if (this.chosen())
				this.curves();
		} else if (what === "event") {
			this.show();
		}
	}

	recount() {
		clearTimeout(this.timer);
		this.timer = setTimeout(() => this.curves(), WAIT);
	}

	show() {
		const { view, page } = this;
		if (view.process !== null)
			$("side").replaceChildren(...processPage(page, view.log.processes[view.process], this.rows, this.of));
		else if (view.device !== null)
			$("side").replaceChildren(...devicePage(page, view.log.devices[view.device], this.rows, this.of, page.selected));
		else if (page.selected)
			$("side").replaceChildren(...totalsContent(view, page.selected));
		$("side").querySelector("li.on")?.scrollIntoView({ block: "nearest" });
	}

	// Curves of what was chosen, of the window that is shown.  Of several that are asked for in a row, the last one counts.
	async curves() {
		const { view, page } = this, wanted = this.drawnFor = Symbol("curves"), of = { from: view.from, span: view.span, count: CURVE, end: view.log.span };
		if (this.drawing)
			return;
		this.drawing = true;
		const rows = await page.tracks.alone(() => page.engine.series(page.source.parts(), { ...of, process: view.process, device: view.device },
			() => wanted === this.drawnFor)).catch((error) => this.page.fail(error));
		this.drawing = false;
		if (wanted !== this.drawnFor)
			return void this.curves();
		this.rows = rows;
		this.of = of;
		this.show();
		document.documentElement.dataset.curves = String(Number(document.documentElement.dataset.curves ?? 0) + 1);
	}

	// The window as bcoslog cpu takes it: ns since boot.
	window() {
		const { selection, log } = this.view, begin = BigInt(log.begin);
		if (!selection)
			return [0n, 0n];
		const since = begin + BigInt(Math.round(selection.from)), until = begin + BigInt(Math.round(selection.to));
		return [since < 0n ? 0n : since, until < 1n ? 1n : until];
	}

	async totals() {
		const asked = ++this.asked;
		if (this.counting)
			return;
		this.counting = true;
		const [since, until] = this.window();
		const totals = await this.page.engine.totals(this.page.source.parts(), since, until, () => asked === this.asked).catch((error) => this.page.fail(error));
		this.counting = false;
		if (asked !== this.asked)
			return void this.totals();
		if (!totals)
			return;
		this.page.selected = totals;
		this.show();
		document.documentElement.dataset.counted = String(asked);
	}

	// The next event after, or before, the one that was picked: of what was chosen, or of anyone.
	step(by) {
		const { view, page } = this, device = view.device !== null;
		const from = view.event ?? page.engine.calls.describe_at(view.from + view.span / 2) - (by > 0 ? 1 : 0);
		const event = page.engine.query("describe_next", device ? 1 : 0, view.process ?? view.device ?? 0xfffffffc, from, by);
		if (event)
			pickEvent(page, event);
	}
}
