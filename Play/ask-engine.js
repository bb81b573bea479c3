// Asks the engine every request of a file, a line each, on all cores. Writes the answers in the order of the requests.
// Usage: node Play/ask-engine.js ENGINE REQUESTS > ANSWERS
'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { Worker, isMainThread, parentPort, workerData } = require('node:worker_threads');

// Calls the exports itself, so that the answers are compared as the engine writes them.
function ask(exports, request) {
  const bytes = new TextEncoder().encode(request);
  new Uint8Array(exports.memory.buffer, exports.latchkey_request(bytes.length) >>> 0, bytes.length).set(bytes);
  const count = exports.latchkey_answer() >>> 0;
  return new TextDecoder().decode(new Uint8Array(exports.memory.buffer, exports.latchkey_reply() >>> 0, count));
}

if (isMainThread) {
  const module = new WebAssembly.Module(fs.readFileSync(process.argv[2]));
  const requests = fs.readFileSync(process.argv[3], 'utf8').split('\n').filter((line) => line !== '');
  const answers = new Array(requests.length);
  let next = 0;
  let done = 0;
  const began = process.cpuUsage();
  const count = Math.min(os.availableParallelism(), requests.length);
  for (let number = 0; number < count; number++) {
    const worker = new Worker(__filename, { workerData: module });
    const give = () => {
      if (next < requests.length) worker.postMessage({ place: next, request: requests[next++] });
      else worker.terminate();
    };
    worker.on('message', ({ place, answer }) => {
      answers[place] = answer;
      done += 1;
      give();
      if (done < requests.length) return;
      console.error(`${Math.round(process.cpuUsage(began).user / 1000)} ms of processor time`);
      process.stdout.write(`${answers.join('\n')}\n`);
    });
    worker.on('error', (error) => {
      console.error(`${path.basename(__filename)}: ${error.stack}`);
      process.exit(1);
    });
    give();
  }
} else {
  const { exports } = new WebAssembly.Instance(workerData, { page: { report() {} } });
  parentPort.on('message', ({ place, request }) => parentPort.postMessage({ place, answer: ask(exports, request) }));
}
