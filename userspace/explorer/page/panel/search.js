// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The search for processes and devices by name or number.
import { $, make, swatchOf } from "../dom.js";

const FOUND_MOST = 50;

const hexadecimal = (id) => `0x${id.toString(16)}`;

// The ranks of items, the best first: the ID or the name is the wanted text; a former name is the text; the name begins
// with the text; the name contains the text; a former name contains the text.
const NUMBER = 0,
	NAME = 1,
	FORMER = 2,
	BEGINS = 3,
	HAS = 4,
	FORMER_HAS = 5;

// Return: the rank of an item for the text @wanted, and the former name that fits, if one does; null if nothing fits.
function fit(item, wanted) {
	const name = (item.name ?? "").toLowerCase();
	const former = (fits) => item.former?.find((other) => fits(other.toLowerCase()));
	if (String(item.id) === wanted || hexadecimal(item.id) === wanted) return { rank: NUMBER };
	if (name === wanted) return { rank: NAME };
	const same = former((other) => other === wanted);
	if (same !== undefined) return { rank: FORMER, former: same };
	if (name.includes(wanted)) return { rank: name.startsWith(wanted) ? BEGINS : HAS };
	const near = former((other) => other.includes(wanted));
	return near === undefined ? null : { rank: FORMER_HAS, former: near };
}

export function find(log, text) {
	const wanted = text.trim().toLowerCase();
	if (!wanted) return [];
	const of = (kind) => (item) => ({ item, kind, ...fit(item, wanted) });
	return [...log.processes.map(of("process")), ...log.devices.map(of("device"))]
		.filter((entry) => entry.rank !== undefined)
		.sort((a, b) => a.rank - b.rank || (b.item.time ?? 0) - (a.item.time ?? 0))
		.slice(0, FOUND_MOST);
}

export class Search {
	constructor(viewport) {
		this.viewport = viewport;
		this.found = [];
		this.at = 0;
		$("query").addEventListener("input", () => this.look());
		$("query").addEventListener("focus", () => this.look());
		$("query").addEventListener("blur", () => {
			$("found").hidden = true;
			$("query").setAttribute("aria-expanded", "false");
		});
		$("query").addEventListener("keydown", (event) => this.key(event));
	}

	look() {
		this.found = this.viewport.log ? find(this.viewport.log, $("query").value) : [];
		this.at = 0;
		this.show();
	}

	show() {
		$("found").hidden = !$("query").value.trim();
		$("found").replaceChildren(
			...this.found.map((entry, i) =>
				make(
					"li",
					{
						id: `found${i}`,
						role: "option",
						"aria-selected": i === this.at ? "true" : "false",
						class: i === this.at ? "on" : "",
						onpointerdown: (event) => {
							event.preventDefault();
							this.take(entry);
						},
					},
					entry.kind === "process" ? swatchOf(entry.item) : "◈",
					make("span", {}, entry.item.name),
					make(
						"span",
						{ class: "quiet" },
						entry.kind === "process"
							? entry.item.id
							: `device ${hexadecimal(entry.item.id)}`,
					),
					entry.former && make("span", { class: "quiet" }, `formerly ${entry.former}`),
				),
			),
		);
		if (!this.found.length)
			$("found").replaceChildren(make("li", { class: "quiet" }, "Nothing has this name or number."));
		$("found").children[this.at]?.scrollIntoView({ block: "nearest" });
		$("query").setAttribute("aria-expanded", String(!$("found").hidden));
		$("query").setAttribute("aria-activedescendant", this.found.length ? `found${this.at}` : "");
	}

	key(event) {
		const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
		if (by) {
			event.preventDefault();
			this.at = Math.max(0, Math.min(this.found.length - 1, this.at + by));
			this.show();
		} else if (event.key === "Enter" && this.found[this.at]) {
			this.take(this.found[this.at]);
		}
	}

	take(entry) {
		$("query").blur();
		$("scroll").focus({ preventScroll: true });
		if (entry.kind === "process") this.viewport.choose(entry.item.number);
		else this.viewport.chooseDevice(entry.item.number);
		this.viewport.meet(entry.item);
	}
}
