// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The totals of the selection, or of all: the account's, which bcoslog cpu prints as well.
import { make, swatch, terms } from "../dom.js";
import { theme, colorOf } from "../theme.js";
import { span, share, bytes, sinceBoot } from "../format.js";

const ROWS_MOST = 40;

function table(heads, rows) {
	return make(
		"table",
		{},
		make(
			"thead",
			{},
			make(
				"tr",
				{},
				heads.map((head) => make("th", {}, head)),
			),
		),
		make("tbody", {}, rows),
	);
}

const cell = (text) => make("td", { class: "number" }, text);

function stack(totals) {
	const parts = [
		["processes_ns", theme().process],
		["kernel_ns", theme().kernel],
		["unknown_ns", theme().hatch],
	];
	const bar = make("div", { class: "bar" });
	for (const [key, color] of parts) {
		const part = make("span", {});
		part.style.width = `${totals.online_ns ? (totals[key] / totals.online_ns) * 100 : 0}%`;
		part.style.background = color;
		bar.append(part);
	}
	return bar;
}

function cpus(totals) {
	return table(
		["CPU", "processes", "kernel", "idle", "unknown"],
		totals.cpus.map((cpu) => {
			const part = (time) => cell((cpu.unknown_ns ? "≥ " : "") + share(time, cpu.online_ns));
			return make(
				"tr",
				{},
				make("td", {}, `CPU ${cpu.cpu}`),
				part(cpu.processes_ns),
				part(cpu.kernel_ns),
				part(cpu.idle_ns),
				cell(share(cpu.unknown_ns, cpu.online_ns)),
			);
		}),
	);
}

function processes(viewport, totals) {
	const rows = totals.processes.filter((process) => process.time_ns).sort((a, b) => b.time_ns - a.time_ns);
	const known = new Map(viewport.log.processes.map((process) => [`${process.id}:${process.start}`, process]));
	const rest = rows.slice(ROWS_MOST).reduce((sum, process) => sum + process.time_ns, 0);
	return table(
		["process", "on CPUs", "share", "turns"],
		[
			...rows.slice(0, ROWS_MOST).map((process) => {
				const item = known.get(`${process.process}:${process.start}`);
				return make(
					"tr",
					{ class: "link", onclick: () => item && viewport.choose(item.number) },
					make(
						"td",
						{},
						item ? swatch(colorOf(item)) : "",
						" ",
						`${process.name ?? "?"} ${process.process}`,
					),
					cell(`${process.at_least ? "≥ " : ""}${span(process.time_ns)}`),
					cell(share(process.time_ns, totals.online_ns)),
					cell(process.turns),
				);
			}),
			rest
				? make(
						"tr",
						{},
						make("td", {}, `${rows.length - ROWS_MOST} others`),
						cell(span(rest)),
						cell(share(rest, totals.online_ns)),
						cell(""),
					)
				: [],
		],
	);
}

function devices(viewport, totals) {
	return table(
		["device", "in", "out", "interrupts"],
		totals.devices.map((device) => {
			const item = viewport.log.devices.find(
				(known) => known.id === device.device && known.name === device.name,
			);
			return make(
				"tr",
				{ class: "link", onclick: () => item && viewport.chooseDevice(item.number) },
				make("td", {}, `${device.name ?? "?"}${device.stacked ? " (stacked)" : ""}`),
				cell(bytes(device.input)),
				cell(bytes(device.output)),
				cell(device.interrupts),
			);
		}),
	);
}

function power(totals) {
	const known = totals.cores.filter((core) => core.online_ns > core.power_unknown_ns);
	if (!known.length) return [];
	const joules = known.reduce((sum, core) => sum + core.joules, 0),
		missing = totals.cores.length - known.length;
	const least = known.some((core) => core.work_at_least || core.power_unknown_ns) || missing;
	return [
		make("h3", {}, "Energy of cores"),
		terms([
			["taken", `${least ? "≥ " : ""}${joules.toPrecision(3)} J`],
			["unknown", missing ? `${missing} cores` : null],
		]),
	];
}

export function totalsContent(viewport, totals) {
	const begin = BigInt(viewport.log.begin),
		whole = !viewport.selection;
	return [
		make("h2", {}, whole ? "All of the log" : "Selection"),
		terms([
			["from", `${sinceBoot(begin, totals.begin)} s`],
			["to", `${sinceBoot(begin, totals.end)} s`],
			["long", span(totals.end - totals.begin)],
			["births, ends", `${totals.births}, ${totals.ends}`],
			["losses", totals.losses || null],
		]),
		stack(totals),
		make("h3", {}, "CPUs"),
		cpus(totals),
		make("h3", {}, "Processes"),
		processes(viewport, totals),
		...(totals.devices.length ? [make("h3", {}, "Devices"), devices(viewport, totals)] : []),
		...power(totals),
		...(whole ? [make("p", { class: "quiet" }, "Shift and drag selects a stretch of time.")] : []),
	];
}
