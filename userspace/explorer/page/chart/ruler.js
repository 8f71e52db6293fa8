// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The axis of time, and what lies over the rows: the selection, the pointer, lines.
import { $, fitCanvas } from "../dom.js";
import { isPaper, theme } from "../theme.js";
import { tick, span, wall } from "../format.js";
import { LABELS } from "./rows.js";

// The distance of marks: 1, 2 or 5 times a power of ten, at least @least.
export function step(least) {
	const power = 10 ** Math.floor(Math.log10(least));
	return [1, 2, 5, 10].map((times) => times * power).find((distance) => distance >= least);
}

export class Ruler {
	constructor(viewport) {
		this.viewport = viewport;
		this.canvas = $("ruler");
		this.over = $("over");
		this.pointer = null; // ns since the log's beginning
	}

	get width() {
		return this.canvas.parentElement.clientWidth - LABELS;
	}

	// Pixels of the width that the rows have: their scroll bar takes some.
	get plotWidth() {
		return $("scroll").clientWidth - LABELS;
	}

	x(time) {
		return ((time - this.viewport.from) / this.viewport.span) * this.plotWidth;
	}

	time(x) {
		return this.viewport.from + (x / this.plotWidth) * this.viewport.span;
	}

	// Times since boot of the marks: round ones.
	marks() {
		const distance = step(this.viewport.span / Math.max(2, this.plotWidth / 110));
		const begin = BigInt(this.viewport.log.begin),
			whole = BigInt(Math.max(1, Math.round(distance)));
		const first = begin + BigInt(Math.ceil(this.viewport.from));
		let at = Number(((first + whole - 1n) / whole) * whole - begin);
		const marks = [];
		for (; at < this.viewport.from + this.viewport.span && marks.length < 100; at += Number(whole))
			marks.push(at);
		return { marks, distance: Number(whole) };
	}

	draw() {
		const colors = theme(),
			context = fitCanvas(this.canvas, this.width, 33),
			{ marks, distance } = this.marks();
		const begin = BigInt(this.viewport.log.begin);
		context.clearRect(0, 0, this.width, 33);
		context.font = "11px system-ui, sans-serif";
		context.textBaseline = "middle";
		for (const at of marks) {
			const x = Math.round(this.x(at)) + 0.5;
			context.fillStyle = colors.line;
			context.fillRect(x - 0.5, 22, 1, 11);
			const text = `${tick(begin, at, distance)} s`;
			context.fillStyle = colors.quiet;
			// A text that the edge would cut says something wrong.
			if (x + 4 + context.measureText(text).width <= this.width) context.fillText(text, x + 4, 16);
		}
		this.shade(context, 33);
		$("corner").textContent = "seconds since boot";
		this.drawOver(marks);
		const date = wall(this.viewport.log.wall_begin, this.viewport.from + this.viewport.span / 2);
		$("where").textContent = `${span(this.viewport.span)}${date ? ` · ${date}` : ""}`;
	}

	shade(context, height) {
		const { selection } = this.viewport;
		if (!selection) return;
		const from = this.x(selection.from),
			to = this.x(selection.to);
		context.fillStyle = theme().select;
		context.fillRect(from, 0, Math.max(1, to - from), height);
		context.fillStyle = theme().accent;
		context.fillRect(from, 0, 1, height);
		context.fillRect(to - 1, 0, 1, height);
	}

	drawOver(marks) {
		const height = $("scroll").clientHeight,
			context = fitCanvas(this.over, this.plotWidth, height);
		context.clearRect(0, 0, this.plotWidth, height);
		// Browsers print what was drawn on a canvas, and leave out pixels that were put there.
		if (isPaper() && this.rows) context.drawImage(this.rows.canvas, 0, 0, this.plotWidth, height);
		context.fillStyle = theme().line;
		context.globalAlpha = 0.5;
		for (const at of marks) context.fillRect(Math.round(this.x(at)), 0, 1, height);
		context.globalAlpha = 1;
		this.rows?.names(context);
		this.shade(context, height);
		this.markers?.draw(context);
		this.cursor?.draw(context);
		if (this.pointer !== null) {
			context.fillStyle = theme().quiet;
			context.fillRect(Math.round(this.x(this.pointer)), 0, 1, height);
		}
	}
}
