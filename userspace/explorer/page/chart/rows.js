// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The rows of CPUs, devices and processes: their places and labels, and their pixels, which the engine paints.
import { $, make, swatchOf, printable, pixelRatio } from "../dom.js";
import { theme, colorOf, inkOn } from "../theme.js";
import { share, bytes } from "../format.js";

export const CPU_ROW = 0,
	PROCESS_ROW = 1,
	DEVICE_ROW = 2,
	HEAD_ROW = 3;
const HEIGHT = { [CPU_ROW]: 22, [PROCESS_ROW]: 16, [DEVICE_ROW]: 18, [HEAD_ROW]: 22 };
const GAP = 3; // pixels between two rows
const NAME_LEAST = 34; // least width of a stretch with a name, in pixels
const NAME_EDGE = 5; // pixels before and after a name
const LABEL_BYTES = 16; // size of struct label
export const LABELS = 180; // width of the labels before the rows, in pixels

// Return: as much of @text as fits into @room pixels; null if that is too little to be read.
function fitted(context, text, room) {
	if (context.measureText(text).width <= room) return text;
	for (let length = Math.min(text.length - 1, Math.floor(room / 4)); length > 2; length--) {
		const part = `${text.slice(0, length)}…`;
		if (context.measureText(part).width <= room) return part;
	}
	return null;
}

export class Rows {
	constructor(viewport, engine) {
		this.viewport = viewport;
		this.engine = engine;
		this.canvas = $("rows");
		this.scroll = $("scroll");
		this.rows = [];
		this.height = 0;
		this.shown = "";
	}

	// Arrange the rows. Processes are in the order of their CPU time, after the kernel.
	lay() {
		const { log } = this.viewport;
		const processes = [...log.processes].sort((a, b) =>
			a.id === 0 ? -1 : b.id === 0 ? 1 : b.time - a.time || a.number - b.number,
		);
		this.rows = [];
		this.height = 4;
		this.add(HEAD_ROW, null, "CPUs");
		[...log.cpus].sort((a, b) => a.id - b.id).forEach((cpu) => this.add(CPU_ROW, cpu));
		// Most devices of most machines never do anything, and get no row.
		const devices = log.devices
			.filter((device) => device.input || device.output || device.interrupts || device.events)
			.sort((a, b) => b.input + b.output - a.input - a.output || a.id - b.id);
		if (devices.length) this.add(HEAD_ROW, null, "Devices");
		devices.forEach((device) => this.add(DEVICE_ROW, device));
		this.add(HEAD_ROW, null, `Processes (${processes.length})`);
		processes.forEach((process) => this.add(PROCESS_ROW, process));
		$("tall").style.height = `${this.height + 8}px`;
		this.shown = "";
	}

	add(kind, item, text) {
		this.rows.push({ kind, item, text, top: this.height, height: HEIGHT[kind] });
		this.height += HEIGHT[kind] + GAP;
	}

	visible() {
		const top = this.scroll.scrollTop,
			bottom = top + this.scroll.clientHeight;
		let low = 0,
			high = this.rows.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (this.rows[middle].top + this.rows[middle].height < top) low = middle + 1;
			else high = middle;
		}
		const first = low;
		while (low < this.rows.length && this.rows[low].top < bottom) low++;
		return this.rows.slice(first, low);
	}

	// Return: the row at the line @y of the visible part; null if there is none.
	at(y) {
		const place = y + this.scroll.scrollTop;
		return (
			this.visible().find(
				(row) =>
					place >= row.top && place < row.top + row.height + GAP && row.kind !== HEAD_ROW,
			) || null
		);
	}

	rowOf(kind, number) {
		return this.rows.find((row) => row.kind === kind && row.item.number === number);
	}

	reveal(row) {
		const top = this.scroll.scrollTop,
			end = top + this.scroll.clientHeight;
		if (row && (row.top < top || row.top + row.height > end))
			this.scroll.scrollTop = row.top - this.scroll.clientHeight / 2;
	}

	draw() {
		const width = this.scroll.clientWidth - LABELS,
			height = this.scroll.clientHeight,
			ratio = pixelRatio();
		$("stick").style.height = `${height}px`;
		const w = Math.max(1, Math.round(width * ratio)),
			h = Math.max(1, Math.round(height * ratio));
		const visible = this.visible();
		this.labels(visible);
		this.painted = visible.filter((row) => row.kind !== HEAD_ROW);
		this.paint(this.painted, w, h, ratio);
	}

	paint(rows, w, h, ratio) {
		const { calls } = this.engine,
			top = this.scroll.scrollTop;
		if (this.canvas.width !== w || this.canvas.height !== h || !this.pixels) {
			this.canvas.width = w;
			this.canvas.height = h;
			this.canvas.style.width = `${w / ratio}px`;
			this.canvas.style.height = `${h / ratio}px`;
			this.pixels = calls.paint_size(w, h);
		}
		const place = calls.paint_rows(rows.length);
		const table = new Int32Array(calls.memory.buffer, place, rows.length * 4);
		rows.forEach((row, i) => {
			const y = Math.round((row.top - top) * ratio);
			table.set([row.kind, row.item.number, y, Math.round(row.height * ratio)], i * 4);
		});
		calls.labels_begin(Math.ceil(NAME_LEAST * ratio));
		calls.paint_choose(this.viewport.process ?? 0xffffffff);
		calls.paint_draw(this.viewport.from, this.viewport.span);
		const image = new ImageData(new Uint8ClampedArray(calls.memory.buffer, this.pixels, w * h * 4), w, h);
		this.canvas.getContext("2d", { alpha: false }).putImageData(image, 0, 0);
	}

	// Write the names of processes over the rows of CPUs where there is room.
	names(context) {
		const { calls } = this.engine,
			{ log, process: chosen } = this.viewport,
			at = calls.labels_found(),
			count = at ? calls.labels_count() : 0,
			data = new DataView(calls.memory.buffer, at, count * LABEL_BYTES),
			ratio = pixelRatio(),
			top = this.scroll.scrollTop;
		context.font = "11px system-ui, sans-serif";
		context.textBaseline = "middle";
		for (let i = 0; i < count; i++) {
			const [index, number, left, wide] = [0, 4, 8, 12].map((field) =>
				data.getUint32(i * LABEL_BYTES + field, true),
			);
			const row = this.painted[index],
				process = log.processes[number],
				room = wide / ratio - 2 * NAME_EDGE;
			if (!row || !process) continue;
			const text = fitted(context, printable(process.name), room);
			if (!text) continue;
			const dim = chosen !== null && chosen !== number && process.id !== 0;
			const color = dim ? theme().dim : colorOf(process),
				x = left / ratio + NAME_EDGE,
				y = row.top - top + row.height / 2 + 1;
			// The background of a name has no texture, whose lines would cross the letters.
			context.fillStyle = color;
			context.fillRect(x - 2, y - 7, context.measureText(text).width + 4, 13);
			context.fillStyle = inkOn(color);
			context.fillText(text, x, y);
		}
	}

	labels(visible) {
		const top = this.scroll.scrollTop,
			key = `${top}:${this.viewport.process}:${this.viewport.device}:${this.scroll.clientHeight}`;
		if (key === this.shown) return;
		this.shown = key;
		$("labels").replaceChildren(
			...visible.map((row) => {
				const label = this.label(row);
				label.style.top = `${row.top - top}px`;
				label.style.height = `${row.height}px`;
				return label;
			}),
		);
	}

	label(row) {
		if (row.kind === HEAD_ROW) return make("div", { class: "label head" }, row.text);
		if (row.kind === CPU_ROW)
			return make(
				"div",
				{ class: "label" },
				make("b", {}, `CPU ${row.item.id}`),
				make("i", {}, `core ${row.item.core}`),
			);
		const { item } = row,
			whole = this.viewport.log.span;
		if (row.kind === DEVICE_ROW)
			return make(
				"div",
				{
					class: `label process${this.viewport.device === item.number ? " on" : ""}`,
					title: `${printable(item.name)}, device 0x${item.id.toString(16)}`,
					onclick: () => this.viewport.chooseDevice(item.number),
				},
				make("b", {}, item.name),
				make("i", {}, bytes(item.input + item.output)),
			);
		return make(
			"div",
			{
				class: `label process${this.viewport.process === item.number ? " on" : ""}`,
				title: `${printable(item.name)}, process ${item.id}`,
				onclick: () => this.viewport.choose(item.number),
			},
			swatchOf(item),
			make("b", {}, item.name),
			make("i", {}, item.id === 0 ? share(item.time, whole) : item.id),
		);
	}
}
