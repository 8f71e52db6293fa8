// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// usage: node perfetto.mjs FOLDER TRACE <QUERIES - the trace processor of Perfetto reads TRACE and answers.
//
// FOLDER has its engine, as WebAssembly and JavaScript. QUERIES is a JSON array of SQL queries; the output is an array with
// the rows of each query, where a row is an object, and a number is exact (a string if JavaScript's are too coarse for it).
// The engine expects to be a browser's worker, so this program gives it what it uses of one.
import { openSync, readFileSync, readSync } from "node:fs";
import { createInterface } from "node:readline";
import path from "node:path";
import { pathToFileURL } from "node:url";
import vm from "node:vm";

const [folder, trace] = process.argv.slice(2);
const PART = 1 << 24;

class Port {
	// The engine's side of the channel: it sets onmessage and calls postMessage().
	constructor(answer) { this.postMessage = answer; }
}

// The engine reads its program in a request that waits for the answer.
class Request {
	open(_, name) { this.name = name; }
	send() { this.response = new Uint8Array(readFileSync(path.join(folder, path.basename(this.name)))).buffer; }
}

// The package has no program for memory of 64 bits. The first program that the engine makes tries whether the machine has
// such memory, and may not find out that it does.
let tried = false;
class Program extends WebAssembly.Module {
	constructor(bytes) {
		if (!tried) {
			tried = true;
			throw new Error("no memory of 64 bits");
		}
		super(bytes);
	}
}

async function start_worker(port) {
	globalThis.self = globalThis;
	globalThis.WorkerGlobalScope = Object;
	globalThis.location = pathToFileURL(folder + "/");
	globalThis.XMLHttpRequest = Request;
	WebAssembly.Module = Program;
	vm.runInThisContext(readFileSync(path.join(folder, "engine_bundle.node.js")).toString(), { filename: "engine_bundle.node.js" });
	globalThis.onmessage({ data: port });
	// The rest of the start is in promises, which are kept before this one.
	await new Promise(setImmediate);
}

function plain(value) {
	return typeof value === "bigint" ? (Number.isSafeInteger(Number(value)) ? Number(value) : String(value)) : value;
}

async function rows_of(engine, query) {
	const result = await engine.query(query), rows = [];
	const names = result.columns();

	for (const row = result.iter({}); row.valid(); row.next())
		rows.push(Object.fromEntries(names.map(name => [name, plain(row.get(name))])));
	return rows;
}

const { EngineBase } = await import(pathToFileURL(path.join(folder, "engine.mjs")));
class Engine extends EngineBase {
	mode = "WASM";
	id = "test";
	rpcSendRequestBytes(bytes) { this.port.onmessage({ data: bytes }); }
}
// The engine's lines about its progress are no part of the answers.
console.log = console.info = console.warn = () => {};
const engine = new Engine();
engine.port = new Port(bytes => setImmediate(() => engine.onRpcResponseBytes(bytes)));
await start_worker(engine.port);
const descriptor = openSync(trace), part = new Uint8Array(PART);
for (let size; (size = readSync(descriptor, part, 0, PART)) > 0;)
	await engine.parse(part.slice(0, size));
await engine.notifyEof();
let text = "";
for await (const line of createInterface({ input: process.stdin }))
	text += line + "\n";
const answers = [];
for (const query of JSON.parse(text))
	answers.push(await rows_of(engine, query));
process.stdout.write(JSON.stringify(answers) + "\n", () => process.exit(0));
