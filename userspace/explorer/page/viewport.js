// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The viewport: a window of time, a selection, the chosen process or device. The URL's fragment keeps it.

const SHORTEST = 100; // ns

export class Viewport {
	constructor() {
		this.listeners = [];
		this.log = null;
		this.from = 0;
		this.span = 1;
		this.selection = null; // { from, to }, ns since the log's beginning
		this.process = null; // its number
		this.device = null;
		this.event = null; // its number
		this.settled = -Infinity; // ns since the log's beginning
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

	// The log has grown, or begins elsewhere. The window stays where it is, or at the log's end if that is in it.
	renew(log) {
		// Nothing before this moment has changed.
		this.settled = log.begin === this.log.begin ? this.log.span : -Infinity;
		const moved = Number(BigInt(this.log.begin) - BigInt(log.begin)),
			{ from, span } = this,
			end = from + span;
		const whole = from <= 0 && end >= this.log.span,
			last = end >= this.log.span;
		const of = (list, item) =>
			list.find(({ id, start }) => id === item.id && start === item.start + moved)?.number ?? null;
		if (moved) {
			// Another beginning has other numbers; who was chosen stays so.
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

	// From @from on, @span wide, as far as there is a log.
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

	// @by: below 1 nearer, about the moment @at.
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

	pick(event) {
		this.event = event;
		this.changed("event");
	}

	// Show a moment, as near as now.
	reach(at) {
		if (at < this.from || at > this.from + this.span) this.show(at - this.span / 2, this.span);
		else this.changed("window");
	}

	// Times are since boot there, so that they stay right for another cut of the same log.
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

	// Nothing is chosen that the address does not name, and without a window all of the log is shown.
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
		// By ID, and when several had it, by its start; the last one if there is none.
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
