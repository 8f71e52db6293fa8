// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Printing. The picture fills one page in landscape format, and the panel follows on the next pages.
import { $ } from "./dom.js";
import { HEAD_ROW } from "./chart/rows.js";

const PAPER_HIGH = 650; // height of the picture in pixels
const PAPER_ROWS_LEAST = 150; // least height of its rows in pixels

export class Paper {
	constructor(page) {
		this.page = page;
		// The browser prints the page as it is when the listener returns.
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
			$("scroll").style.height =
				`${Math.max(PAPER_ROWS_LEAST, Math.min(page.rows.height + 8, room))}px`;
			page.draw();
		}
		page.tracks.again();
		page.tracks.fit();
		page.side.show();
		this.tell(on);
	}

	// Say how many rows the picture leaves out.
	tell(on) {
		const { rows } = this.page,
			all = rows.rows.filter((row) => row.kind !== HEAD_ROW).length;
		$("cut").hidden = !on || rows.painted.length >= all;
		$("cut").textContent =
			`The picture has ${rows.painted.length} of ${all} rows, those in sight when it was printed.`;
	}
}
