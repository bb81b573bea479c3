// Draws pages in Chromium without a window, in both color schemes, as small pictures.
// Usage: node Scripts/draw-pages.js CHROMIUM ADDRESS-OF-A-LIVE-PAGE FOLDER
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { withChromium } = require('../Play/chromium.js');

const [program, live, folder] = process.argv.slice(2);
const playground = `${pathToFileURL(path.resolve('.build/play/index.html')).href}#require=biometryAny`;
// Each picture: its page, the size of the window, the element at its top, whether it shows the whole width or the card of that element,
// and what is true once the page is complete.
const pictures = [
  ['playground', playground, 1200, 1010, '#question-title', true, `document.documentElement.dataset.shown === String(turn)`],
  ['playground-device', `${playground}&steps=${encodeURIComponent(JSON.stringify([
    { enroll: "the attacker's finger" }, 'lock', { hold: 'passcode-thief' }, { unlock: { finger: "the attacker's finger" } },
    { read: 'item', answers: [{ finger: "the attacker's finger" }] }]))}`, 1200, 900, '#play-title', false,
  `document.documentElement.dataset.shown === String(turn)`],
  ['live', live, 1200, 900, 'header', true, `document.querySelectorAll('#steps > li').length === 5`],
];

withChromium(program, async (browser) => {
  const page = await browser.freshPage();
  for (const [name, address, width, height, top, isWhole, isComplete] of pictures) {
    await page.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
    await page.send('Page.navigate', { url: 'about:blank' });
    await page.send('Page.navigate', { url: address });
    while (!(await page.evaluate(`typeof document === 'object' && location.href !== 'about:blank' && (() => { try { return ${isComplete}; } catch { return false; } })()`))) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await page.evaluate(`{
      const top = document.querySelector('${top}');
      scrollTo(0, (top.closest('.card') ?? top).getBoundingClientRect().top + scrollY - 16);
      document.documentElement.style.overflow = 'hidden';
    }`);
    for (const scheme of ['light', 'dark']) {
      await page.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }, { name: 'prefers-reduced-motion', value: 'reduce' }] });
      await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
      const clip = await page.evaluate(`{
        const top = document.querySelector('${top}');
        const { x, y, width } = (top.closest('.card') ?? document.body).getBoundingClientRect();
        const isWhole = ${isWhole};
        ({ x: isWhole ? 0 : x - 8, y: scrollY + (isWhole ? 0 : y - 8), width: isWhole ? innerWidth : width + 16, height: innerHeight, scale: 1 });
      }`);
      const { data } = await page.send('Page.captureScreenshot', { format: 'webp', quality: 70, clip });
      const file = path.join(folder, `${name}${scheme === 'dark' ? '-dark' : ''}.webp`);
      fs.writeFileSync(file, Buffer.from(data, 'base64'));
    }
  }
  return `wrote ${pictures.length * 2} pictures into ${folder}`;
});
