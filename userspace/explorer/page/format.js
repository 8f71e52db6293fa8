// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Writing times, spans and sizes as text.

const SPANS = [
	[1e9, "s"],
	[1e6, "ms"],
	[1e3, "µs"],
	[1, "ns"],
];

// Return: a span of time with about three digits and a unit.
export function span(ns) {
	const size = Math.abs(ns);
	if (size >= 3600e9) return `${trim(ns / 3600e9)} h`;
	if (size >= 120e9) return `${trim(ns / 60e9)} min`;
	const [unit, name] = SPANS.find(([unit]) => size >= unit) || SPANS[3];
	return `${trim(ns / unit)} ${name}`;
}

function trim(value) {
	const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
	return value.toFixed(digits).replace(/\.0+$/, "");
}

// Return: seconds since boot with nine digits after the point. @begin, a BigInt, is the log's beginning in ns since
// boot, and @at is ns since the log's beginning.
export function sinceBoot(begin, at) {
	const time = begin + BigInt(Math.round(at)),
		whole = time < 0n ? -time : time;
	return `${time < 0n ? "-" : ""}${whole / 1000000000n}.${String(whole % 1000000000n).padStart(9, "0")}`;
}

// Return: as sinceBoot(), with only as many digits as distinguish times that are @step ns apart.
export function tick(begin, at, step) {
	const digits = Math.max(0, Math.min(9, Math.ceil(9 - Math.log10(step))));
	const text = sinceBoot(begin, at);
	return digits ? text.slice(0, text.length - 9 + digits) : text.slice(0, -10);
}

export function bytes(count) {
	const units = ["B", "KiB", "MiB", "GiB", "TiB"];
	let unit = 0;
	for (; count >= 1024 && unit < 4; unit++) count /= 1024;
	return `${trim(count)} ${units[unit]}`;
}

// Return: a large number with about three digits and a word.
export function count(number) {
	const words = ["", " thousand", " million", " billion"];
	let word = 0;
	for (; number >= 1000 && word < 3; word++) number /= 1000;
	return `${trim(number)}${words[word]}`;
}

export function share(part, whole) {
	return whole ? `${((part / whole) * 100).toFixed(part / whole >= 0.1 ? 0 : 1)} %` : "–";
}

// Return: the wall clock in ns since 1970, a BigInt, or null if the log does not state it. @clock has its readings, as
// query_log gives them, each of which holds until the next one; @at is ns since the log's beginning.
export function wallTime(clock, at) {
	const reading = clock.findLast((reading) => reading.at <= at) ?? clock[0];
	return reading ? BigInt(reading.wall) + BigInt(Math.round(at - reading.at)) : null;
}

// Return: a time as a date of the wall clock, or null.
export function wall(clock, at) {
	const ns = wallTime(clock, at);
	if (ns === null) return null;
	const date = new Date(Number(ns / 1000000n));
	return Number.isNaN(date.getTime()) ? null : date.toISOString().replace("T", " ").replace("Z", " UTC");
}

// Return: the time of day of the wall clock, with only as many digits as distinguish times that are @step ns apart.
export function wallTick(clock, at, step) {
	const ns = wallTime(clock, at),
		digits = Math.max(0, Math.min(9, Math.ceil(9 - Math.log10(step))));
	const day = new Date(Number(ns / 1000000000n) * 1000).toISOString().slice(11, 19);
	return digits ? `${day}.${String(ns % 1000000000n).padStart(9, "0").slice(0, digits)}` : day;
}
