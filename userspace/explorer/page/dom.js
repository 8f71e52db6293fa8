// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Making elements. Text of a log becomes text nodes only, so that no name is ever markup.
import { colorOf, isPaper, textureOf, textureInk } from "./theme.js";

export const $ = (id) => document.getElementById(id);

// Return: a text in which the numbers of control characters, and of those that change the direction of writing, replace
// these characters.
export function printable(text) {
	return String(text ?? "?").replace(
		/[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
		(c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
	);
}

// Make an element, such as make("li", { class: "on", onclick: listener }, "text", child...).
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

// Make a list of terms from pairs [term, description]. Pairs without a description are left out.
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

// Make a swatch with the colour and texture of a process.
export function swatchOf(process) {
	const color = colorOf(process),
		element = swatch(color);
	if (process.id !== 0 && textureOf(process)) {
		element.classList.add(`texture${textureOf(process)}`);
		element.style.color = textureInk(color);
	}
	return element;
}

// Return: the number of pixels of the screen, or of paper, in a pixel of CSS.
export const pixelRatio = () => (isPaper() ? 2 : devicePixelRatio || 1);

// Give a canvas as many pixels as the screen has for it.  Return: its context, scaled to pixels of CSS.
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
