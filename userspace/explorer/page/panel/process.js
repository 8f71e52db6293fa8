// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The panel's page of a process: its life, and its CPU time, performance and power over time with its events.
import { make, terms, swatch, swatchOf } from "../dom.js";
import { theme, colorOf } from "../theme.js";
import { span, sinceBoot, share, bytes } from "../format.js";
import { buckets, flow, own } from "../chart/series.js";
import { eventContent, eventTitle, gravity, mark, markSpan } from "../chart/markers.js";
import { showPopup, hidePopup } from "../chart/popup.js";
import { totalsButton } from "./totals.js";

const EVENTS_MOST = 400;
const WIDE = 314,
	PLOT_HIGH = 92;

// Return: what the log says of the parent of a process, as a link to the parent's page if the log has one.
function parentOf(viewport, process, told) {
	const id = /^parent (\d+)/.exec(told ?? "")?.[1];
	// An ID may have had several owners, and the parent is the one that lived when the process was born.
	const parent = viewport.log.processes.findLast(
		(item) => item.id === Number(id) && item.start <= process.start && item.end >= process.start,
	);
	if (!id || !parent) return told?.replace(/^parent /, "");
	return make(
		"button",
		{
			onclick: () => {
				viewport.choose(parent.number);
				viewport.meet(parent);
			},
		},
		swatchOf(parent),
		`${parent.name ?? "?"} ${id}`,
	);
}

function facts(viewport, process, events) {
	const begin = BigInt(viewport.log.begin),
		at = (time) => `${sinceBoot(begin, time)} s`;
	const textOf = (description) => events.findLast((event) => event.description === description)?.text;
	return terms([
		["process", process.id],
		[process.born ? "born" : "started", process.start <= -Number(begin) ? "since boot" : at(process.start)],
		["formerly", process.former?.join(", ")],
		["parent", parentOf(viewport, process, textOf("parent"))],
		["runs", textOf("program")],
		["ended", process.ended ? at(process.end) : process.vanished ? "the log does not tell when" : null],
		["how", process.ending],
		["signal sent", textOf("who sent the signal")],
		[
			"on CPUs",
			(process.at_least ? "≥ " : "") +
				`${span(process.time)}, ${share(process.time, viewport.log.span)} of one`,
		],
		["turns", process.turns],
	]);
}

export const peak = (values) => values.reduce((a, b) => Math.max(a, b ?? 0), 0);

// Draw curves of a window with the marks of @events. A curve is [name, values, color, unit, fill]: unit() makes a text
// of a value, and with fill the area below the curve is filled.
export function chart(page, x, curves, events) {
	const { viewport } = page,
		place = make("div", { class: "plot tall" }),
		window = { min: viewport.from, max: viewport.from + viewport.span };
	const marks = (u) => {
		u.ctx.save();
		u.ctx.scale(devicePixelRatio, devicePixelRatio);
		for (const event of events)
			if (event.time >= window.min && event.time <= window.max) {
				const x = u.valToPos(event.time, "x"),
					end = Math.min(event.time + event.precision, window.max);
				markSpan(u.ctx, x, u.valToPos(end, "x"), 8, gravity(event));
				mark(u.ctx, event, x, 8, gravity(event));
			}
		u.ctx.restore();
	};
	const scales = Object.fromEntries(
		curves.map(([name, values]) => [name, { range: [0, Math.max(1e-12, peak(values)) * 1.25] }]),
	);
	const drawn = new uPlot(
		{
			width: WIDE,
			height: PLOT_HIGH,
			legend: { show: false },
			cursor: { y: false, drag: { x: false, y: false } },
			padding: [2, 0, 0, 0],
			axes: [{ show: false }, { show: false }],
			scales: { x: { time: false, range: () => [window.min, window.max] }, ...scales },
			hooks: { draw: [marks] },
			series: [
				{},
				...curves.map(([name, , color, , fill]) => ({
					stroke: color,
					width: 1.5,
					fill: fill && `${color}44`,
					scale: name,
					points: { show: false },
				})),
			],
		},
		[x, ...curves.map(([, values]) => values)],
		place,
	);
	const near = (clientX) => {
		const at = drawn.posToVal(clientX - drawn.over.getBoundingClientRect().left, "x"),
			least = (viewport.span * 6) / WIDE;
		return events.reduce(
			(best, event) =>
				Math.abs(event.time - at) < Math.abs((best?.time ?? Infinity) - at) &&
				Math.abs(event.time - at) < least
					? event
					: best,
			null,
		);
	};
	place.addEventListener("mousemove", ({ clientX, clientY }) => {
		const event = near(clientX),
			at = drawn.cursor.idx;
		if (event) showPopup(eventContent(viewport, event), clientX, clientY);
		else if (at !== null && at !== undefined)
			showPopup(
				[
					make(
						"dl",
						{},
						curves.flatMap(([name, values, , unit]) => [
							make("dt", {}, name),
							make("dd", {}, unit(values[at])),
						]),
					),
				],
				clientX,
				clientY,
			);
	});
	place.addEventListener("mouseleave", hidePopup);
	place.addEventListener("click", ({ clientX }) => {
		const event = near(clientX);
		if (event) viewport.pick(event.number);
	});
	return place;
}

export function eventList(page, events, more) {
	const { viewport } = page,
		begin = BigInt(viewport.log.begin);
	return [
		make("h3", {}, `Events (${events.length}${more ? " and more" : ""})`),
		make(
			"ol",
			{ class: "events" },
			events.map((event) => {
				const color = swatch(gravity(event));
				color.style.borderRadius = "50%";
				return make(
					"li",
					{
						class: viewport.event === event.number ? "on" : "",
						tabindex: 0,
						onclick: () => pickEvent(page, event),
						onkeydown: ({ key }) => key === "Enter" && pickEvent(page, event),
					},
					make("time", {}, sinceBoot(begin, event.time)),
					make(
						"span",
						{},
						color,
						" ",
						eventTitle(event),
						event.text ? make("div", { class: "quiet" }, event.text) : null,
					),
				);
			}),
		),
	];
}

export function pickEvent(page, event) {
	page.viewport.pick(event.number);
	page.viewport.reach(event.time);
	page.point(event);
}

// Return: curves of the transfers and interrupts of the devices that a process drives, with the devices' events.
function deviceCurves(page, driven, of, window) {
	if (!driven.length) return [];
	const colors = theme(),
		rate = (value) => `${bytes(value ?? 0)}/s`,
		input = flow(of, "ownInput"),
		output = flow(of, "ownOutput"),
		interrupts = own(of, "ownInterrupts", 1e9);
	const events = driven.flatMap((device) =>
		page.engine.query("describe_events", 1, device.number, 0, EVENTS_MOST),
	);
	return [
		make("h3", {}, "Its devices"),
		driven.map((device) =>
			make("button", { onclick: () => page.viewport.chooseDevice(device.number) }, device.name),
		),
		make("h3", {}, `Input, up to ${rate(peak(input))}, and events of the devices`),
		chart(page, of.x, [["input", input, colors.input, rate, true]], events),
		make("h3", {}, `Output, up to ${rate(peak(output))}`),
		chart(page, of.x, [["output", output, colors.output, rate, true]], []),
		make("h3", {}, `Interrupts, up to ${peak(interrupts).toFixed(0)} a second`),
		chart(page, of.x, [["interrupts", interrupts, colors.quiet, (value) => (value ?? 0).toFixed(0)]], []),
	].flat();
}

// Return: the page of a process. @rows is the result of engine.series(), or null while the engine counts.
export function processPage(page, process, rows, window) {
	const { viewport } = page,
		colors = theme();
	const events = page.engine.query("describe_events", 0, process.number, 0, EVENTS_MOST);
	const driven = viewport.log.devices.filter((device) => device.driver === process.number);
	const content = [
		make("button", { class: "close", "aria-label": "Close", onclick: () => viewport.choose(null) }, "×"),
		make("h2", {}, swatchOf(process), process.name),
		totalsButton(page),
		facts(viewport, process, events),
	];
	if (rows) {
		const of = buckets(rows, window),
			watt = (value) => `${(value ?? 0).toPrecision(3)} W`;
		const known = own(of, "ownJoules", 1e9),
			performed = own(of, "ownInstructions", 1e3);
		const curves = [
			[
				"CPUs",
				own(of, "time"),
				process.id === 0 ? colors.quiet : colorOf(process),
				(value) => (value ?? 0).toFixed(2),
				true,
			],
		];
		content.push(
			make("h3", {}, `CPUs used, up to ${peak(curves[0][1]).toFixed(2)}, and events`),
			chart(page, of.x, curves, events),
		);
		if (performed.some(Boolean))
			content.push(
				make(
					"h3",
					{},
					`Performance, up to ${peak(performed).toFixed(0)} million instructions/s`,
				),
				chart(
					page,
					of.x,
					[["M instr/s", performed, colors.accent, (value) => (value ?? 0).toFixed(0)]],
					events,
				),
			);
		content.push(
			make("h3", {}, known.some(Boolean) ? `Power, up to ${watt(peak(known))}` : "Power"),
			known.some(Boolean)
				? chart(page, of.x, [["power", known, colors.good, watt, true]], events)
				: make(
						"p",
						{ class: "quiet" },
						"The log does not tell what the cores take, so power is unknown.",
					),
			...deviceCurves(page, driven, of, window),
		);
	} else {
		content.push(make("p", { class: "quiet" }, "Counting…"));
	}
	return [...content, ...eventList(page, events, events.length === EVENTS_MOST)];
}
