// Uses the live page as a person would, in Chromium without a window, and writes what came of it as JSON.
// Usage: node drive_page.js CHROMIUM ADDRESS [PICTURES]; ADDRESS is that of a server that drives, or of a file, which is only shown.
'use strict';

const { spawn } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const [program, address, pictures] = process.argv.slice(2);
const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'latchkey-live-'));
// Chromium's sandbox refuses to run as root.
const options = process.getuid() === 0 ? ['--no-sandbox'] : [];
const browser = spawn(program, [
  '--headless=new', '--remote-debugging-pipe', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run',
  `--user-data-dir=${profile}`, ...options, 'about:blank',
], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'], detached: true });  // a process group of its own
// Chromium's own children write into the profile, so they end with it.
const end = () => { try { process.kill(-browser.pid, 'SIGKILL'); } catch { browser.kill('SIGKILL'); } };
const ended = new Promise((resolve) => { browser.on('exit', resolve); browser.on('error', resolve); });
const pause = () => new Promise((resolve) => { setTimeout(resolve, 20); });

async function removeProfile() {
  for (let attempt = 0; ; attempt += 1) {
    try { return fs.rmSync(profile, { recursive: true, force: true }); } catch (error) {
      if (error.code !== 'ENOTEMPTY' || attempt === 500) throw error;
    }
    await pause();
  }
}

// The protocol of DevTools: JSON objects that end with a zero byte.
let number = 0;
let session;
let rest = Buffer.alloc(0);
const waiting = new Map();
const events = [];
browser.stdio[4].on('data', (bytes) => {
  rest = Buffer.concat([rest, bytes]);
  for (let place = rest.indexOf(0); place >= 0; place = rest.indexOf(0)) {
    const message = JSON.parse(rest.subarray(0, place).toString());
    rest = rest.subarray(place + 1);
    if (message.id === undefined) events.push(message);
    else if (message.error) waiting.get(message.id).reject(new Error(JSON.stringify(message.error)));
    else waiting.get(message.id).resolve(message.result);
  }
});
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

const until = async (expression) => { while (!(await evaluate(expression))) await pause(); };
const texts = (selector) => evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => one.textContent)`);
const steps = (count) => until(`document.querySelectorAll('#steps > li').length === ${count}`);
const press = (title) => evaluate(`[...document.querySelectorAll('button')].find((one) => one.textContent === ${JSON.stringify(title)}).click()`);
const type = (id, text) => evaluate(`document.getElementById(${JSON.stringify(id)}).value = ${JSON.stringify(text)}`);

async function key(name, code) {
  const event = { key: name, code: name, windowsVirtualKeyCode: code };
  await send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...event });
  await send('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
}

const picture = async (name, width, height, scheme) => {
  await send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
  await send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
  const overflow = await evaluate('document.documentElement.scrollWidth > innerWidth');
  if (pictures) {
    const { data } = await send('Page.captureScreenshot', { captureBeyondViewport: false });
    fs.writeFileSync(path.join(pictures, `${name}.png`), Buffer.from(data, 'base64'));
  }
  return overflow ? [width] : [];
};

// The panels of the devices of an account, from left to right and top to bottom.
const panels = () => evaluate(`[...document.querySelectorAll('#devices > section')].map((panel) => {
  const all = (selector) => [...panel.querySelectorAll(selector)].map((one) => one.textContent);
  return { name: all('h2')[0], lock: all('[data-part=lock]')[0], items: all('[data-part=items] .tag'),
    moves: all('[data-part=moves-part]:not([hidden]) li'), isAtHand: panel.getAttribute('aria-current') === 'true' };
})`);

const placed = async (width) => {
  await send('Emulation.setDeviceMetricsOverride', { width, height: 1500, deviceScaleFactor: 1, mobile: false });
  return evaluate(`[...document.querySelectorAll('#devices > section')].map((panel) => {
    const { left, top } = panel.getBoundingClientRect();
    return [Math.round(left), Math.round(top)];
  })`);
};

// Keys and buttons on the page of several devices.
async function driveAccount(report) {
  const steps = await evaluate(`document.querySelectorAll('#steps > li').length`);
  if (report.drives) {
    const after = (more) => until(`document.querySelectorAll('#steps > li').length === ${steps} + ${more}`);
    await press('Deliver everything');
    await after(1);
    report.delivered = await panels();
    await evaluate(`document.getElementById('on').value = 'pad'`);
    await evaluate(`document.getElementById('on').dispatchEvent(new Event('change'))`);
    await press('Lock');
    await after(2);
    await press('Take it offline');
    await after(3);
    await press('Read the item');
    await after(4);
  }
  report.panels = await panels();
  report.members = await texts('#members > li');
  report.movements = await texts('#steps .movement');
  report.met = await texts('#steps .met');
  report.label = (await texts('#time-label'))[0];
  await evaluate(`document.getElementById('time').focus()`);
  await key('Home', 36);
  report.panelsBefore = await panels();
  await key('End', 35);
  report.wide = await placed(1600);
  report.narrow = await placed(400);
}

async function drive() {
  const { targetInfos } = await send('Target.getTargets');
  const target = targetInfos.find((one) => one.type === 'page');
  session = (await send('Target.attachToTarget', { targetId: target.targetId, flatten: true })).sessionId;
  for (const domain of ['Page', 'Runtime', 'Network', 'Log']) await send(`${domain}.enable`);
  const report = {};
  await send('Page.navigate', { url: address });
  await until(`location.href === ${JSON.stringify(address)} && document.querySelectorAll('#facts dd, #devices dd').length > 0`);
  report.title = (await texts('h1'))[0];
  report.connection = (await texts('#connection'))[0];
  report.drives = await evaluate(`!document.getElementById('drive').hidden`);
  report.hit = await evaluate(`'hit' in window`);

  const hasAccount = await evaluate(`document.body.classList.contains('account')`);
  if (hasAccount) await driveAccount(report);
  else if (report.drives) {
    await press('Read the item');
    await steps(1);
    await type('finger', 'left thumb');
    await press('Enroll it');
    await steps(2);
    await press('Read the item');
    await steps(3);
    await press('Lock');
    await steps(4);
    await type('span', '11s');
    await press('Wait');
    await steps(5);
    report.lock = (await texts('#lock'))[0];
    await type('text', '{ "raed": "token" }');
    await press('Play');
    await until(`!document.getElementById('mistake').hidden`);
    report.mistake = (await texts('#mistake'))[0];
    // Keys alone: the slider goes back to the first step.
    await evaluate(`document.getElementById('time').focus()`);
    await key('Home', 36);
    report.beginning = { label: (await texts('#time-label'))[0], lock: (await texts('#lock'))[0], items: await texts('#items .tag') };
    await key('End', 35);
    report.items = await texts('#items .tag');
    report.closed = (await texts('#keys .closed')).length;
    report.log = (await texts('#log li')).length;
  }
  report.steps = await texts('#steps > li > button');
  report.outcomes = await evaluate(`[...document.querySelectorAll('#steps > li')].map((one) => one.querySelector('small').textContent)`);
  report.reasons = await texts('#steps .reason');
  report.facts = await texts('#facts dd');
  report.drawing = await evaluate(`document.getElementById('lock-drawing').getAttribute('class') ?? ''`);
  report.overflow = [...await picture('narrow', 400, 2600, 'light'), ...await picture('middle', 800, 1900, 'dark'), ...await picture('wide', 1600, 1500, 'light')];

  // Every control has a name that a screen reader can say.
  await send('Accessibility.enable');
  const { nodes } = await send('Accessibility.getFullAXTree');
  const controls = ['button', 'combobox', 'slider', 'link', 'textbox'];
  report.nameless = nodes.filter((node) => !node.ignored && controls.includes(node.role?.value) && !node.name?.value).map((node) => node.role.value);
  report.foreign = events.filter((event) => event.method === 'Network.requestWillBeSent').map((event) => event.params.request.url)
    .filter((url) => url !== 'about:blank' && !url.startsWith(address));
  report.errors = events.filter((event) => event.method === 'Runtime.exceptionThrown' || (event.method === 'Log.entryAdded' && event.params.entry.level === 'error'))
    .map((event) => event.params.entry?.text ?? event.params.exceptionDetails.text)
    // The refused step and the icon that browsers look for.
    .filter((text) => !text.includes('400') && !text.includes('favicon') && !text.includes('403'));
  return report;
}

drive().then((report) => console.log(JSON.stringify(report)), (error) => {
  console.error(error.stack);
  process.exitCode = 1;
}).finally(async () => {
  end();
  await ended;
  await removeProfile();
  process.exit();
});
