// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The pop-up, which describes the item at the pointer or at the cursor.
import { $, make, terms, swatchOf } from "../dom.js";
import { span, sinceBoot, bytes } from "../format.js";

export function showPopup(content, x, y) {
	const popup = $("popup");
	popup.replaceChildren(...content);
	popup.hidden = false;
	const { width, height } = popup.getBoundingClientRect();
	popup.style.left = `${x + 16 + width > innerWidth ? Math.max(4, x - width - 12) : x + 16}px`;
	popup.style.top = `${y + 16 + height > innerHeight ? Math.max(4, y - height - 12) : y + 16}px`;
}

export function hidePopup() {
	$("popup").hidden = true;
}

const USES = { idle: "Idle", unknown: "Unknown: the log does not tell", offline: "Offline" };

// Return: the content for a CPU. @stretch is the engine's answer to query_cpu.
export function cpuContent(viewport, cpu, stretch) {
	const process = stretch?.use === "process" ? viewport.log.processes[stretch.number] : null,
		begin = BigInt(viewport.log.begin);
	const title = process
		? [swatchOf(process), " ", process.name]
		: [stretch ? USES[stretch.use] : "Nothing is known"];
	return [
		make("h3", {}, title),
		terms([
			["CPU", cpu.id],
			["process", process && process.id],
			["from", stretch && `${sinceBoot(begin, stretch.begin)} s`],
			["for", stretch && span(stretch.end - stretch.begin)],
		]),
	];
}

export function processContent(viewport, process) {
	const begin = BigInt(viewport.log.begin);
	return [
		make("h3", {}, swatchOf(process), " ", process.name),
		terms([
			["process", process.id],
			["started", `${sinceBoot(begin, process.start)} s`],
			["ended", process.ended ? `${sinceBoot(begin, process.end)} s` : null],
			["on CPUs", span(process.time)],
			["turns", process.turns],
		]),
	];
}

export function deviceContent(viewport, device) {
	const driver = viewport.log.processes[device.driver];
	return [
		make("h3", {}, device.name),
		terms([
			["device", `0x${device.id.toString(16)}`],
			["input", bytes(device.input)],
			["output", bytes(device.output)],
			["interrupts", device.interrupts],
			[
				"driver",
				device.driver_id ? `${driver?.name ?? "process"} ${device.driver_id}` : "the kernel"
			],
		]),
	];
}
