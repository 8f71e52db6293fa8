// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The cursor that keys move is at a row, and in the row at a stretch of a CPU or at an event. Its pop-up is open, and
// screen readers read it aloud.
import { $ } from "./dom.js";
import { theme } from "./theme.js";
import { CPU_ROW, DEVICE_ROW, HEAD_ROW } from "./chart/rows.js";
import { eventContent } from "./chart/markers.js";
import { showPopup, hidePopup, cpuContent, processContent, deviceContent } from "./chart/popup.js";

const FRAME_LEAST = 6; // least width of the frame in pixels

export class Cursor {
	constructor(page) {
		this.page = page;
		this.viewport = page.viewport;
		this.close();
	}

	get open() {
		return this.place !== null;
	}

	// Close the cursor.  Return: true if it was open.
	close() {
		const was = this.place;
		this.place = null; // { kind, number, stretch, event }
		if (was) hidePopup();
		return Boolean(was);
	}

	// The log has grown. The cursor stays if the log's beginning is unchanged, because then numbers and times are
	// unchanged, too.
	renew(log) {
		if (this.viewport.log.begin !== log.begin) this.close();
	}

	row() {
		return this.place && this.page.rows.rowOf(this.place.kind, this.place.number);
	}

	middle() {
		return this.viewport.from + this.viewport.span / 2;
	}

	// Move to the row above (-1) or below (1), at the present time of the cursor.
	step(by) {
		const rows = this.page.rows.rows.filter((row) => row.kind !== HEAD_ROW),
			at = rows.indexOf(this.row());
		const next = rows[at < 0 ? 0 : Math.max(0, Math.min(rows.length - 1, at + by))];
		if (!next) return;
		const time = Math.max(
			this.viewport.from,
			Math.min(this.time(), this.viewport.from + this.viewport.span)
		);
		this.place = { kind: next.kind, number: next.item.number, stretch: null, event: null };
		if (next.kind === CPU_ROW) this.place.stretch = this.stretchAt(time) ?? this.stretchAt(this.middle());
		this.page.rows.reveal(next);
		this.show();
	}

	stretchAt(time) {
		return this.page.engine.query("query_cpu", this.place.number, Math.floor(time));
	}

	// Return: the time of the cursor: the time of its event, the middle of the visible part of its stretch, or the
	// middle of the window.
	time() {
		const { stretch, event } = this.place ?? {};
		if (event) return event.time;
		if (!stretch) return this.middle();
		return (Math.max(stretch.begin, this.viewport.from) +
			Math.min(stretch.end, this.viewport.from + this.viewport.span)) / 2;
	}

	// Move to the next (1) or previous (-1) stretch or event of the row.
	along(by) {
		const { kind, number, stretch, event } = this.place,
			{ calls } = this.page.engine;
		if (kind === CPU_ROW) {
			const next = stretch && this.stretchAt(by > 0 ? stretch.end : stretch.begin - 1);
			if (!next) return;
			this.place.stretch = next;
			this.viewport.reach(next.begin);
		} else {
			const from = event
				? event.number
				: calls.describe_at(by > 0 ? this.viewport.from : this.middle()) - (by > 0 ? 1 : 0);
			const next = this.page.engine.query(
				"describe_next",
				kind === DEVICE_ROW ? 1 : 0,
				number,
				from,
				by
			);
			if (!next) return;
			this.place.event = next;
			this.viewport.reach(next.time);
		}
		this.show();
	}

	content() {
		const { kind, stretch, event } = this.place,
			{ item } = this.row();
		if (event) return eventContent(this.viewport, event);
		if (kind === CPU_ROW) return cpuContent(this.viewport, item, stretch);
		return kind === DEVICE_ROW ? deviceContent(this.viewport, item) : processContent(this.viewport, item);
	}

	show() {
		this.page.draw();
		const frame = this.frame(),
			box = $("over").getBoundingClientRect();
		if (!frame) return;
		showPopup(this.content(), box.left + frame.x + frame.width / 2, box.top + frame.y + frame.height);
		$("told").textContent = $("popup").innerText;
	}

	// Choose the process, device or event at the cursor, so that the panel shows it.
	choose() {
		const { kind, number, stretch, event } = this.place,
			{ viewport, page } = this;
		page.clicked = true;
		if (kind === DEVICE_ROW) viewport.chooseDevice(number);
		else if (kind !== CPU_ROW) viewport.choose(number);
		else viewport.choose(stretch?.use === "process" ? stretch.number : null);
		page.clicked = false;
		if (event) viewport.pick(event.number);
		this.show();
	}

	// Return: the rectangle of the cursor over the rows, in pixels; null if its row is gone.
	frame() {
		const row = this.row(),
			{ ruler } = this.page;
		if (!row) return null;
		const { stretch, event } = this.place,
			y = row.top - $("scroll").scrollTop;
		if (event) return { x: ruler.x(event.time) - 8, y: y - 1, width: 16, height: row.height + 2 };
		const from = Math.max(-2, stretch ? ruler.x(stretch.begin) : 0),
			to = Math.min(ruler.plotWidth + 2, stretch ? ruler.x(stretch.end) : ruler.plotWidth);
		const width = Math.max(FRAME_LEAST, to - from);
		return { x: (from + to - width) / 2, y: y - 1, width, height: row.height + 2 };
	}

	draw(context) {
		const frame = this.place && this.frame();
		if (!frame) return;
		context.lineWidth = 4;
		context.strokeStyle = theme().back;
		context.strokeRect(frame.x, frame.y, frame.width, frame.height);
		context.lineWidth = 2;
		context.strokeStyle = theme().accent;
		context.strokeRect(frame.x, frame.y, frame.width, frame.height);
		context.lineWidth = 1;
	}
}
