// Uses the page as a person would, in Chromium without a window, and writes what came of it as JSON.
// Usage: node Play/drive-page.js CHROMIUM PAGE [PICTURES]
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { withChromium } = require('./chromium.js');

const [program, page, pictures] = process.argv.slice(2);
let send, evaluate;

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

async function drive(browser) {
  ({ send, evaluate } = await browser.firstPage());
  const report = {};

  await open();
  report.engineBytes = await evaluate(`atob(find('engine').textContent).length`);
  report.pageBytes = fs.statSync(page).size;
  report.firstVerdict = await evaluate('Number(document.documentElement.dataset.firstVerdict)');
  report.verdict = await verdict();
  report.cells = (await texts('#threats td')).length;
  report.steps = await texts('.steps li');
  report.reasons = await texts('.steps small');
  report.refusals = await evaluate(`[...document.querySelectorAll('#flags input:disabled')].map((box) => [box.value, find('why-' + box.value).textContent])`);
  await picture('wide', 1400, 1750);

  // A choice changes the answers and the link, and the link brings the choice back.
  await evaluate(`document.querySelector('#flags [value=biometryAny]').click()`);
  await evaluate(`document.querySelector('#flags [value=biometryCurrentSet]').click()`);
  await shown();
  report.chosen = { verdict: await verdict(), steps: await texts('.steps li'), link: (await texts('#link'))[0], swift: (await texts('#swift'))[0] };
  await picture('proof', 1400, 1900);
  await open(new URL(report.chosen.link).hash);
  report.reopened = { verdict: await verdict(), policy: (await texts('#policy'))[0] };

  // The attack as a story: one picture for each moment, forward and back.
  await open();
  const told = async () => (await texts('#story-words'))[0];
  report.story = { first: await told() };
  await evaluate(`document.getElementById('story-forward').focus()`);
  await press('Enter', '\r');
  await press('Enter', '\r');
  report.story.second = await told();
  report.story.device = await evaluate(`document.querySelector('#story-phone [role=img]').getAttribute('aria-label')`);
  report.story.current = await evaluate(`[...document.querySelectorAll('#story .steps li')].findIndex((one) => one.hasAttribute('aria-current'))`);
  await evaluate(`document.getElementById('story-back').click()`);
  report.story.back = await told();
  await evaluate(`document.getElementById('story-run').click()`);
  await evaluate(`new Promise((resolve) => { const look = () => story.timer === 0 ? resolve() : setTimeout(look, 50); look(); })`);
  report.story.end = await told();
  await send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-reduced-motion', value: 'reduce' }] });
  report.story.runsCalmly = await evaluate(`new Promise((resolve) => { const look = () => find('story-run').hidden ? resolve(false) : setTimeout(look, 20); look(); })`);
  await send('Emulation.setEmulatedMedia', { features: [] });

  // The device by hand: each button is a step that the engine decides. The address brings the steps back.
  const use = async (label) => {
    await evaluate(`[...document.querySelectorAll('#play button')].find((one) => one.textContent === ${JSON.stringify(label)}).click()`);
    return (await texts('#played-said'))[0];
  };
  report.play = { said: [], trace: [] };
  for (const label of ['Lock', "Show the attacker's finger", 'Type 1234']) report.play.said.push(await use(label));
  await evaluate(`find('holder').value = 'passcode-thief'`);
  for (const label of ['Hand over', "Enroll the attacker's finger", 'Read the secret', "Show the attacker's finger"]) report.play.said.push(await use(label));
  report.play.trace = await texts('#rules code');
  report.play.history = (await texts('#history li')).length;
  await picture('play', 1600, 3200);
  await evaluate(`find('time').value = '1', find('time').dispatchEvent(new Event('input'))`);
  report.play.past = await evaluate(`document.querySelector('#play-phone [role=img]').getAttribute('aria-label')`);
  await evaluate(`find('time').value = '99', find('time').dispatchEvent(new Event('input'))`);
  await use('Undo');
  report.play.undone = (await texts('#prompt-title'))[0];
  report.play.link = (await texts('#link'))[0];
  await open(new URL(report.play.link).hash);
  report.play.reopened = (await texts('#prompt-title'))[0];

  // Two policies side by side. The address brings the kept one back.
  await open('#require=biometryAny');
  await evaluate(`find('keep').click()`);
  await shown();
  report.compare = { same: (await texts('#differ'))[0] };
  await evaluate(`document.querySelector('#flags [value=biometryAny]').click()`);
  await evaluate(`document.querySelector('#flags [value=biometryCurrentSet]').click()`);
  await shown();
  const compared = async () => ({ differ: (await texts('#differ'))[0], sentences: await texts('#differences li'), chosen: (await texts('#chosen-policy'))[0],
    kept: (await texts('#kept-policy'))[0], marked: (await texts('#both td.differs')).length, cells: (await texts('#both td')).length });
  report.compare.first = await compared();
  await picture('compare', 1600, 3600);
  const link = (await texts('#link'))[0];
  report.compare.link = new URL(link).hash;
  await evaluate(`find('swap').focus()`);
  await press('Enter', '\r');
  await shown();
  report.compare.swapped = await compared();
  await open(report.compare.link);
  report.compare.reopened = await compared();
  await evaluate(`find('forget').click()`);
  await shown();
  report.compare.isHidden = await evaluate(`find('compared').hidden`);

  // Goals, and the policies that satisfy them.
  const suggested = async () => {
    await evaluate(`find('suggest').click()`);
    await evaluate(`new Promise((resolve) => { const look = () => /^Searching/.test(find('suggest-says').textContent) ? setTimeout(look, 20) : resolve(); look(); })`);
    return { says: (await texts('#suggest-says'))[0], counts: await texts('.counts li'), policies: await texts('.candidate .policy'), command: (await texts('#suggest-command'))[0] };
  };
  await open('#');
  report.suggest = { usual: await suggested() };
  await picture('suggest', 1600, 4200);
  await evaluate(`document.querySelector('.candidate button').click()`);
  await shown();
  report.suggest.chosen = (await texts('#policy'))[0];
  await evaluate(`find('add-goal').focus()`);
  await press('Enter', '\r');
  report.suggest.focus = await evaluate('document.activeElement.getAttribute("aria-label")');
  await evaluate(`(() => { const kind = document.querySelector('#goals li:last-child select'); kind.value = 'eventually-can'; kind.dispatchEvent(new Event('change', { bubbles: true })); })()`);
  report.suggest.stale = (await texts('.candidate')).length;
  await evaluate(`document.querySelector('#goals li button').click()`);
  report.suggest.link = new URL((await texts('#link'))[0]).hash;
  // A long search runs beside the page: the page stays quick, tells how far it is, and can stop it.
  await open('#goals=never+read+against+coerced-finger%3Bnever+destroy+against+snatcher%3Beventually-can+read+by+owner');
  report.suggest.aside = await evaluate(`new Promise((resolve) => {
    const counts = [];
    let longest = 0, last = performance.now(), isOver = false;
    new MutationObserver(() => counts.push(find('searched').textContent)).observe(find('searched'), { childList: true });
    const beat = () => { const now = performance.now(); longest = Math.max(longest, now - last); last = now; if (!isOver) setTimeout(beat); };
    beat();
    const began = performance.now();
    find('suggest').click();
    const look = () => {
      if (/^Searching/.test(find('suggest-says').textContent)) return setTimeout(look, 10);
      isOver = true;
      resolve({ longest, took: performance.now() - began, counts: counts.filter((text) => text !== ''), says: find('suggest-says').textContent });
    };
    look();
  })`);
  report.suggest.stopped = await evaluate(`new Promise((resolve) => {
    find('suggest').click();
    const watch = new MutationObserver(() => {
      watch.disconnect();
      find('stop').focus();
      find('stop').click();
      const said = [find('suggest-says').textContent, document.activeElement.id, String(find('stop').hidden)];
      // What the worker may still have sent comes before this.
      setTimeout(() => resolve([...said, find('suggest-says').textContent, String(document.querySelectorAll('.candidate').length)]), 300);
    });
    watch.observe(find('searched'), { childList: true, characterData: true, subtree: true });
  })`);
  await open('#goals=eventually-can+read+by+borrower%3Bnever+read+against+borrower%3Balways-can%3Bnever+read+against+toString');
  report.suggest.clash = await suggested();

  // A link can hold flags that Apple refuses together. Keys alone: the space bar turns the first one off. In the table, Enter shows the
  // attack of a cell.
  await open('#require=userPresence+biometryAny');
  await evaluate(`document.querySelector('#flags input').focus()`);
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
  for (; stops < 250; stops++) {
    await press('Tab');
    const stop = await evaluate(`(() => { const one = document.activeElement; return one === document.body ? '' :
      [one.tagName, one.id, one.name, one.value, one.dataset.copy, one.getAttribute('aria-label'), one.textContent.slice(0, 80)].join(); })()`);
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

  // The report to print has one page, begins with the bottom line, and has no control but the words of the table.
  await send('Emulation.setEmulatedMedia', { media: 'print' });
  await evaluate(`window.dispatchEvent(new Event('beforeprint'))`);
  report.printed = await evaluate(`(() => {
    const isShown = (one) => one.getClientRects().length > 0;
    const cards = [...document.querySelectorAll('.card')].filter(isShown).sort((one, other) => one.getBoundingClientRect().top - other.getBoundingClientRect().top);
    return { titles: cards.map((one) => one.querySelector('h2').textContent), facts: [...find('report-facts').children].map((one) => one.textContent),
      controls: [...document.querySelectorAll('select, input, textarea, button')].filter((one) => isShown(one) && !one.closest('#threats')).length };
  })()`);
  const paper = Buffer.from((await send('Page.printToPDF', { preferCSSPageSize: true })).data, 'base64').toString('latin1');
  report.printed.pages = (paper.match(/\/Type\s*\/Page\b/g) ?? []).length;
  if (pictures) fs.writeFileSync(path.join(pictures, 'report.pdf'), Buffer.from(paper, 'latin1'));
  await evaluate(`window.dispatchEvent(new Event('afterprint'))`);
  await send('Emulation.setEmulatedMedia', { media: '' });

  // A private key is used, and each device and width has room.
  await open('#kind=key&require=biometryAny+privateKeyUsage&device=iPhoneWithFaceID');
  report.key = { verdict: await verdict(), policy: (await texts('#policy'))[0], aims: await texts('#threats thead th') };
  report.overflow = [];
  await evaluate(`find('keep').click()`);
  await suggested();
  report.cut = [];
  for (const width of [320, 400, 800, 1600]) {
    await send('Emulation.setDeviceMetricsOverride', { width, height: 900, deviceScaleFactor: 1, mobile: false });
    if (await evaluate('document.documentElement.scrollWidth > innerWidth')) report.overflow.push(width);
    if (await evaluate(`[...document.querySelectorAll('.code pre')].some((one) => one.scrollWidth > one.clientWidth)`)) report.cut.push(width);
    if (width === 400) report.isFirst = await evaluate(`find('verdict').getBoundingClientRect().top < find('form').getBoundingClientRect().top`);
  }
  await picture('narrow', 400, 2600);
  await picture('narrow-dark', 400, 2600, 'dark');

  await send('Emulation.clearDeviceMetricsOverride');

  // A hostile link runs nothing and changes nothing that is not a known word.
  await open(`#require=${encodeURIComponent('<img src=x onerror="window.hit=1">')}&against=${encodeURIComponent('"><script>window.hit=1</script>')}`
    + `&accessible=__proto__&device=constructor&aim=toString&lockGrace=${encodeURIComponent('1e999d')}&__proto__=1`);
  report.hostile = { hit: await evaluate('window.hit === undefined'), policy: (await texts('#policy'))[0], images: await evaluate('document.images.length') };
  // Steps in a link are words for the engine. Names in them are text on the page, whatever they say.
  const markup = '<img src=x onerror="window.hit=1">';
  const hostile = ['"', '[', '{}', '7', 'null', '"lock"', '[7]', '[null]', '[[]]', '["__proto__"]', '[{"__proto__":null}]', '[{"constructor":"item"}]',
    '[{"toString":null,"lock":null}]', '[{"lock":{"by":"owner"}}]', '[{"enroll":["a",{}]}]', '[{"wait":"1e99d"}]', '[{"wait":"-1s"}]',
    '[{"read":"item","answers":{}}]', '[{"read":"item","answers":[[]]}]', `["${markup}"]`, '['.repeat(3000), `[${'"lock",'.repeat(900)}"lock"]`,
    ...['enroll', 'remove', 'setPasscode', 'hold', 'companion', 'by', 'read', 'unlock', 'wait', 'backup'].flatMap((word) => [
      JSON.stringify([{ [word]: markup }]), JSON.stringify([{ [word]: { finger: markup } }]), JSON.stringify([{ [word]: [markup, markup] }]),
      JSON.stringify([{ lock: null, [word]: markup }])]),
    JSON.stringify([{ unlock: { finger: markup } }, { enroll: markup }, { setPasscode: markup }, { read: 'item', answers: [{ finger: markup }], context: markup }])];
  let known = 0x2545f491;
  const chance = (count) => { known ^= known << 13; known ^= known >>> 17; known ^= known << 5; return (known >>> 0) % count; };
  const pieces = ['[', ']', '{', '}', '"', ',', ':', 'lock', 'item', 'read', 'by', 'owner', markup, '\\u0000', '\\', 'null', 'answers', 'finger', '1', ' '];
  for (let count = 0; count < 60; count++) hostile.push(Array.from({ length: 1 + chance(14) }, () => pieces[chance(pieces.length)]).join(''));
  report.hostile.links = 0;
  report.hostile.shown = [];
  for (const text of hostile) {
    await evaluate(`location.hash = ${JSON.stringify(`#accessible=whenUnlocked&steps=${encodeURIComponent(text)}`)}, show()`);
    await shown();
    report.hostile.links += 1;
    if (!(await evaluate(`window.hit === undefined && document.images.length === 0 && document.scripts.length === 3 && played.moments.length === played.steps.length + 1`))) {
      report.hostile.shown.push(text);
    }
  }
  // The other parts of the address take known words alone.
  for (const text of [...hostile.filter((_, place) => place % 4 === 0), 'whenUnlocked', `whenUnlocked ${markup}`, '__proto__ constructor', `never read against ${markup}`, 'never __proto__ against owner',
    'never read against owner;'.repeat(500), 'at-most-prompts', 'gone-after-enrollment-change', ' ; ;; ']) {
    await evaluate(`location.hash = ${JSON.stringify(`#kept=${encodeURIComponent(text)}&goals=${encodeURIComponent(text)}&require=${encodeURIComponent(text)}`)}, show()`);
    await shown();
    report.hostile.links += 1;
    if (!(await evaluate(`window.hit === undefined && document.images.length === 0 && document.scripts.length === 3 && goals.length <= 8
      && goals.every((goal) => goalKinds.includes(goal.kind) && words.profiles.some((one) => one.name === goal.profile))
      && (kept.accessible === null || kept.accessible === 'whenUnlocked') && kept.require === ''`))) {
      report.hostile.shown.push(text);
    }
  }
  report.hostile.names = (await evaluate(`(location.hash = ${JSON.stringify(`#accessible=whenUnlocked&steps=${encodeURIComponent(hostile[hostile.length - 61])}`)}, readAddress(), show())`), await shown(), await texts('#history li')).length;
  report.blocked = await evaluate(`fetch('https://example.com/').then(() => false, () => true)`);

  // Scripts ask the same engine.
  report.proof = await evaluate(`latchkey.prove({ accessible: 'whenPasscodeSetThisDeviceOnly', require: 'biometryCurrentSet', never: 'read', against: 'passcode-thief' })`);
  report.mistake = await evaluate(`latchkey.prove({ never: 'read', against: 'passcode-thieff' }).then(() => '', (error) => error instanceof Error ? error.message : '')`);

  report.requests = [...new Set(browser.events.filter((one) => one.method === 'Network.requestWillBeSent').map((one) => one.params.request.url.split('#')[0]))]
    // The worker's text is in the page.
    .filter((url) => url !== address && url !== 'about:blank' && !url.startsWith('blob:'));
  report.errors = browser.events.filter((one) => one.method === 'Runtime.exceptionThrown').map((one) => one.params.exceptionDetails.exception?.description);
  return report;
}

withChromium(program, async (browser) => JSON.stringify(await drive(browser), null, 1));
