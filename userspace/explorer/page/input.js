// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The handlers of the wheel, the pointer and the keys.
import { $, make } from "./dom.js";

const KEYS = [
	["wheel, + −", "zoom in and out"],
	["drag, a d, ← →", "move to earlier or later times"],
	["Shift + drag, or drag on the axis", "select a stretch of time: the panel shows its totals"],
	["Shift + wheel, Page ↑ ↓", "scroll the rows"],
	["↑ ↓", "move the cursor to the previous or next row"],
	["← → at the cursor", "move along its row: a CPU's stretches, the events of a process or device"],
	["Enter", "choose the process, device or event at the cursor"],
	["click", "choose the process, device or event at the pointer"],
	["double click", "zoom to the selection, or to this stretch"],
	["n, p", "go to the next or previous event"],
	["/", "find a process or device by name or number"],
	["0", "show all of the log"],
	["c", "show seconds since boot or the wall clock on the axis"],
	["f", "zoom to the selection, or else to the life of the chosen process or device"],
	["Esc", "close the cursor; then choose nothing, select nothing"],
	["?", "this list"],
];

export class Input {
	constructor(viewport, ruler, rows, actions) {
		Object.assign(this, { viewport, ruler, rows, actions, drag: null });
		const over = $("over"),
			axis = $("ruler");
		over.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
		axis.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
		for (const place of [over, axis]) {
			place.addEventListener("pointerdown", (event) =>
				this.down(event, place === axis || event.shiftKey),
			);
			place.addEventListener("pointermove", (event) => this.move(event));
			place.addEventListener("pointerup", (event) => this.up(event));
			place.addEventListener("pointercancel", () => {
				this.drag = null;
			});
		}
		over.addEventListener("pointerleave", () => this.actions.leave());
		over.addEventListener("dblclick", (event) => this.actions.enter(this.place(event)));
		addEventListener("keydown", (event) => this.key(event));
		$("keys").replaceChildren(
			make("h2", {}, "Keys"),
			make(
				"dl",
				{},
				KEYS.flatMap(([key, text]) => [
					make("dt", {}, make("kbd", {}, key)),
					make("dd", {}, text),
				]),
			),
			make("form", { method: "dialog" }, make("button", {}, "Close")),
		);
	}

	place(event) {
		const box = $("over").getBoundingClientRect();
		const x = event.clientX - box.left,
			y = event.clientY - box.top;
		return { x, y, time: this.ruler.time(x), row: this.rows.at(y) };
	}

	wheel(event) {
		event.preventDefault();
		const lines = event.deltaMode === 1 ? 16 : 1;
		if (event.shiftKey) $("scroll").scrollTop += (event.deltaY || event.deltaX) * lines;
		else if (Math.abs(event.deltaX) > Math.abs(event.deltaY))
			this.viewport.pan((event.deltaX * lines) / 1000);
		else
			this.viewport.zoom(
				Math.exp(Math.max(-200, Math.min(200, event.deltaY * lines)) / 400),
				this.place(event).time,
			);
	}

	down(event, selects) {
		if (event.button) return;
		event.target.setPointerCapture(event.pointerId);
		this.drag = {
			selects,
			x: event.clientX,
			y: event.clientY,
			from: this.viewport.from,
			time: this.place(event).time,
			moved: false,
		};
		$("scroll").focus({ preventScroll: true });
	}

	move(event) {
		const { drag } = this;
		if (!drag) {
			if (event.target === $("over")) this.actions.hover(this.place(event), event);
			return;
		}
		const dx = event.clientX - drag.x;
		drag.moved ||= Math.abs(dx) > 3 || Math.abs(event.clientY - drag.y) > 3;
		if (!drag.moved) return;
		if (drag.selects) this.viewport.select(drag.time, this.place(event).time);
		else
			this.viewport.show(
				drag.from - (dx / this.ruler.plotWidth) * this.viewport.span,
				this.viewport.span,
			);
	}

	up(event) {
		const { drag } = this;
		this.drag = null;
		if (!drag) return;
		if (drag.moved) this.actions.settled();
		else if (event.target === $("over")) this.actions.click(this.place(event), event);
		else this.viewport.select(null);
	}

	key(event) {
		// The keys of an open dialog are its own, and Escape closes it.
		if (event.ctrlKey || event.metaKey || event.altKey || !this.viewport.log || $("keys").open) return;
		if (event.target.tagName === "INPUT") {
			if (event.key === "Escape") event.target.blur();
			return;
		}
		const does = {
			"+": () => this.viewport.zoom(0.6),
			"=": () => this.viewport.zoom(0.6),
			w: () => this.viewport.zoom(0.6),
			"-": () => this.viewport.zoom(1 / 0.6),
			s: () => this.viewport.zoom(1 / 0.6),
			ArrowLeft: () => this.actions.along(-1),
			a: () => this.viewport.pan(-0.15),
			ArrowRight: () => this.actions.along(1),
			d: () => this.viewport.pan(0.15),
			ArrowUp: () => this.actions.row(-1),
			ArrowDown: () => this.actions.row(1),
			PageUp: () => {
				$("scroll").scrollTop -= 200;
			},
			PageDown: () => {
				$("scroll").scrollTop += 200;
			},
			0: () => this.viewport.fit(),
			c: () => this.actions.clock(),
			f: () => this.actions.enter(null),
			n: () => this.actions.event(1),
			p: () => this.actions.event(-1),
			"/": () => $("query").focus(),
			"?": () => $("keys").showModal(),
			Escape: () => this.actions.nothing(),
			Enter: () => this.actions.choose(),
		}[event.key];
		// Buttons and lists handle Enter themselves.
		if (
			!does ||
			(event.key === "Enter" && event.target !== document.body && event.target !== $("scroll"))
		)
			return;
		event.preventDefault();
		does();
	}
}
