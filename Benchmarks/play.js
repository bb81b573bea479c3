// Measures the playground: its sizes, the engine in node beside the command, and the first verdict in Chromium.
// Usage: node Benchmarks/play.js LATCHKEY [CHROMIUM], after `make play`
'use strict';

const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const { pathToFileURL } = require('node:url');
const { Engine } = require('../.build/play/engine.js');
const { withChromium } = require('../Play/chromium.js');

const [latchkey, chromium] = process.argv.slice(2);
const page = '.build/play/index.html';
const runs = 15;
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
const print = (name, value, unit, count = 1) => console.log(JSON.stringify({ name, value, unit, runs: count }));

// Every set of flags for data that means something else.
const biometries = ['', 'biometryAny', 'biometryCurrentSet'];
const others = ['', 'devicePasscode', 'companion', 'devicePasscode companion'];
const sets = ['userPresence', ...biometries.flatMap((biometry) => others.flatMap((other) => {
  const words = `${biometry} ${other}`.trim();
  return words.includes(' ') ? [`${words} or`, `${words} and`] : [words];
}))].flatMap((words) => [words, `${words} applicationPassword`.trim()]);

// Times every verdict, and asks the slowest ones again, because another process may have been in the way.
function verdicts(engine, words) {
  const all = [];
  for (const device of ['iPhoneWithTouchID', 'iPhoneWithFaceID']) {
    for (const { name: accessible } of words.classes) {
      for (const require of sets) {
        for (const { name: against } of words.profiles) {
          const request = { device, accessible, require, never: 'read', against };
          all.push({ request, time: timed(() => engine.prove(request)) });
        }
      }
    }
  }
  all.sort((a, b) => b.time - a.time);
  const slowest = Math.max(...all.slice(0, 10).map(({ request }) => median(Array.from({ length: 11 }, () => timed(() => engine.prove(request))))));
  print('play.verdict.ms', slowest, 'ms', all.length);
  print('play.verdict.median_ms', all[all.length >> 1].time, 'ms', all.length);
  print('play.verdict.within_50ms.percent', 100 * all.filter((one) => one.time < 50).length / all.length, '%', all.length);
}

function timed(body) {
  const start = performance.now();
  body();
  return performance.now() - start;
}

// Returns the processor time of the command in milliseconds.
function commandTime(args) {
  const run = spawnSync('bash', ['-c', 'times > /dev/null; "$@" > /dev/null; times', 'bash', latchkey, ...args], { encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`${latchkey} ${args.join(' ')}: ${run.stderr}`);
  // The second line of the last `times` has the user and system time of the children.
  const spans = run.stdout.trim().split('\n').pop().match(/(\d+)m([\d.]+)s/g).map((text) => {
    const [, minutes, seconds] = /(\d+)m([\d.]+)s/.exec(text);
    return (Number(minutes) * 60 + Number(seconds)) * 1000;
  });
  return spans[0] + spans[1];
}

// Compares the largest searches, that of every policy against the profile that has the most moves.
function againstCommand(engine) {
  let ours = 0;
  let theirs = 0;
  let count = 0;
  const start = median(Array.from({ length: 21 }, () => commandTime(['--version'])));
  const [device, accessible, against] = ['iPhoneWithFaceID', 'whenUnlockedThisDeviceOnly', 'coerced-finger'];
  for (const require of sets.filter((set) => set !== '')) {
    const before = process.cpuUsage();
    const { answer } = engine.prove({ device, accessible, require, never: 'read', against });
    const { user, system } = process.cpuUsage(before);
    // An attack is found at once, so only a complete search counts.
    if (answer !== 'holds') continue;
    count += 1;
    ours += (user + system) / 1000;
    theirs += commandTime(['prove', '--device', device, '--accessible', accessible, '--require', require, '--never', 'read', '--against', against]) - start;
  }
  print('play.vs_native.ratio', ours / theirs, 'times as long', count);
}

(async () => {
  const bytes = fs.readFileSync('.build/play/engine.wasm');
  const [, packed] = /id="engine">([^<]*)</.exec(fs.readFileSync(page, 'utf8'));
  print('play.wasm.gzip.kb', Buffer.from(packed, 'base64').length / 1000, 'kB');
  print('play.page.kb', fs.statSync(page).size / 1000, 'kB');
  const engine = await Engine.open(bytes);
  const words = engine.ask('words');
  verdicts(engine, words);
  againstCommand(engine);
  if (chromium === undefined) return;
  await withChromium(chromium, async (browser) => {
    const times = [];
    for (let run = 0; run < runs; run++) {
      const fresh = await browser.freshPage();
      await fresh.send('Page.navigate', { url: pathToFileURL(page).href });
      let time;
      while (time === undefined) {
        await new Promise((resolve) => setTimeout(resolve, 200));
        time = await fresh.evaluate('document.documentElement.dataset.firstVerdict');
      }
      times.push(Number(time));
    }
    return JSON.stringify({ name: 'play.first_verdict.ms', value: median(times), unit: 'ms', runs });
  });
})();
