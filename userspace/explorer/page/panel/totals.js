// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The totals of the selection or the whole log. The account computes them, and bcoslog cpu prints the same numbers.
import { make, swatchOf, terms } from "../dom.js";
import { theme } from "../theme.js";
import { span, share, bytes, count, sinceBoot } from "../format.js";

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

// Return: the attributes of a table row that opens a page by click and by key.
const link = (go) => ({ class: "link", tabindex: 0, onclick: go, onkeydown: ({ key }) => key === "Enter" && go() });

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
					link(() => item && viewport.choose(item.number)),
					make(
						"td",
						{},
						item ? swatchOf(item) : "",
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

const transferred = (device) => device.input + device.output;

function devices(viewport, totals) {
	const least = (of, amount) => cell(`${of.at_least ? "≥ " : ""}${amount}`);
	const cells = (of) => [least(of, bytes(of.input)), least(of, bytes(of.output)), least(of, of.interrupts)];
	const known = new Map(viewport.log.devices.map((device) => [`${device.id}:${device.start}`, device]));
	const row = (device) => {
		const item = known.get(`${device.device}:${device.start}`);
		return make(
			"tr",
			link(() => item && viewport.chooseDevice(item.number)),
			make("td", {}, device.name),
			cells(device),
		);
	};
	const rows = [...totals.devices].sort((a, b) => transferred(b) - transferred(a));
	return table(
		["device", "in", "out", "interrupts"],
		[
			...rows.slice(0, ROWS_MOST).map(row),
			rows.length > ROWS_MOST
				? make(
						"tr",
						{},
						make("td", {}, `${rows.length - ROWS_MOST} others`),
						cell(""),
						cell(""),
						cell("")
					)
				: [],
			make("tr", { class: "sum" }, make("td", {}, "all"), cells(totals.all_devices)),
		],
	);
}

// Return: the instructions of the cores and the energy that the cores used, by their estimates.
function work(totals) {
	const { all_cores: all } = totals,
		least = (is) => (is ? "≥ " : "");
	if (!all.online_ns) return [];
	const performed = all.performance_unknown_ns < all.online_ns,
		took = all.power_unknown_ns < all.online_ns;
	return [
		make("h3", {}, "Cores"),
		terms([
			[
				"executed",
				performed
					? `${least(all.performance_unknown_ns)}${count(all.instructions)} instructions`
					: "unknown",
			],
			[
				"energy",
				took ?
				`${least(all.work_at_least || all.power_unknown_ns)}${all.joules.toPrecision(3)} J` :
				"unknown",
			],
			[
				"",
				took && all.power_unknown_cores
					? `of ${all.power_unknown_cores} cores it is unknown`
					: null
			],
		]),
	];
}

// Return: a button that shows the totals of the selection in place of the page of the chosen process or device.
export function totalsButton({ viewport, side }) {
	return viewport.selection
		? make("button", { onclick: () => side.showTotals(true) }, "Totals of the selection")
		: null;
}

// Return: the totals of the selection or the whole log. @chosen is a process or device whose page they cover, or null.
export function totalsContent({ viewport, side }, totals, chosen) {
	const begin = BigInt(viewport.log.begin),
		whole = !viewport.selection;
	return [
		make("h2", {}, whole ? "All of the log" : "Selection"),
		chosen
			? make("button", { onclick: () => side.showTotals(false) }, `Back to ${chosen.name ?? "it"}`)
			: null,
		terms([
			["from", `${sinceBoot(begin, totals.begin)} s`],
			["to", `${sinceBoot(begin, totals.end)} s`],
			["for", span(totals.end - totals.begin)],
			["births, ends", `${totals.births}, ${totals.ends}`],
			[
				"losses",
				totals.losses
					? `${totals.losses}: what the log does not tell is not in the sums (≥)`
					: null
			],
		]),
		stack(totals),
		make("h3", {}, "CPUs"),
		cpus(totals),
		make("h3", {}, "Processes"),
		processes(viewport, totals),
		...(totals.devices.length ? [make("h3", {}, "Devices"), devices(viewport, totals)] : []),
		...work(totals),
		...(whole
			? [
				make(
					"p",
					{ class: "quiet" },
					"Hold Shift and drag over the rows to see the totals of a stretch of time."
				)
			]
			: []),
	];
}
