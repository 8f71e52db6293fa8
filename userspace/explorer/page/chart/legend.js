// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The legend explains the colours, the marks, and how to move. It is always in sight.
import { $, make, swatch, swatchOf, fitCanvas } from "../dom.js";
import { theme, processColors } from "../theme.js";
import { mark, gravity } from "./markers.js";

const MARKS = [
	["birth", { kind: "birth" }],
	["new name", { kind: "name" }],
	["end", { kind: "end", value: 0 }],
	["ended with an error or by a signal", { kind: "end", value: 1 }],
	["event", { kind: "event", level: 0x40 }],
	["error", { kind: "event", level: 0x80 }],
	["critical", { kind: "event", level: 0xc0 }],
	["records were lost", { kind: "loss" }],
];

function keyOf(...content) {
	return make("span", { class: "key" }, content);
}

function pictureOf(event) {
	const canvas = make("canvas", {});
	mark(fitCanvas(canvas, 12, 12), event, 6, 6, gravity(event));
	return canvas;
}

export function drawLegend(log) {
	const colors = theme(),
		hatched = make("span", { class: "swatch hatched" });
	hatched.style.color = colors.hatch;
	hatched.style.backgroundColor = colors.unknown;
	$("legend").replaceChildren(
		keyOf(
			[1, 2, 3 + processColors.length, 4 + 2 * processColors.length].map((id) => swatchOf({ id })),
			"a colour and texture for each process",
		),
		keyOf(swatch(colors.kernel), "kernel"),
		keyOf(swatch(colors.idle), "idle"),
		keyOf(hatched, "unknown: the log does not tell"),
		log.traffic ? keyOf(swatch(colors.input), "input", swatch(colors.output), "output") : "",
		...MARKS.map(([name, event]) => keyOf(pictureOf(event), name)),
		make(
			"span",
			{ class: "how" },
			"Wheel: zoom · drag: move · Shift + drag: select · click: details · ?: all keys"
		),
	);
}
