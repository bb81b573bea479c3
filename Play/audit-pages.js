// Audits the accessibility of pages with axe-core, in both color schemes, narrow and wide, and fails if it finds anything.
//
//     pip download --no-deps axe-playwright-python && unzip -j axe_playwright_python-*.whl '*/axe.min.js'
//     node Play/audit-pages.js chromium axe.min.js ADDRESS…
'use strict';

const fs = require('node:fs');
const { withChromium } = require('./chromium.js');

const [program, axe, ...addresses] = process.argv.slice(2);

withChromium(program, async (browser) => {
  const page = await browser.freshPage();
  // The pages allow no script but their own.
  await page.send('Page.setBypassCSP', { enabled: true });
  const found = [];
  for (const address of addresses) {
    for (const scheme of ['light', 'dark']) {
      for (const width of [400, 1600]) {
        await page.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
        await page.send('Emulation.setDeviceMetricsOverride', { width, height: 900, deviceScaleFactor: 1, mobile: false });
        await page.send('Page.navigate', { url: 'about:blank' });
        await page.send('Page.navigate', { url: address });
        // A page is complete once nothing in it has changed for a second.
        await page.evaluate(`new Promise((resolve) => {
          let timer = setTimeout(resolve, 1000);
          new MutationObserver(() => { clearTimeout(timer); timer = setTimeout(resolve, 1000); })
            .observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
        })`);
        await page.evaluate(`${fs.readFileSync(axe, 'utf8')}; 0`);
        const violations = await page.evaluate(`axe.run().then(({ violations }) => violations.map(({ id, nodes }) =>
          id + ': ' + nodes.map((node) => node.html.slice(0, 200)).join(' and ')))`);
        found.push(...violations.map((text) => `${address}, ${scheme}, ${width} pixels: ${text}`));
      }
    }
  }
  if (found.length > 0) throw new Error(found.join('\n'));
  return `axe-core found nothing on ${addresses.length} page${addresses.length === 1 ? '' : 's'}`;
});
