// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Computing curves from the sums of the account at the ends of buckets.
import { SERIES_COLUMNS } from "../engine.js";

// The columns of a row, in the order of series.c.
const COLUMNS = [
	"processes",
	"kernel",
	"idle",
	"unknown",
	"instructions",
	"capacity",
	"joules",
	"online",
	"powerUnknown",
	"performanceUnknown",
	"least",
	"input",
	"output",
	"time",
	"ownInstructions",
	"ownJoules",
	"ownInput",
	"ownOutput",
	"ownInterrupts",
];

// Return: for each column the differences between buckets; as x the middle of each bucket, ns since the log's
// beginning; and as width the width of each bucket, ns.
export function buckets(rows, { from, span, count, end }) {
	const filled = rows.length / SERIES_COLUMNS,
		begin = Math.max(0, from),
		width = (from < 0 ? span + from : span) / count;
	const of = { x: Array.from({ length: filled }, (_, i) => begin + (i + 0.5) * width) };
	// The log may end within the last bucket.
	of.width = of.x.map((_, i) => Math.max(1, Math.min(width, end - begin - i * width)));
	COLUMNS.forEach((name, column) => {
		let before = 0;
		of[name] = of.x.map((_, i) => {
			const sum = rows[i * SERIES_COLUMNS + column],
				part = name === "least" ? sum : sum - before;
			before = sum;
			return part;
		});
	});
	return of;
}

const ratio = (part, whole) => (whole > 0 ? part / whole : null);

// Return: the shares of processes, the kernel and unknown use in the time of all CPUs, each added to those before it.
export function utilisation(of) {
	const whole = of.x.map((_, i) => of.processes[i] + of.kernel[i] + of.idle[i] + of.unknown[i]);
	return [
		of.x.map((_, i) => ratio(of.processes[i], whole[i])),
		of.x.map((_, i) => ratio(of.processes[i] + of.kernel[i], whole[i])),
		of.x.map((_, i) => ratio(of.processes[i] + of.kernel[i] + of.unknown[i], whole[i])),
	];
}

// Return: the bytes per second of a column of bytes.
export const flow = (of, column) => of[column].map((bytes, i) => (bytes / of.width[i]) * 1e9);

// Return: the watts of all cores; null for a bucket in which the power of no core is known.
export const watts = (of) =>
	of.x.map((_, i) => (of.online[i] > of.powerUnknown[i] ? (of.joules[i] / of.width[i]) * 1e9 : null));

// Return: a column per ns, times @unit. For the chosen process this gives CPUs used, instructions per second or watts.
export const own = (of, column, unit = 1) => of[column].map((value, i) => (value / of.width[i]) * unit);
