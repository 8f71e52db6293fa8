// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Where the log comes from: this page itself, or a file, of which only a part at a time is in memory.

const SLICE = 1 << 20;

// So that the page stays responsive meanwhile; a timer would wait longer.
export const breathe = () => new Promise((go) => {
	const channel = new MessageChannel();
	channel.port1.onmessage = () => go();
	channel.port2.postMessage(0);
});

export function decode64(text) {
	const binary = atob(text.trim()), bytes = new Uint8Array(binary.length);
	for (let i = 0; i < binary.length; i++)
		bytes[i] = binary.charCodeAt(i);
	return bytes;
}

// The log that bcoslog explore put into this page; null: there is none.
export function embedded() {
	const blocks = [...document.querySelectorAll("script.log")];
	if (!blocks.length)
		return null;
	const parts = blocks.map((block) => {
		const bytes = decode64(block.textContent);
		block.remove();
		return bytes;
	});
	return {
		name: blocks[0].dataset.name || "a log",
		size: parts.reduce((sum, part) => sum + part.length, 0),
		async *parts() {
			for (const part of parts) {
				for (let at = 0; at < part.length; at += SLICE) {
					yield part.subarray(at, at + SLICE);
					await breathe();
				}
			}
		},
	};
}

export function ofFile(file) {
	return {
		name: file.name,
		size: file.size,
		async *parts() {
			for (let at = 0; at < file.size; at += SLICE)
				yield new Uint8Array(await file.slice(at, at + SLICE).arrayBuffer());
		},
	};
}
