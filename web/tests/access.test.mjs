// The page is for everyone: axe-core finds nothing in any main view, light and dark; half a screen
// is enough.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { example, openPage, startBrowser, startServer, tab } from "./harness.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let browser;
let server;
before(async () => {
  browser = await startBrowser();
  server = await startServer(example("shop"), "-e", "shop:crash()");
});
after(async () => {
  await browser.close();
  server.stop();
});

/** What axe-core finds, in a line each. */
async function found(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() =>
    globalThis.axe.run(document, { resultTypes: ["violations"] }),
  );
  return violations.flatMap((v) =>
    v.nodes.slice(0, 3).map((n) => `${v.id}: ${n.target.join(" ")}: ${n.failureSummary}`),
  );
}

const VIEWS = [
  "problems", "output", "trace", "races", "branches", "breakpoints", "ask", "search", "explore",
  "console", "variables", "stack", "event", "mailbox", "history",
];

for (const theme of ["light", "dark"]) {
  test(`axe-core finds nothing in any view, ${theme}`, async () => {
    const page = await openPage(browser, server.address);
    await page.getByTestId("failure").waitFor();
    await page.evaluate((t) => (document.documentElement.dataset.theme = t), theme);
    for (const view of VIEWS) {
      await tab(page, view).click();
      await page.waitForTimeout(150);
      assert.deepEqual(await found(page), [], view);
    }
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog", { name: "Find" }).waitFor();
    assert.deepEqual(await found(page), [], "palette");
    await page.context().close();
  });
}

for (const [width, height] of [[800, 900], [750, 475]]) {
  test(`diagram and source have room at ${width} by ${height}`, async () => {
    const page = await openPage(browser, server.address);
    await page.setViewportSize({ width, height });
    await page.waitForTimeout(300);
    for (const pane of ['[data-testid="diagram"]', '[data-testid="source"]']) {
      const box = await page.locator(pane).boundingBox();
      assert.ok(box && box.width >= 300 && box.height >= 120, `${pane}: ${JSON.stringify(box)}`);
    }
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= width, `${wide} pixels wide`);
    // It opens at its top, and the status line comes after everything else.
    await page.reload();
    await page.getByTestId("failure").waitFor();
    await page.waitForTimeout(1000);
    assert.equal(await page.evaluate(() => window.scrollY), 0);
    const [main, status] = await page.evaluate(() =>
      ["main", ".status"].map((at) => document.querySelector(at).getBoundingClientRect().toJSON()),
    );
    assert.ok(status.top >= main.bottom - 1, `status at ${status.top}, panes to ${main.bottom}`);
    await page.context().close();
  });
}
