// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The viewport is a window of time, a selection, and the chosen process or device. The fragment of the URL contains it.

const SHORTEST = 100; // least width of the window, ns

export class Viewport {
	constructor() {
		this.listeners = [];
		this.log = null;
		this.from = 0;
		this.span = 1;
		this.selection = null; // { from, to }, ns since the log's beginning
		this.process = null; // number of the chosen process
		this.device = null; // number of the chosen device
		this.event = null; // number of the chosen event
		this.settled = -Infinity; // a live log does not change before this time, ns since the log's beginning
	}

	onChange(listener) {
		this.listeners.push(listener);
	}

	changed(what) {
		this.listeners.forEach((listener) => listener(what));
	}

	open(log) {
		this.log = log;
		this.settled = -Infinity;
		this.fromFragment();
		this.changed("log");
	}

	// The log has grown, or begins at another time. A window that shows the log's end follows the end; others stay.
	renew(log) {
		this.settled = log.begin === this.log.begin ? this.log.span : -Infinity;
		const moved = Number(BigInt(this.log.begin) - BigInt(log.begin)),
			{ from, span } = this,
			end = from + span;
		const whole = from <= 0 && end >= this.log.span,
			last = end >= this.log.span;
		const of = (list, item) =>
			list.find(({ id, start }) => id === item.id && start === item.start + moved)?.number ?? null;
		if (moved) {
			// The numbers are other ones after another beginning, but the chosen item stays chosen.
			if (this.process !== null) this.process = of(log.processes, this.log.processes[this.process]);
			if (this.device !== null) this.device = of(log.devices, this.log.devices[this.device]);
			this.event = null;
			this.selection = this.selection && {
				from: this.selection.from + moved,
				to: this.selection.to + moved,
			};
		}
		this.log = log;
		if (whole) this.fit();
		else this.show(last ? log.span * 1.01 - span : from + moved, span);
		this.changed("log");
	}

	// Show the window that begins at @from and is @span wide, as far as the log reaches.
	show(from, span) {
		const whole = Math.max(this.log.span, 1),
			edge = whole * 0.02;
		this.span = Math.min(Math.max(span, SHORTEST), whole + 2 * edge);
		this.from = Math.min(Math.max(from, -edge), whole + edge - this.span);
		this.changed("window");
	}

	fit() {
		const whole = Math.max(this.log.span, 1);
		this.show(-whole * 0.01, whole * 1.02);
	}

	// Multiply the width of the window by @by. The moment @at keeps its place.
	zoom(by, at = this.from + this.span / 2) {
		const span = Math.min(Math.max(this.span * by, SHORTEST), Math.max(this.log.span, 1) * 1.04);
		this.show(at - ((at - this.from) * span) / this.span, span);
	}

	pan(part) {
		this.show(this.from + this.span * part, this.span);
	}

	select(from, to) {
		this.selection =
			from === null || from === to ? null : { from: Math.min(from, to), to: Math.max(from, to) };
		this.changed("selection");
	}

	choose(process) {
		this.process = process;
		this.device = this.event = null;
		this.changed("process");
	}

	chooseDevice(device) {
		this.device = device;
		this.process = this.event = null;
		this.changed("device");
	}

	// Show the life of a process or device, as far as the log has it.
	life({ start, end }) {
		const from = Math.max(start, 0),
			span = Math.max(end - from, SHORTEST);
		this.show(from - span * 0.1, span * 1.2);
	}

	// Show the life of a process or device if the window has nothing of it.
	meet(item) {
		if (item.end < this.from || item.start > this.from + this.span) this.life(item);
	}

	pick(event) {
		this.event = event;
		this.changed("event");
	}

	// Move the window to a moment if it does not show it, and keep its width.
	reach(at) {
		if (at < this.from || at > this.from + this.span) this.show(at - this.span / 2, this.span);
		else this.changed("window");
	}

	// Return: the fragment of the URL. Its times are since boot, so they stay right for another part of the log.
	toFragment() {
		const at = (time) => String(BigInt(this.log.begin) + BigInt(Math.round(time)));
		const parts = [`t=${at(this.from)}+${Math.round(this.span)}`];
		if (this.selection)
			parts.push(
				`s=${at(this.selection.from)}+${Math.round(this.selection.to - this.selection.from)}`,
			);
		const item = ({ id, start }) => `${id}@${at(start)}`;
		if (this.process !== null) parts.push(`p=${item(this.log.processes[this.process])}`);
		if (this.device !== null) parts.push(`d=${item(this.log.devices[this.device])}`);
		return `#${parts.join("&")}`;
	}

	// Take the viewport from the fragment. Without a window in it, the whole log is shown.
	fromFragment() {
		const got = new Map(
			location.hash
				.slice(1)
				.split("&")
				.map((part) => part.split("=")),
		);
		const stretch = (text) => {
			const match = /^(\d{1,20})\+(\d{1,20})$/.exec(text || "");
			return (
				match && {
					from: Number(BigInt(match[1]) - BigInt(this.log.begin)),
					span: Number(match[2]),
				}
			);
		};
		// Find an item by ID and, if several had the ID, by start. If none began then, take the last of them.
		const number = (text, list) => {
			const match = /^(\d{1,10})(?:@(-?\d{1,20}))?$/.exec(text || "");
			if (!match) return null;
			const start = match[2] && Number(BigInt(match[2]) - BigInt(this.log.begin)),
				same = list.filter(({ id }) => id === Number(match[1]));
			return (same.find((item) => item.start === start) ?? same.at(-1))?.number ?? null;
		};
		const t = stretch(got.get("t")),
			s = stretch(got.get("s"));
		this.selection = s && { from: s.from, to: s.from + s.span };
		this.event = null;
		this.process = number(got.get("p"), this.log.processes);
		this.device = this.process === null ? number(got.get("d"), this.log.devices) : null;
		if (t) this.show(t.from, t.span);
		else this.fit();
	}
}
