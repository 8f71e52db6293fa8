// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The panel's page of a device: its transfers over time, its latencies and events, and its driver.
import { make, terms } from "../dom.js";
import { theme } from "../theme.js";
import { span, bytes, sinceBoot } from "../format.js";
import { buckets, flow, own } from "../chart/series.js";
import { chart, eventList, peak } from "./process.js";
import { totalsButton } from "./totals.js";

const DEVICE_EVENTS = 400;

function latency(of) {
	if (!of?.interrupts)
		return [
			make(
				"p",
				{ class: "quiet" },
				"The log tells of no interrupts of it, so there are no latencies.",
			),
		];
	const { latency } = of;
	return [
		terms([
			["interrupts", of.interrupts],
			["median", latency && span(latency.median_ns)],
			["99 %", latency && span(latency.ninety_nine_ns)],
			["from, to", latency && `${span(latency.minimum_ns)}, ${span(latency.maximum_ns)}`],
			["counted", latency?.count],
			["batched", of.batched || null],
			["without an interrupt", of.unprompted || null],
			["without data", of.fruitless || null],
		]),
	];
}

// Return: the page of a device. @rows is the result of engine.series(), or null while the engine counts; @totals are
// the totals of the whole log or the selection, or null.
export function devicePage(page, device, rows, window, totals) {
	const { viewport } = page,
		colors = theme(),
		begin = BigInt(viewport.log.begin);
	const events = page.engine.query("describe_events", 1, device.number, 0, DEVICE_EVENTS);
	const driver = viewport.log.processes[device.driver];
	const driving = make(
		"button",
		{ onclick: () => driver && viewport.choose(driver.number) },
		`${driver?.name ?? "process"} ${device.driver_id}`,
	);
	const content = [
		make("button", { class: "close", "aria-label": "Close", onclick: () => viewport.choose(null) }, "×"),
		make("h2", {}, device.name),
		totalsButton(page),
		terms([
			["device", `0x${device.id.toString(16).padStart(8, "0")}`],
			["formerly", device.former?.join(", ")],
			["since", device.start <= 0 ? "before the log" : `${sinceBoot(begin, device.start)} s`],
			["gone", device.ended ? `${sinceBoot(begin, device.end)} s, ${device.ending}` : null],
			["driver", device.driver_id ? driving : "the kernel"],
			["input, output", `${bytes(device.input)}, ${bytes(device.output)}`],
			["", device.stacked ? "passes on to other devices what it transfers" : null],
		]),
	];
	if (rows) {
		const of = buckets(rows, window),
			rate = (value) => `${bytes(value ?? 0)}/s`,
			whole = (value) => (value ?? 0).toFixed(0);
		const [input, output] = ["ownInput", "ownOutput"].map((column) => flow(of, column)),
			interrupts = own(of, "ownInterrupts", 1e9);
		content.push(
			make("h3", {}, `Input, up to ${rate(peak(input))}`),
			chart(page, of.x, [["input", input, colors.input, rate, true]], events),
			make("h3", {}, `Output, up to ${rate(peak(output))}`),
			chart(page, of.x, [["output", output, colors.output, rate, true]], []),
			make("h3", {}, `Interrupts, up to ${whole(peak(interrupts))} a second`),
			chart(page, of.x, [["interrupts", interrupts, colors.quiet, whole]], []),
		);
	} else {
		content.push(make("p", { class: "quiet" }, "Counting…"));
	}
	content.push(
		make("h3", {}, `From an interrupt to its data${viewport.selection ? ", in the selection" : ""}`),
		...latency(totals?.devices.find((of) => of.device === device.id && of.start === device.start)),
	);
	const others = viewport.log.devices.filter(
		(other) => driver && other.driver === device.driver && other !== device,
	);
	if (others.length)
		content.push(
			make("h3", {}, "Other devices of its driver"),
			others.map((other) =>
				make("button", { onclick: () => viewport.chooseDevice(other.number) }, other.name),
			),
		);
	return [...content.flat(), ...eventList(page, events, events.length === DEVICE_EVENTS)];
}
