// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The engine is the library, compiled to WebAssembly. It decodes and accounts; the page computes none of that itself.

const FEED = 1 << 20; // greatest size in bytes of a part that the engine gets in one call
const NO_LOG = -25; // -EILSEQ of wasi-libc

export const SERIES_COLUMNS = 19; // S_COLUMNS of series.c

const decoder = new TextDecoder();

export class Engine {
	// Make an engine. @bytes returns the WebAssembly program, which is compiled once.
	static async load(bytes) {
		Engine.program ??= WebAssembly.compile(bytes());
		const refuse = () => 8; // EBADF, because there are no files
		const instance = await WebAssembly.instantiate(await Engine.program, {
			page: { random: () => crypto.getRandomValues(new BigUint64Array(1))[0] },
			wasi_snapshot_preview1: { fd_close: refuse, fd_seek: refuse, fd_write: refuse },
		});
		return new Engine(instance.exports);
	}

	constructor(calls) {
		this.calls = calls;
		this.room = calls.memory_new(FEED);
		this.bytes = 0; // number of bytes of the log that have been decoded
	}

	// Return: the answer to the last query.
	answer() {
		const bytes = new Uint8Array(this.calls.memory.buffer, this.calls.out_bytes(), this.calls.out_size());
		return JSON.parse(decoder.decode(bytes));
	}

	query(name, ...args) {
		this.calls[name](...args);
		return this.answer();
	}

	// Pass @bytes to the function @name, part by part.  Return: true if the function wants more.
	feed(name, bytes) {
		for (let at = 0; at < bytes.length; at += FEED) {
			const part = bytes.subarray(at, at + FEED);
			new Uint8Array(this.calls.memory.buffer).set(part, this.room);
			const failed = this.calls[name](this.room, part.length);
			if (failed > 0) return false;
			if (failed) throw new Error(this.reason(failed));
		}
		return true;
	}

	reason(code) {
		return code === NO_LOG
			? "This is no BCOS event log: nothing in it is an entry of a known type."
			: "There is no memory for all that this log names.";
	}

	// Load a whole log. @parts is an (asynchronous) iterable of Uint8Array; @told gets the number of loaded bytes.
	// Return: the log; null if @wanted() became false.
	async open(parts, told = () => {}, wanted = () => true) {
		this.start();
		await this.load(parts, told, wanted);
		return wanted() ? this.end() : null;
	}

	start() {
		if (this.calls.load_begin()) throw new Error(this.reason(0));
	}

	async load(parts, told = () => {}, wanted = () => true) {
		for await (const part of parts) {
			if (!wanted()) return;
			this.feed("load_part", part);
			told((this.bytes += part.length));
		}
	}

	end() {
		const failed = this.calls.load_end();
		if (failed) throw new Error(this.reason(failed));
		return this.describe();
	}

	// Return: the log so far. Another load() may follow.
	pause() {
		const failed = this.calls.load_pause();
		if (failed) throw new Error(this.reason(failed));
		return this.describe();
	}

	describe() {
		this.log = this.query("query_log");
		this.begin = BigInt(this.log.begin);
		return this.log;
	}

	// Return: the totals of the whole log.
	whole() {
		return this.query("window_whole");
	}

	// Return: the totals of the window from @since to @until, ns since boot; null if @wanted() became false.
	async totals(parts, since, until, wanted = () => true) {
		if (this.calls.window_begin(since, until)) throw new Error(this.reason(0));
		for await (const part of parts) {
			if (!wanted()) return null;
			this.feed("window_part", part);
		}
		this.calls.window_end();
		return this.answer();
	}

	// Return: rows of SERIES_COLUMNS numbers, the sums of the account at the end of each of @count buckets of a
	// window; null if @wanted() became false.
	async series(parts, { from, span, count, process, device }, wanted = () => true) {
		const rows = this.calls.series_begin(from, span, count, process ?? 0xffffffff, device ?? 0xffffffff);
		if (!rows) throw new Error(this.reason(0));
		for await (const part of parts) {
			if (!wanted()) return null;
			if (!this.feed("series_part", part)) break;
		}
		const filled = this.calls.series_end();
		return new Float64Array(this.calls.memory.buffer, rows, count * SERIES_COLUMNS).slice(
			0,
			filled * SERIES_COLUMNS,
		);
	}
}
