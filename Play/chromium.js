// Chromium without a window, driven by its DevTools protocol over a pipe: JSON objects that end with a zero byte.
'use strict';

const { spawn } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

class Chromium {
  // Starts the browser with a profile of its own. `profile` is a new folder.
  constructor(program, profile) {
    this.profile = profile;
    this.number = 0;
    this.waiting = new Map();
    this.events = [];
    // Chromium's sandbox refuses to run as root.
    const options = process.getuid() === 0 ? ['--no-sandbox'] : [];
    this.process = spawn(program, [
      '--headless=new', '--remote-debugging-pipe', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run',
      `--user-data-dir=${profile}`, ...options, 'about:blank',
    ], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
      detached: true,  // a process group of its own
      // Without a bus, Chromium would start one, which would outlive it.
      env: { ...process.env, DBUS_SESSION_BUS_ADDRESS: 'disabled:', DBUS_SYSTEM_BUS_ADDRESS: 'disabled:' },
    });
    this.ended = new Promise((resolve) => { this.process.on('exit', resolve); this.process.on('error', resolve); });
    let rest = Buffer.alloc(0);
    this.process.stdio[4].on('data', (bytes) => {
      rest = Buffer.concat([rest, bytes]);
      for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
        this.receive(JSON.parse(rest.subarray(0, end).toString()));
        rest = rest.subarray(end + 1);
      }
    });
    // The page's end of the pipe closes when the browser ends.
    this.process.stdio[3].on('error', () => {});
  }

  receive(message) {
    if (message.id === undefined) this.events.push(message);
    else if (message.error) this.waiting.get(message.id).reject(new Error(JSON.stringify(message.error)));
    else this.waiting.get(message.id).resolve(message.result);
  }

  send(method, params = {}, session = undefined) {
    const id = ++this.number;
    this.process.stdio[3].write(`${JSON.stringify({ id, method, params, ...(session ? { sessionId: session } : {}) })}\0`);
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  // Returns the page that the browser began with.
  async firstPage() {
    const { targetInfos } = await this.send('Target.getTargets');
    return this.attach(targetInfos.find((one) => one.type === 'page').targetId);
  }

  // Returns a new page in a fresh profile.
  async freshPage() {
    const { browserContextId } = await this.send('Target.createBrowserContext', { disposeOnDetach: true });
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank', browserContextId });
    return this.attach(targetId);
  }

  async attach(targetId) {
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    const page = {
      send: (method, params) => this.send(method, params, sessionId),
      evaluate: async (expression) => {
        const { result, exceptionDetails } = await page.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
        if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
        return result.value;
      },
    };
    for (const domain of ['Page', 'Runtime', 'Network', 'Log']) await page.send(`${domain}.enable`);
    return page;
  }

  async close() {
    // Chromium's own children write into the profile, so they end with it.
    try { process.kill(-this.process.pid, 'SIGKILL'); } catch { this.process.kill('SIGKILL'); }
    await this.ended;
    // A child that is ending may write a last file between the removal of the files and that of their folder.
    for (let attempt = 0; ; attempt += 1) {
      try { return fs.rmSync(this.profile, { recursive: true, force: true }); } catch (error) {
        if (error.code !== 'ENOTEMPTY' || attempt === 100) throw error;
      }
      await new Promise((resolve) => { setTimeout(resolve, 100); });
    }
  }
}

// Starts Chromium, runs `drive` with it, and writes what it returns. Ends the browser whatever happens.
async function withChromium(program, drive) {
  const browser = new Chromium(program, fs.mkdtempSync(path.join(os.tmpdir(), 'latchkey-page-')));
  const died = browser.ended.then(() => { throw new Error('Chromium ended early'); });
  let report, failure;
  try { report = await Promise.race([drive(browser), died]); } catch (error) { failure = error; }
  died.catch(() => {});
  await browser.close();
  if (failure) {
    console.error(failure.stack);
    process.exit(1);
  }
  console.log(report);
}

module.exports = { withChromium };
