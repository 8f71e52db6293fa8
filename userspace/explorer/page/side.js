// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The panel at the side: totals of the selection, or what was chosen.
import { $, make } from "./dom.js";
import { totalsContent } from "./totals.js";

export class Side {
	constructor(page) {
		this.page = page;
		this.view = page.view;
		this.asked = 0;
	}

	changed() {
		this.totals();
	}

	// The window as bcoslog cpu takes it: ns since boot.
	window() {
		const { selection, log } = this.view, begin = BigInt(log.begin);
		if (!selection)
			return [0n, 0n];
		const since = begin + BigInt(Math.round(selection.from)), until = begin + BigInt(Math.round(selection.to));
		return [since < 0n ? 0n : since, until < 1n ? 1n : until];
	}

	// Of several that are asked for in a row, the last one counts.
	async totals() {
		const asked = ++this.asked;
		if (this.counting)
			return;
		this.counting = true;
		const [since, until] = this.window();
		const totals = await this.page.engine.totals(this.page.source.parts(), since, until, () => asked === this.asked).catch(() => null);
		this.counting = false;
		if (asked !== this.asked) {
			this.totals();
			return;
		}
		if (!totals)
			return;
		this.page.selected = totals;
		$("side").replaceChildren(...totalsContent(this.view, totals));
		document.documentElement.dataset.counted = String(asked);
	}

	step() {
	}
}
