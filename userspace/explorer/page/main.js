// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The page opens a log, and connects the parts that show it.
import { $, printable } from "./dom.js";
import { Engine } from "./engine.js";
import { Viewport } from "./viewport.js";
import { Rows, CPU_ROW, PROCESS_ROW, DEVICE_ROW } from "./chart/rows.js";
import { Markers, eventContent } from "./chart/markers.js";
import { drawLegend } from "./chart/legend.js";
import { Tracks } from "./chart/tracks.js";
import { Ruler } from "./chart/ruler.js";
import { Cursor } from "./cursor.js";
import { Input } from "./input.js";
import { Paper } from "./paper.js";
import { Search } from "./panel/search.js";
import { Side } from "./panel/side.js";
import { embedded, ofFile, served, decode64 } from "./source.js";
import { givePalette, isPaper, onTheme } from "./theme.js";
import { showPopup, hidePopup, cpuContent, processContent, deviceContent } from "./chart/popup.js";
import { bytes } from "./format.js";

// The shortest time in ms between two requests of a live page to bcoslog serve.
const LIVE = 1000;
// The age in s from which on a live page says how old its newest entry is.
const LATE = 2;

const engineBytes = () => decode64($("engine").textContent);

class Page {
	constructor() {
		this.viewport = new Viewport();
		this.viewport.onChange((what) => this.changed(what));
		new Search(this.viewport);
		const resized = new ResizeObserver(() => this.later());
		for (const part of ["time", "scroll"]) resized.observe($(part));
		$("scroll").addEventListener("scroll", () => this.later());
		onTheme(() => {
			this.palette = true;
			this.later();
		});
		new Paper(this);
		addEventListener("hashchange", () => this.jump());
		this.buttons();
		this.drops();
	}

	buttons() {
		const zoom = (by) => () => this.viewport.log && this.viewport.zoom(by);
		$("fit").onclick = () => this.viewport.log && this.viewport.fit();
		$("in").onclick = zoom(0.6);
		$("out").onclick = zoom(1 / 0.6);
		$("corner").onclick = () => this.viewport.log && this.turnClock();
		$("help").onclick = () => $("keys").showModal();
		$("open").onclick = $("choose").onclick = () => $("file").click();
		$("file").onchange = () => {
			const [file] = $("file").files;
			// Without this a browser reports no change if the reader chooses one file twice.
			$("file").value = "";
			if (file) this.open(ofFile(file));
		};
	}

	turnClock() {
		this.ruler.turn();
		this.later();
	}

	drops() {
		addEventListener("dragover", (event) => {
			event.preventDefault();
			document.body.classList.add("drop");
		});
		addEventListener("dragleave", () => document.body.classList.remove("drop"));
		addEventListener("drop", (event) => {
			event.preventDefault();
			document.body.classList.remove("drop");
			if (event.dataTransfer.files[0]) this.open(ofFile(event.dataTransfer.files[0]));
		});
	}

	say(text) {
		this.said = text;
		this.notice();
	}

	// Show a text after that of say(). An empty text removes it.
	remark(text) {
		this.remarked = text;
		this.notice();
	}

	notice() {
		const text = [this.said, this.late, this.remarked].filter(Boolean).join(" ");
		$("notice").hidden = !text;
		$("notice").textContent = text;
	}

	// Show an error.  Return: null, in place of the result that is missing.
	fail(error) {
		this.say(error.message);
		console.error(error);
		return null;
	}

	async open(source) {
		const name = printable(source.name),
			last = () => this.opening === source;
		this.opening = source;
		$("empty").hidden = true;
		try {
			// Each log has an engine of its own, so the memory of the engine before can be freed.
			const engine = await Engine.load(engineBytes);
			const log = await engine.open(
				source.parts(),
				(done) => this.say(`Reading ${name}: ${bytes(done)} of ${bytes(source.size)}`),
				last,
			);
			if (!last()) return;
			if (this.source) this.unlink();
			this.late = "";
			this.engine = engine;
			this.source = source;
			this.palette = true;
			$("name").textContent = name;
			document.title = `${name} – bcoslog explorer`;
			this.begin(log);
			this.say(this.warnings(log));
		} catch (error) {
			if (!last()) return;
			// The log that was open before stays open.
			this.say(`${name}: ${error.message}`);
			$("empty").hidden = Boolean(this.source);
		}
	}

	// Follow a live log: ask the server for new bytes, and decode them, during at most a quarter of the time.
	async live(source) {
		document.title = "bcoslog explorer, live";
		$("empty").hidden = true;
		for (;;) {
			const began = performance.now();
			try {
				if ((await source.more()) && this.follows(source)) await this.renew(source);
				this.lost = false;
				if (this.follows(source)) this.tellAge(source);
			} catch (error) {
				this.lost = true;
				source.loaded = source.from;
				this.say(`There is no answer from bcoslog serve: ${error.message}`);
			}
			if (source.ended || !this.follows(source)) return;
			// The time that the curves have taken since the last request counts, too.
			const took = performance.now() - began + (this.tracks?.spent ?? 0);
			if (this.tracks) this.tracks.spent = 0;
			await new Promise((go) => setTimeout(go, Math.max(LIVE, 3 * took)));
		}
	}

	// Say how old the newest entry is, if that is not the present: nothing happened since, or the server reads the past yet.
	tellAge(source) {
		this.late =
			source.age > LATE && !source.ended
				? `The newest entry is ${source.age.toFixed(1)} s old.`
				: "";
		this.notice();
	}

	// Return: true if no other log was opened in place of @source.
	follows(source) {
		return !this.source || this.source === source;
	}

	// Load the new bytes. If the page has forgotten the beginning of the log, another engine begins anew.
	async renew(source) {
		const again = source.loaded === source.from,
			engine = again ? await Engine.load(engineBytes) : this.engine,
			{ to } = source;
		if (again) engine.start();
		await engine.load(source.after(source.loaded));
		source.loaded = to;
		if (!this.follows(source)) return;
		const log = source.ended ? engine.end() : engine.pause();
		this.engine = engine;
		this.source = source;
		this.palette = true;
		$("name").textContent = source.name;
		this.begin(log);
		this.say(
			source.full
				? "The server has no room for what follows, up to the next group of historical entries."
				: this.warnings(log),
		);
		Object.assign(document.documentElement.dataset, { bytes: to, decoded: engine.bytes });
	}

	warnings(log) {
		const parts = [];
		if (log.damages)
			parts.push(
				`The log is damaged in ${log.damages} places: ${bytes(log.lost_bytes)} are left out.`,
			);
		if (log.left_out)
			parts.push(
				`For want of memory the picture leaves out ${log.left_out} stretches and events; ` +
					"totals are complete.",
			);
		return parts.join(" ");
	}

	begin(log) {
		this.rows = new Rows(this.viewport, this.engine);
		this.ruler ??= new Ruler(this.viewport);
		this.side ??= new Side(this);
		this.tracks ??= new Tracks(this);
		if (!this.source?.more || !this.viewport.log) this.tracks.begin(log);
		this.ruler.rows = this.rows;
		this.markers = this.ruler.markers = new Markers(this.viewport, this.engine, this.rows, this.ruler);
		this.cursor ??= new Cursor(this);
		this.ruler.cursor = this.cursor;
		if (this.source?.more && this.viewport.log) this.cursor.renew(log);
		else this.cursor.close();
		this.input ??= new Input(this.viewport, this.ruler, this.rows, this.actions());
		this.input.rows = this.rows;
		if (this.source?.more && this.viewport.log) this.viewport.renew(log);
		else {
			this.viewport.open(log);
			this.reveal();
		}
	}

	changed(what) {
		if (what === "log") this.rows.lay();
		if (
			what === "log" ||
			what === "selection" ||
			what === "process" ||
			what === "device" ||
			what === "event"
		)
			this.side?.changed(what);
		// A row that was clicked is in sight already.
		if ((what === "process" || what === "device") && !this.clicked) this.reveal();
		if (what === "log" || what === "window") this.tracks.later();
		this.remember();
		this.later();
	}

	// Scroll to the row of the chosen process or device.
	reveal() {
		const { process, device } = this.viewport;
		if (process !== null) this.rows.reveal(this.rows.rowOf(PROCESS_ROW, process));
		if (device !== null) this.rows.reveal(this.rows.rowOf(DEVICE_ROW, device));
	}

	// Set the fragment of the URL once the viewport is at rest, because browsers limit how often it may change.
	remember() {
		clearTimeout(this.remembering);
		this.remembering = setTimeout(() => {
			const fragment = this.viewport.toFragment();
			if (location.hash !== fragment) history.replaceState(null, "", fragment);
		}, 250);
	}

	// Empty the fragment, because it was about another log.
	unlink() {
		clearTimeout(this.remembering);
		history.replaceState(null, "", "#");
	}

	jump() {
		if (!this.viewport.log) return;
		this.cursor.close();
		this.viewport.fromFragment();
		this.side.changed("log");
		this.reveal();
		this.later();
	}

	later() {
		if (this.waiting || !this.viewport.log) return;
		this.waiting = true;
		requestAnimationFrame(() => {
			this.waiting = false;
			// While the page is printed, the picture must not change.
			if (!isPaper()) this.draw();
		});
	}

	draw() {
		if (this.palette) {
			givePalette(this.engine);
			this.rows.shown = "";
			drawLegend(this.viewport.log);
		}
		this.palette = false;
		this.rows.draw();
		this.ruler.draw();
		this.tracks.fit();
		document.documentElement.dataset.drawn = String(
			Number(document.documentElement.dataset.drawn ?? 0) + 1,
		);
	}

	stretchAt(place) {
		return place.row?.kind === CPU_ROW
			? this.engine.query("query_cpu", place.row.item.number, Math.floor(place.time))
			: null;
	}

	contentAt(place) {
		const marker = this.markers.at(place.x, place.y);
		if (marker)
			return eventContent(
				this.viewport,
				this.engine.query("describe_event", marker.event),
				marker.more,
			);
		switch (place.row?.kind) {
			case CPU_ROW:
				return cpuContent(this.viewport, place.row.item, this.stretchAt(place));
			case PROCESS_ROW:
				return processContent(this.viewport, place.row.item);
			case DEVICE_ROW:
				return deviceContent(this.viewport, place.row.item);
		}
		return null;
	}

	actions() {
		return {
			hover: (place, event) => {
				this.ruler.pointer = place.time;
				this.later();
				const content = this.contentAt(place);
				if (content) showPopup(content, event.clientX, event.clientY);
				else hidePopup();
			},
			leave: () => {
				this.ruler.pointer = null;
				hidePopup();
				this.later();
			},
			click: (place, event) => {
				this.cursor.close();
				this.clicked = true;
				const stretch = this.stretchAt(place),
					marker = this.markers.at(place.x, place.y);
				if (place.row?.kind === PROCESS_ROW) this.viewport.choose(place.row.item.number);
				else if (place.row?.kind === DEVICE_ROW)
					this.viewport.chooseDevice(place.row.item.number);
				else this.viewport.choose(stretch?.use === "process" ? stretch.number : null);
				this.clicked = false;
				if (marker) this.viewport.pick(marker.event);
				// A touch does not hover, so a click shows the pop-up, too.
				const content = this.contentAt(place);
				if (content) showPopup(content, event.clientX, event.clientY);
			},
			enter: (place) => {
				const { selection } = this.viewport,
					stretch = place && this.stretchAt(place);
				if (
					selection &&
					(!place || (place.time >= selection.from && place.time <= selection.to))
				)
					this.viewport.show(selection.from, selection.to - selection.from);
				else if (stretch)
					this.viewport.show(
						stretch.begin - (stretch.end - stretch.begin) * 0.2,
						(stretch.end - stretch.begin) * 1.4,
					);
				else if (!place && this.side.chosen()) this.viewport.life(this.side.item());
			},
			clock: () => this.turnClock(),
			settled: () => this.later(),
			row: (by) => this.cursor.step(by),
			along: (by) => (this.cursor.open ? this.cursor.along(by) : this.viewport.pan(0.15 * by)),
			choose: () => this.cursor.open && this.cursor.choose(),
			event: (by) => this.side.step(by),
			nothing: () => {
				const closed = this.cursor.close();
				hidePopup();
				this.later();
				if (closed) return;
				this.viewport.select(null);
				this.viewport.choose(null);
			},
		};
	}

	// Show the pop-up of an event that a key or the list of events leads to.
	point(event) {
		const kind = { process: PROCESS_ROW, device: DEVICE_ROW }[event.subject];
		const row = this.rows.rowOf(kind, event.item) ?? null;
		this.rows.reveal(row);
		this.draw();
		const box = $("over").getBoundingClientRect(),
			marker = this.markers.shown.find(({ event: number }) => number === event.number);
		const y = marker ? marker.y : row ? row.top - $("scroll").scrollTop + row.height / 2 : 0;
		showPopup(eventContent(this.viewport, event), box.left + this.ruler.x(event.time), box.top + y);
		$("told").textContent = $("popup").innerText;
	}
}

function start() {
	const page = (globalThis.explorer = new Page()),
		source = embedded(),
		live = served();
	if (live) page.live(live);
	else if (source) page.open(source);
	else $("empty").hidden = false;
}

if (globalThis.document) addEventListener("DOMContentLoaded", start);
