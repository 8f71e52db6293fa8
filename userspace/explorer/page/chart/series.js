// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Curves out of the sums that the account has at the ends of buckets.
import { SERIES_COLUMNS } from "../engine.js";

// As series.c has them.
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

// The differences between buckets, by column; and x: a bucket's middle, ns since the log's beginning.
export function buckets(rows, { from, span, count, end }) {
	const filled = rows.length / SERIES_COLUMNS,
		begin = Math.max(0, from),
		width = (from < 0 ? span + from : span) / count;
	const of = { x: Array.from({ length: filled }, (_, i) => begin + (i + 0.5) * width) };
	// The log may end inside the last one.
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

// Shares of the CPUs, each on top of the one before it.
export function utilisation(of) {
	const whole = of.x.map((_, i) => of.processes[i] + of.kernel[i] + of.idle[i] + of.unknown[i]);
	return [
		of.x.map((_, i) => ratio(of.processes[i], whole[i])),
		of.x.map((_, i) => ratio(of.processes[i] + of.kernel[i], whole[i])),
		of.x.map((_, i) => ratio(of.processes[i] + of.kernel[i] + of.unknown[i], whole[i])),
	];
}

// Bytes a second.
export const flow = (of, column) => of[column].map((bytes, i) => (bytes / of.width[i]) * 1e9);

// Watts of all cores; where power is not known of any, there is none.
export const watts = (of) =>
	of.x.map((_, i) => (of.online[i] > of.powerUnknown[i] ? (of.joules[i] / of.width[i]) * 1e9 : null));

// The share of one process: CPUs, instructions a second, watts.
export const own = (of, column, unit = 1) => of[column].map((value, i) => (value / of.width[i]) * unit);
