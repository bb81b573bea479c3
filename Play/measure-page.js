// Opens a page in windows of several widths, and writes as JSON where it is too wide and which of its tables scroll.
// Usage: node Play/measure-page.js CHROMIUM PAGE
'use strict';

const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { withChromium } = require('./chromium.js');

const [program, file] = process.argv.slice(2);

withChromium(program, async (browser) => {
  const page = await browser.firstPage();
  const address = pathToFileURL(path.resolve(file)).href;
  await page.send('Page.navigate', { url: address });
  while (!(await page.evaluate(`location.href === ${JSON.stringify(address)} && document.readyState === 'complete'`))) {
    await new Promise((resolve) => { setTimeout(resolve, 20); });
  }
  const report = [];
  for (const width of [320, 400, 800, 1600]) {
    await page.send('Emulation.setDeviceMetricsOverride', { width, height: 900, deviceScaleFactor: 1, mobile: false });
    report.push(await page.evaluate(`(() => {
      const isShown = (one) => one.getClientRects().length > 0;
      const regions = [...document.querySelectorAll('.scroll')].filter(isShown);
      const wide = regions.filter((one) => one.scrollWidth > one.clientWidth);
      return {
        width: ${width}, isTooWide: document.documentElement.scrollWidth > innerWidth, tables: regions.length, scrolling: wide.length,
        unsigned: wide.filter((one) => !isShown(one.previousElementSibling)).length,
        unreachable: wide.filter((one) => { one.focus(); return document.activeElement !== one; }).length,
        cut: [...document.querySelectorAll('caption span')].filter((one) => isShown(one) && one.getBoundingClientRect().right > innerWidth).length,
      };
    })()`));
  }
  return JSON.stringify(report);
});
