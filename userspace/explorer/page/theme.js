// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The colours. The first ones of processes are those of Okabe and Ito; readers with a colour vision deficiency can tell
// all of them apart.

export const processColors = [
	"#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#552299", "#eecc22", "#770066", "#aaee99",
	"#992200", "#22ddff", "#883377", "#aacc88",
];
// The number of textures of each colour: plain, striped and lined, as enum texture of paint.h has them.
const TEXTURES = 3;
const INK = 0.25; // share of black or white in the lines of a texture

const LIGHT = {
	back: "#fcfcfb",
	idle: "#ecece8",
	kernel: "#a9adb1",
	unknown: "#f5e9d3",
	hatch: "#c39b5f",
	life: "#c9c9c3",
	dim: "#d3d5d4",
	text: "#1d1f21",
	quiet: "#6b6f73",
	line: "#dcdcd6",
	accent: "#0060a8",
	select: "rgba(0,96,168,.14)",
	input: "#0072b2",
	output: "#e69f00",
	interrupt: "#8a8f94",
	process: "#0072b2",
	good: "#009e73",
	warn: "#d55e00",
	bad: "#b3261e",
};
const DARK = {
	back: "#15171a",
	idle: "#24272c",
	kernel: "#666c73",
	unknown: "#3a3020",
	hatch: "#8d6d3c",
	life: "#4a4f56",
	dim: "#383c42",
	text: "#e6e6e3",
	quiet: "#9aa0a6",
	line: "#31353b",
	accent: "#6cb6f5",
	select: "rgba(108,182,245,.18)",
	input: "#56b4e9",
	output: "#e69f00",
	interrupt: "#7d838a",
	process: "#56b4e9",
	good: "#00b887",
	warn: "#ff8f3f",
	bad: "#ff8a80",
};

// The names of the colours, in the order of COLOR_* of paint.h.
const NAMES = ["back", "idle", "kernel", "unknown", "hatch", "life", "dim", "input", "output", "interrupt"];

const channels = (color) => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));

const dark = globalThis.matchMedia?.("(prefers-color-scheme: dark)"),
	paper = globalThis.matchMedia?.("print");

export const isPaper = () => globalThis.document?.documentElement.classList.contains("paper") ?? false;

// Return: the colours to use. Paper is white, even if the reader prefers a dark screen.
export const theme = () => (dark?.matches && !paper?.matches && !isPaper() ? DARK : LIGHT);

// Call @changed when the reader's preference changes, or when the page is printed.
export function onTheme(changed) {
	dark?.addEventListener("change", changed);
	paper?.addEventListener("change", changed);
}

// The colour and texture of a process follow from its ID alone, so they are the same in each part of a log.
export function colorOf(process) {
	return process.id === 0 ? theme().kernel : processColors[process.id % processColors.length];
}

export const textureOf = (process) => Math.floor(process.id / processColors.length) % TEXTURES;

// Return: black or white, whichever is legible on @color, as the human eye weighs red, green and blue.
export function inkOn(color) {
	const [red, green, blue] = channels(color);
	return 0.299 * red + 0.587 * green + 0.114 * blue > 140 ? "#000000" : "#ffffff";
}

// Return: the colour of the lines of a texture on @color.
export function textureInk(color) {
	const to = inkOn(color) === "#000000" ? 0 : 255;
	const mixed = channels(color).map((value) => Math.round(value + (to - value) * INK));
	return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

// Pass the colours to the engine, as pixels.
export function givePalette(engine) {
	const colors = [...NAMES.map((name) => theme()[name]), ...processColors, ...processColors.map(textureInk)];
	const at = engine.calls.paint_palette(colors.length);
	const pixels = new Uint32Array(engine.calls.memory.buffer, at, colors.length);
	colors.forEach((color, i) => {
		const [red, green, blue] = channels(color);
		pixels[i] = (0xff000000 | (blue << 16) | (green << 8) | red) >>> 0;
	});
}
