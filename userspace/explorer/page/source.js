// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Where the log comes from: this page itself, a file of which only a part at a time is in memory, or bcoslog serve.

const SLICE = 1 << 20;

// Lets the page respond before the next part; a timer would wait longer.
export const breathe = () =>
	new Promise((go) => {
		const channel = new MessageChannel();
		channel.port1.onmessage = () => go();
		channel.port2.postMessage(0);
	});

export function decode64(text) {
	const binary = atob(text.trim()),
		bytes = new Uint8Array(binary.length);
	for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
	return bytes;
}

// The log that bcoslog explore put into this page; null: there is none.
export function embedded() {
	const blocks = [...document.querySelectorAll("script.log")];
	if (!blocks.length) return null;
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

// The newest part of a log that goes on: what the server has sent so far, from a group of historical entries on.
class Served {
	constructor() {
		this.name = "the live log";
		this.kept = [];
		this.from = this.to = 0; // offsets in the log of what is kept
		this.loaded = 0; // offset up to which an engine has it
		this.ended = false;
	}

	get size() {
		return this.to - this.from;
	}

	// Forget what lies before @base, which is the beginning of a group.  An engine has to begin there, too.
	forget(base) {
		while (this.kept.length && this.from + this.kept[0].length <= base)
			this.from += this.kept.shift().length;
		if (this.kept.length && this.from < base) {
			this.kept[0] = this.kept[0].slice(base - this.from);
			this.from = base;
		}
		this.loaded = this.from;
	}

	// Ask for all that is new.  Return: something is.
	async more() {
		const before = this.to;
		for (;;) {
			const answer = await fetch(`log${location.search}&from=${this.to}`);
			if (!answer.ok)
				throw new Error(
					"The server refuses this page: open the address that bcoslog serve printed.",
				);
			const of = (name) => Number(answer.headers.get(`Bcoslog-${name}`)),
				part = new Uint8Array(await answer.arrayBuffer());
			if (of("From") !== this.to) {
				this.kept = [];
				this.from = this.to = this.loaded = of("From");
			}
			if (part.length) this.kept.push(part);
			this.to += part.length;
			// The page keeps at most twice what the server does, so it begins again seldom.
			if (of("Base") - this.from > this.to - of("Base")) this.forget(of("Base"));
			this.ended = of("Ended") > 0;
			this.full = of("Full") > 0;
			if (!part.length || this.ended) return this.to !== before;
		}
	}

	parts() {
		return this.after(this.from);
	}

	async *after(offset) {
		let end = this.from;
		for (const part of [...this.kept]) {
			const begin = end;
			end += part.length;
			for (let at = Math.max(0, offset - begin); at < part.length; at += SLICE) {
				yield part.subarray(at, at + SLICE);
				await breathe();
			}
		}
	}
}

// null: this page is a file, and asks nobody.
export const served = () => (document.querySelector("meta[name=bcoslog-live]") ? new Served() : null);
