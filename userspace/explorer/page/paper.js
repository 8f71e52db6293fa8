// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Printing: one page with the picture as wide as paper that lies on its side, and the panel on those that follow.
import { $ } from "./dom.js";
import { HEAD_ROW } from "./chart/rows.js";

const PAPER_HIGH = 650; // pixels of a page that the picture has
const PAPER_ROWS_LEAST = 150;

export class Paper {
	constructor(page) {
		this.page = page;
		// The browser prints the picture as it is when this returns.
		addEventListener("beforeprint", () => this.page.viewport.log && this.lay(true));
		addEventListener("afterprint", () => this.page.viewport.log && this.lay(false));
	}

	lay(on) {
		const { page } = this;
		document.documentElement.classList.toggle("paper", on);
		page.palette = true;
		$("scroll").style.height = on ? `${PAPER_ROWS_LEAST}px` : "";
		page.draw();
		if (on) {
			const room = PAPER_HIGH - $("time").offsetHeight + PAPER_ROWS_LEAST;
			$("scroll").style.height = `${Math.max(PAPER_ROWS_LEAST, Math.min(page.rows.height + 8, room))}px`;
			page.draw();
		}
		page.tracks.again();
		page.tracks.fit();
		page.side.show();
		this.tell(on);
	}

	// Rows that are left out are mentioned.
	tell(on) {
		const { rows } = this.page,
			all = rows.rows.filter((row) => row.kind !== HEAD_ROW).length;
		$("cut").hidden = !on || rows.painted.length >= all;
		$("cut").textContent = `The picture has ${rows.painted.length} of ${all} rows, those in sight when it was printed.`;
	}
}
