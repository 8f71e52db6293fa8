// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The curves above the rows, which are aligned with the rows: use of CPUs, I/O and power.
import { $, make, swatch } from "../dom.js";
import { theme } from "../theme.js";
import { bytes } from "../format.js";
import { buckets, utilisation, flow, watts } from "./series.js";

const COUNT = 800; // number of buckets of a window
const REST = 180; // ms from the last movement to the count
const HIGH = 58; // height of a curve in pixels

// Draw curves without axes and cursor.
export function plot(place, width, height, series, scales, data, options = {}) {
	return new uPlot(
		{
			width,
			height,
			series: [{}, ...series],
			legend: { show: false },
			cursor: { show: false, ...options.cursor },
			padding: [2, 0, 0, 0],
			axes: [{ show: false }, { show: false }],
			scales: { x: { time: false }, ...scales },
			...options.more,
		},
		data,
		place,
	);
}

const line = (stroke, scale, fill) => ({ stroke, width: 1.25, fill, scale, points: { show: false }, spanGaps: false });

export class Tracks {
	constructor(page) {
		this.page = page;
		this.viewport = page.viewport;
		this.asked = 0;
		this.spent = 0; // ms that curves have taken since the last request of a live page
		this.tracks = [];
		this.place = $("tracks");
	}

	// Move the present curves with the window at once, and count the new ones when the window rests.
	later() {
		this.follow();
		clearTimeout(this.timer);
		// A live log has grown, but the curves of this window are complete.
		const { from, span, settled } = this.viewport;
		if (from + span <= settled && !this.counting && this.shown === `${from}+${span}`) return;
		// The first curves need not wait.
		this.timer = setTimeout(() => this.count(), this.shown ? REST : 0);
	}

	// Reserve the room of the curves of a log, so that nothing moves when the curves are drawn.
	begin(log) {
		this.shown = this.of = null;
		this.tracks.forEach(({ plot }) => plot.destroy());
		this.tracks = [];
		this.place.replaceChildren();
		this.place.style.minHeight = `${(HIGH + 1) * (1 + (log.traffic ? 1 : 0) + (log.power ? 1 : 0))}px`;
	}

	follow() {
		for (const { plot } of this.tracks)
			plot.setScale("x", { min: this.viewport.from, max: this.viewport.from + this.viewport.span });
	}

	// Make the curves as wide as the rows, after the size of the page has changed, or for paper.
	fit() {
		const width = this.page.ruler.plotWidth;
		for (const { plot, place } of this.tracks) {
			if (plot.width === width) continue;
			place.style.width = `${width}px`;
			plot.setSize({ width, height: HIGH });
		}
	}

	// Call @does after the calls before have ended, because the engine has only one account for curves.
	alone(does) {
		const next = (this.before ?? Promise.resolve()).then(async () => {
			const began = performance.now();
			try {
				return await does();
			} finally {
				this.spent += performance.now() - began;
			}
		});
		this.before = next.catch(() => null);
		return next;
	}

	async count() {
		const asked = ++this.asked,
			{ from, span } = this.viewport;
		if (this.counting) return;
		this.counting = true;
		const rows = await this.alone(() =>
			this.page.engine.series(
				this.page.source.parts(),
				{ from, span, count: COUNT },
				() => asked === this.asked,
			),
		).catch((error) => this.page.fail(error));
		this.counting = false;
		if (asked !== this.asked) return void this.count();
		this.shown = `${from}+${span}`;
		if (rows) this.show(buckets(rows, { from, span, count: COUNT, end: this.viewport.log.span }));
	}

	// Draw the present curves again, in the present colours.
	again() {
		if (this.of) this.show(this.of);
	}

	show(of) {
		this.of = of;
		const colors = theme(),
			most = (values) => values.reduce((a, b) => Math.max(a, b ?? 0), 0);
		const [processes, kernel, unknown] = utilisation(of),
			input = flow(of, "input"),
			output = flow(of, "output"),
			power = watts(of);
		const share = { y: { range: [0, 1] } },
			tall = (top) => ({ y: { range: [0, top || 1] } });
		const tracks = [
			{
				name: "CPUs",
				keys: [
					["processes", colors.process],
					["kernel", colors.kernel],
					...(most(of.unknown) ? [["unknown", colors.hatch]] : []),
				],
				scales: share,
				data: [of.x, unknown, kernel, processes],
				series: [
					line(colors.hatch, "y", colors.unknown),
					line(colors.kernel, "y", colors.kernel),
					line(colors.process, "y", colors.process),
				],
			},
		];
		if (this.viewport.log.traffic)
			tracks.push({
				name: "I/O",
				note: `up to ${bytes(Math.max(most(input), most(output)))}/s`,
				keys: [
					["in", colors.input],
					["out", colors.output],
				],
				scales: tall(Math.max(most(input), most(output)) * 1.05),
				data: [of.x, input, output],
				series: [line(colors.input, "y"), line(colors.output, "y")],
			});
		const least = of.least.some(Boolean) || of.powerUnknown.some(Boolean);
		if (this.viewport.log.power)
			tracks.push({
				name: "Power of cores",
				note: `${least ? "at least, " : ""}up to ${most(power).toPrecision(3)} W`,
				keys: [],
				scales: tall(most(power) * 1.05),
				data: [of.x, power],
				series: [line(colors.good, "y", `${colors.good}33`)],
			});
		this.draw(tracks);
	}

	draw(tracks) {
		const width = this.page.ruler.plotWidth;
		this.place.replaceChildren();
		this.tracks.forEach(({ plot }) => plot.destroy());
		this.tracks = tracks.map((track) => {
			const place = make("div", { class: "plot" });
			place.style.width = `${width}px`;
			this.place.append(
				make(
					"div",
					{ class: "track" },
					make(
						"div",
						{ class: "corner" },
						make("strong", {}, track.name),
						track.note ? make("div", {}, track.note) : null,
						track.keys.map(([name, color]) =>
							make("span", { class: "key" }, swatch(color), name),
						),
					),
					place,
				),
			);
			return { place, plot: plot(place, width, HIGH, track.series, track.scales, track.data) };
		});
		this.follow();
		this.page.later();
		document.documentElement.dataset.tracks = String(tracks.length);
	}
}
