// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Elements. Text of a log goes through textContent alone, so that no name is ever markup.
import { colorOf, isPaper, textureOf, textureInk } from "./theme.js";

export const $ = (id) => document.getElementById(id);

// Control characters, and those that turn the direction of writing, as their numbers.
export function printable(text) {
	return String(text ?? "?").replace(
		/[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
		(c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
	);
}

// make("li", { class: "on" }, "text", child...)
export function make(tag, attributes = {}, ...content) {
	const element = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes)) {
		if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
		else if (value !== undefined && value !== false) element.setAttribute(name, value);
	}
	for (const part of content.flat(Infinity)) {
		if (part instanceof Node) element.append(part);
		else if (part !== null && part !== undefined) element.append(document.createTextNode(printable(part)));
	}
	return element;
}

// A list of terms: [[term, description]...]; what has no description is left out.
export function terms(pairs) {
	return make(
		"dl",
		{},
		pairs
			.filter(([, text]) => text !== null && text !== undefined && text !== "")
			.flatMap(([term, text]) => [make("dt", {}, term), make("dd", {}, text)]),
	);
}

export function swatch(color) {
	const element = make("span", { class: "swatch" });
	element.style.backgroundColor = color;
	return element;
}

// The colour and texture of a process.
export function swatchOf(process) {
	const color = colorOf(process),
		element = swatch(color);
	if (process.id !== 0 && textureOf(process)) {
		element.classList.add(`texture${textureOf(process)}`);
		element.style.color = textureInk(color);
	}
	return element;
}

// Pixels of the screen, or of paper, that a pixel of CSS has.
export const pixelRatio = () => (isPaper() ? 2 : devicePixelRatio || 1);

// As large as it is shown, in the screen's pixels.  Return: the context, scaled to those of CSS.
export function fitCanvas(canvas, width, height) {
	const ratio = pixelRatio(),
		w = Math.max(1, Math.round(width * ratio)),
		h = Math.max(1, Math.round(height * ratio));
	if (canvas.width !== w || canvas.height !== h) {
		canvas.width = w;
		canvas.height = h;
		canvas.style.width = `${width}px`;
		canvas.style.height = `${height}px`;
	}
	const context = canvas.getContext("2d");
	context.setTransform(ratio, 0, 0, ratio, 0, 0);
	return context;
}
