// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The marks of events over the rows. The shape of a mark shows the kind of the event, the colour how grave it is.
import { make, terms } from "../dom.js";
import { theme } from "../theme.js";
import { span, sinceBoot } from "../format.js";

const KINDS = ["birth", "name", "end", "event", "calls", "loss", "missed", "online", "offline"];
const TITLES = {
	birth: "Birth",
	name: "New name",
	end: "End",
	event: "Event",
	calls: "Kernel calls",
	loss: "Loss",
	missed: "Reader overtaken",
	online: "CPU online",
	offline: "CPU offline",
};
const NEAR = 6; // the pointer is at a mark within so many pixels
const CROSS = [
	[-4, -2], [-2, -4], [0, -2], [2, -4], [4, -2], [2, 0], [4, 2], [2, 4], [0, 2], [-2, 4], [-4, 2], [-2, 0],
];
const MANY = 1500; // more marks than these are drawn without shapes
const BYTES = 20; // size of struct marker
const SPAN_LEAST = 6; // least width in pixels of a span that is drawn

// The severities of events (5.3.2 of the specification). Each has a colour and a shape.
const SEVERITIES = ["debug", "info", "error", "critical"];
const severity = (level) => SEVERITIES[level >> 6];

export function gravity(event) {
	const { bad, warn, accent, quiet, good } = theme();
	if (event.kind === "loss" || event.kind === "missed") return bad;
	if (event.kind === "event")
		return { debug: quiet, info: accent, error: warn, critical: bad }[severity(event.level)];
	if (event.kind === "end") return event.value ? warn : quiet;
	return event.kind === "birth" || event.kind === "online" ? good : quiet;
}

// Draw the mark of an event or a marker, 8 pixels wide, with its centre at (@x, @y).
export function mark(context, { kind, level }, x, y, color) {
	context.fillStyle = context.strokeStyle = color;
	context.lineWidth = 1.5;
	context.beginPath();
	if (kind === "birth" || kind === "online") {
		context.moveTo(x - 1, y - 4);
		context.lineTo(x + 5, y);
		context.lineTo(x - 1, y + 4);
	} else if (kind === "end" || kind === "offline") {
		context.rect(x - 3, y - 3, 6, 6);
	} else if (kind === "name") {
		context.moveTo(x, y - 4);
		context.lineTo(x + 4, y);
		context.lineTo(x, y + 4);
		context.lineTo(x - 4, y);
	} else if (kind === "loss" || kind === "missed") {
		context.moveTo(x, y - 5);
		context.lineTo(x + 5, y + 4);
		context.lineTo(x - 5, y + 4);
	} else if (kind === "calls") {
		context.rect(x - 0.5, y - 4, 1, 8);
	} else if (severity(level) === "critical") {
		for (const [dx, dy] of CROSS) context.lineTo(x + dx, y + dy);
	} else if (severity(level) === "error") {
		context.moveTo(x - 5, y - 4);
		context.lineTo(x + 5, y - 4);
		context.lineTo(x, y + 5);
	} else {
		context.arc(x, y, severity(level) === "info" ? 3.5 : 2, 0, 7);
	}
	context.closePath();
	context.fill();
	context.strokeStyle = theme().back;
	context.lineWidth = 1;
	if (kind !== "calls") context.stroke();
}

// Draw the span of time within which an event happened.
export function markSpan(context, from, to, y, color) {
	if (to - from < SPAN_LEAST) return;
	context.fillStyle = color;
	context.fillRect(from, y - 1, to - from, 2);
	context.fillRect(to - 1, y - 4, 1, 8);
}

export class Markers {
	constructor(viewport, engine, rows, ruler) {
		Object.assign(this, { viewport, engine, rows, ruler, shown: [] });
	}

	// Find the markers of the painted rows.
	find() {
		const { calls } = this.engine,
			width = Math.max(1, Math.floor(this.ruler.plotWidth / 3));
		const at = calls.markers_find(this.viewport.from, this.viewport.span, width),
			count = at ? calls.markers_count() : 0;
		const data = new DataView(calls.memory.buffer, at, count * BYTES),
			top = this.rows.scroll.scrollTop;
		this.shown = [];
		for (let i = 0; i < count; i++) {
			const row = this.rows.painted[data.getUint32(i * BYTES + 8, true)],
				look = data.getUint32(i * BYTES + 16, true),
				place = (at) => (data.getFloat32(i * BYTES + at, true) / width) * this.ruler.plotWidth;
			this.shown.push({
				x: place(0),
				end: Math.min(place(4), this.ruler.plotWidth),
				y: row.top - top + row.height / 2,
				event: data.getUint32(i * BYTES + 12, true),
				kind: KINDS[look & 255],
				level: (look >> 8) & 255,
				more: look >>> 16,
			});
		}
	}

	draw(context) {
		this.find();
		for (const marker of this.shown) {
			const { kind, x, y, level, event } = marker,
				color = gravity({ kind, level, value: level });
			markSpan(context, x, marker.end, y, color);
			if (this.shown.length > MANY) {
				context.fillStyle = color;
				context.fillRect(x, y - 4, 1, 8);
			} else {
				mark(context, marker, x, y, color);
			}
			if (event === this.viewport.event) {
				context.strokeStyle = theme().text;
				context.strokeRect(x - 7, y - 7, 14, 14);
			}
		}
	}

	at(x, y) {
		let best = null,
			least = NEAR;
		for (const marker of this.shown) {
			const far = Math.max(Math.abs(marker.x - x), Math.abs(marker.y - y) - 2);
			if (far < least) {
				least = far;
				best = marker;
			}
		}
		return best;
	}
}

export function eventTitle(event) {
	if (event.kind === "end") return `End: ${event.ending}`;
	if (event.kind === "calls")
		return event.value ? `${event.value} kernel calls` : "Kernel calls, numbers suppressed";
	const description =
		event.description ??
		(event.kind === "event" ? `event 0x${event.value.toString(16).padStart(8, "0")}` : null);
	return [TITLES[event.kind], description].filter(Boolean).join(": ");
}

function whose(viewport, event) {
	const item =
		event.subject === "process"
			? viewport.log.processes[event.item]
			: event.subject === "device"
				? viewport.log.devices[event.item]
				: null;
	const id = event.subject === "device" ? `0x${event.id.toString(16)}` : event.id;
	return `${event.subject} ${id}${item ? ` ${item.name ?? ""}` : ""}`;
}

export function eventContent(viewport, event, more = 0) {
	return [
		make("h3", {}, eventTitle(event)),
		terms([
			["at", `${sinceBoot(BigInt(viewport.log.begin), event.time)} s`],
			[
				"within",
				event.precision > 1000
					? event.precision === 0xffffffff
						? "4.3 s or more"
						: span(event.precision)
					: null,
			],
			["of", whose(viewport, event)],
			["severity", event.severity && `${event.severity} (0x${event.level.toString(16)})`],
			["text", event.text],
			["here too", more ? `${more} more` : null],
		]),
	];
}
