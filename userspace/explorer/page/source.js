// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The sources of a log: this page itself, a file, of which only a part at a time is in memory, or bcoslog serve.

const SLICE = 1 << 20; // greatest size of a part in bytes

// Let the browser handle events before the next part. A timer would wait longer.
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

// Return: the log that bcoslog explore put into this page; null if there is none.
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

// The newest part of a live log: the bytes that the server has sent so far, from a group of historical entries on.
class Served {
	constructor() {
		this.name = "the live log";
		this.kept = [];
		this.from = this.to = 0; // the offsets in the log at which the kept bytes begin and end
		this.loaded = 0; // the offset up to which the engine has loaded the log
		this.ended = false;
	}

	get size() {
		return this.to - this.from;
	}

	// Forget the bytes before @base, the offset of a group. An engine that begins anew loads the log from there.
	forget(base) {
		while (this.kept.length && this.from + this.kept[0].length <= base)
			this.from += this.kept.shift().length;
		if (this.kept.length && this.from < base) {
			this.kept[0] = this.kept[0].slice(base - this.from);
			this.from = base;
		}
		this.loaded = this.from;
	}

	// Ask the server for all new bytes.  Return: true if there are some.
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
			// The page keeps up to twice as many bytes as the server, so that it seldom has to begin anew.
			if (of("Base") - this.from > this.to - of("Base")) this.forget(of("Base"));
			this.ended = of("Ended") > 0;
			this.full = of("Full") > 0;
			this.age = of("Age") / 1e9;
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

// Return: the live log; null if this page is not from bcoslog serve.
export const served = () => (document.querySelector("meta[name=bcoslog-live]") ? new Served() : null);
