// Uses the page as a person would, in Chromium without a window, and writes what came of it as JSON.
// Usage: node Play/drive-page.js CHROMIUM PAGE [PICTURES]
'use strict';

const { spawn } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { pathToFileURL } = require('node:url');

const [program, page, pictures] = process.argv.slice(2);
const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'latchkey-page-'));
// Chromium's sandbox refuses to run as root.
const options = process.getuid() === 0 ? ['--no-sandbox'] : [];
const browser = spawn(program, [
  '--headless=new', '--remote-debugging-pipe', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run',
  `--user-data-dir=${profile}`, ...options, 'about:blank',
], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'], detached: true });  // a process group of its own
// Chromium's own children write into the profile, so they end with it.
const end = () => { try { process.kill(-browser.pid, 'SIGKILL'); } catch { browser.kill('SIGKILL'); } };
const ended = new Promise((resolve) => { browser.on('exit', resolve); browser.on('error', resolve); });

// A child that is ending may write a last file between the removal of the files and that of their folder.
async function removeProfile() {
  for (let attempt = 0; ; attempt += 1) {
    try { return fs.rmSync(profile, { recursive: true, force: true }); } catch (error) {
      if (error.code !== 'ENOTEMPTY' || attempt === 100) throw error;
    }
    await new Promise((resolve) => { setTimeout(resolve, 100); });
  }
}

// MARK: The protocol of DevTools: JSON objects that end with a zero byte.

let number = 0;
const waiting = new Map();
const events = [];
let session;
let rest = Buffer.alloc(0);
browser.stdio[4].on('data', (bytes) => {
  rest = Buffer.concat([rest, bytes]);
  for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
    const message = JSON.parse(rest.subarray(0, end).toString());
    rest = rest.subarray(end + 1);
    if (message.id === undefined) events.push(message);
    else if (message.error) waiting.get(message.id).reject(new Error(JSON.stringify(message.error)));
    else waiting.get(message.id).resolve(message.result);
  }
});
// The page's end of the pipe closes when the browser ends.
browser.stdio[3].on('error', () => {});

function send(method, params = {}) {
  const id = ++number;
  browser.stdio[3].write(`${JSON.stringify({ id, method, params, ...(session ? { sessionId: session } : {}) })}\0`);
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

async function evaluate(expression) {
  const { result, exceptionDetails } = await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
}

// Waits until the table of the last choice is complete.
const shown = () => evaluate(`new Promise((resolve) => {
  const look = () => document.documentElement.dataset.shown === String(turn) ? resolve() : setTimeout(look, 20);
  look();
})`);

const address = pathToFileURL(page).href;
async function open(fragment = '') {
  await send('Page.navigate', { url: 'about:blank' });
  await send('Page.navigate', { url: address + fragment });
  // The page is a new one as soon as it has this function.
  while (!(await evaluate(`location.href.startsWith(${JSON.stringify(address)}) && typeof show === 'function' && typeof words === 'object'`))) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await shown();
}

async function press(key, text) {
  const codes = { Tab: 9, Enter: 13, ' ': 32 };
  const event = { key, code: key === ' ' ? 'Space' : key, windowsVirtualKeyCode: codes[key] };
  await send('Input.dispatchKeyEvent', { type: text ? 'keyDown' : 'rawKeyDown', ...event, ...(text ? { text } : {}) });
  await send('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
}

const texts = (selector) => evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => one.textContent)`);
const verdict = async () => (await texts('#bottom-line'))[0];
const picture = async (name, width, height, scheme = 'light') => {
  if (!pictures) return;
  await send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
  await send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
  const { data } = await send('Page.captureScreenshot', { captureBeyondViewport: false });
  fs.writeFileSync(path.join(pictures, `${name}.png`), Buffer.from(data, 'base64'));
};

async function drive() {
  const { targetInfos } = await send('Target.getTargets');
  const target = targetInfos.find((one) => one.type === 'page');
  session = (await send('Target.attachToTarget', { targetId: target.targetId, flatten: true })).sessionId;
  for (const domain of ['Page', 'Runtime', 'Network', 'Log']) await send(`${domain}.enable`);
  const report = {};

  await open();
  report.firstVerdict = await evaluate('Number(document.documentElement.dataset.firstVerdict)');
  report.verdict = await verdict();
  report.cells = (await texts('#threats td')).length;
  report.steps = (await texts('.steps li')).length;
  await picture('wide', 1400, 1750);

  // A choice changes the answers and the link, and the link brings the choice back.
  await evaluate(`document.querySelector('#flags [value=biometryCurrentSet]').click()`);
  await evaluate(`document.querySelector('#flags [value=biometryAny]').click()`);
  await shown();
  report.chosen = { verdict: await verdict(), steps: await texts('.steps li'), link: (await texts('#link'))[0], swift: (await texts('#swift'))[0] };
  await picture('attack', 1400, 1900);
  await open(new URL(report.chosen.link).hash);
  report.reopened = { verdict: await verdict(), policy: (await texts('#policy'))[0] };

  // Keys alone: from the first flag on, the space bar chooses it. In the table, Enter shows the attack of a cell.
  await evaluate(`document.querySelector('#flags input').focus()`);
  await press(' ', ' ');
  await shown();
  report.refused = { verdict: await verdict(), swiftIsHidden: await evaluate(`document.getElementById('swift-block').hidden`) };
  await picture('refused', 1000, 1500, 'dark');
  await press(' ', ' ');
  await shown();
  await evaluate(`document.querySelector('[data-profile=snatcher] [data-aim=destroy]').focus()`);
  await press('Enter', '\r');
  await shown();
  report.cell = { verdict: await verdict(), focus: await evaluate('document.activeElement.getAttribute("aria-label")') };
  let stops = 0;
  await evaluate('document.activeElement.blur(), document.body.focus()');
  const seen = new Set();
  for (; stops < 150; stops++) {
    await press('Tab');
    const stop = await evaluate(`(() => { const one = document.activeElement; return one === document.body ? '' :
      [one.tagName, one.id, one.name, one.value, one.dataset.copy, one.getAttribute('aria-label')].join(); })()`);
    if (stop === '' || seen.has(stop)) break;
    seen.add(stop);
  }
  report.stops = seen.size;

  // Every control has a name that a screen reader can say.
  await send('Accessibility.enable');
  const { nodes } = await send('Accessibility.getFullAXTree');
  const controls = ['button', 'checkbox', 'combobox', 'radio', 'link', 'textbox', 'menulistpopup'];
  report.nameless = nodes.filter((node) => !node.ignored && controls.includes(node.role?.value) && node.role.value !== 'menulistpopup'
    && !node.name?.value).map((node) => node.role.value);

  // A private key is used, and each device and width has room.
  await open('#kind=key&require=biometryAny+privateKeyUsage&device=iPhoneWithFaceID');
  report.key = { verdict: await verdict(), policy: (await texts('#policy'))[0], aims: await texts('#threats thead th') };
  report.overflow = [];
  for (const width of [320, 400, 800, 1600]) {
    await send('Emulation.setDeviceMetricsOverride', { width, height: 900, deviceScaleFactor: 1, mobile: false });
    if (await evaluate('document.documentElement.scrollWidth > innerWidth')) report.overflow.push(width);
  }
  await picture('narrow', 400, 2600);
  await picture('narrow-dark', 400, 2600, 'dark');

  // A hostile link runs nothing and changes nothing that is not a known word.
  await open(`#require=${encodeURIComponent('<img src=x onerror="window.hit=1">')}&against=${encodeURIComponent('"><script>window.hit=1</script>')}`
    + `&accessible=__proto__&device=constructor&aim=toString&lockGrace=${encodeURIComponent('1e999d')}&__proto__=1`);
  report.hostile = { hit: await evaluate('window.hit === undefined'), policy: (await texts('#policy'))[0], images: await evaluate('document.images.length') };
  report.blocked = await evaluate(`fetch('https://example.com/').then(() => false, () => true)`);

  // Scripts ask the same engine.
  report.proof = await evaluate(`latchkey.prove({ accessible: 'whenPasscodeSetThisDeviceOnly', require: 'biometryCurrentSet', never: 'read', against: 'passcode-thief' })`);
  report.mistake = await evaluate(`latchkey.prove({ never: 'read', against: 'passcode-thieff' }).then(() => '', (error) => error instanceof Error ? error.message : '')`);

  report.requests = [...new Set(events.filter((one) => one.method === 'Network.requestWillBeSent').map((one) => one.params.request.url.split('#')[0]))]
    .filter((url) => url !== address && url !== 'about:blank');
  report.errors = events.filter((one) => one.method === 'Runtime.exceptionThrown').map((one) => one.params.exceptionDetails.exception?.description);
  return report;
}

(async () => {
  const died = ended.then(() => { throw new Error('Chromium ended early'); });
  let report, failure;
  try { report = await Promise.race([drive(), died]); } catch (error) { failure = error; }
  died.catch(() => {});
  end();
  await ended;
  await removeProfile();
  if (failure) {
    console.error(failure.stack);
    process.exit(1);
  }
  console.log(JSON.stringify(report, null, 1));
})();
