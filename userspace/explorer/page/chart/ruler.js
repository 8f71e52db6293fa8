// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The axis of time, and the layer over the rows with lines, the selection, the markers and the pointer.
import { $, fitCanvas } from "../dom.js";
import { isPaper, theme } from "../theme.js";
import { tick, span, wall, wallTick, wallTime } from "../format.js";
import { LABELS } from "./rows.js";

// Return: the distance of marks, which is 1, 2 or 5 times a power of ten, and at least @least.
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
		this.byWall = false; // the axis shows the wall clock
	}

	get width() {
		return this.canvas.parentElement.clientWidth - LABELS;
	}

	// The width of the rows in pixels, without their scroll bar.
	get plotWidth() {
		return $("scroll").clientWidth - LABELS;
	}

	x(time) {
		return ((time - this.viewport.from) / this.viewport.span) * this.plotWidth;
	}

	time(x) {
		return this.viewport.from + (x / this.plotWidth) * this.viewport.span;
	}

	// Show the other clock on the axis, if the log states the wall clock.
	turn() {
		this.byWall = !this.byWall && this.viewport.log.clock.length > 0;
	}

	// Return: the text of a mark.
	label(at, distance) {
		const { clock, begin } = this.viewport.log;
		return this.byWall ? wallTick(clock, at, distance) : `${tick(BigInt(begin), at, distance)} s`;
	}

	// Return: the times of the marks, ns since the log's beginning, which are round by the clock of the axis; and the
	// distance of the marks.
	marks() {
		const distance = step(this.viewport.span / Math.max(2, this.plotWidth / 110));
		const from = Math.ceil(this.viewport.from),
			whole = BigInt(Math.max(1, Math.round(distance)));
		const first = this.byWall
			? wallTime(this.viewport.log.clock, from)
			: BigInt(this.viewport.log.begin) + BigInt(from);
		const begin = first - BigInt(from);
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
		context.clearRect(0, 0, this.width, 33);
		context.font = "11px system-ui, sans-serif";
		context.textBaseline = "middle";
		for (const at of marks) {
			const x = Math.round(this.x(at)) + 0.5;
			context.fillStyle = colors.line;
			context.fillRect(x - 0.5, 22, 1, 11);
			const text = this.label(at, distance);
			context.fillStyle = colors.quiet;
			// A number that the edge cuts would be wrong, so it is left out.
			if (x + 4 + context.measureText(text).width <= this.width) context.fillText(text, x + 4, 16);
		}
		this.shade(context, 33);
		$("corner").textContent = this.byWall ? "wall clock, UTC" : "seconds since boot";
		$("corner").disabled = !this.viewport.log.clock.length;
		this.drawOver(marks);
		const date = wall(this.viewport.log.clock, this.viewport.from + this.viewport.span / 2);
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
		// Browsers print drawings on a canvas, but no pixels from putImageData(), so the rows are drawn here.
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
