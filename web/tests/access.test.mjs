// The page is for everyone: axe-core finds nothing in any main view, light and dark; half a screen
// is enough.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { example, openPage, rare, startBrowser, startServer, tab } from "./harness.mjs";

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
  "problems", "output", "trace", "races", "branches", "breakpoints", "console", "variables", "stack", "event", "mailbox", "history",
];
/** Panes behind *More*, with their docks. */
const RARE = [
  ["bottom", "rolllog"], ["bottom", "notation"], ["bottom", "notes"], ["bottom", "ask"], ["bottom", "search"],
  ["bottom", "explore"], ["messages", "manual"], ["messages", "log"],
];

for (const theme of ["light", "dark"]) {
  test(`axe-core finds nothing in any view, ${theme}`, async () => {
    const page = await openPage(browser, server.address);
    await page.getByTestId("failure").waitFor();
    await page.evaluate((t) => (document.documentElement.dataset.theme = t), theme);
    const check = async (view) => {
      await page.waitForTimeout(150);
      assert.deepEqual(await found(page), [], view);
    };
    for (const view of VIEWS) {
      await tab(page, view).click();
      await check(view);
    }
    for (const [dock, view] of RARE) {
      await rare(page, dock, view);
      await check(view);
    }
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog", { name: "Find" }).waitFor();
    await page.getByLabel("Find processes, events and commands").fill("take");
    await check("palette");
    await page.keyboard.press("Escape");
    for (const menu of ["Go to", "Automatic", "File", "Looks", "Legend"]) {
      await page.getByRole("button", { name: menu }).first().click();
      await check(menu);
      await page.keyboard.press("Escape");
    }
    await page.getByTitle("Keys and marks (?)").click();
    await page.getByRole("dialog", { name: "Help" }).waitFor();
    await check("help");
    await page.keyboard.press("Escape");
    // The questions, from the first to what is inside of what they are about.
    await page.getByTestId("failure").getByRole("button", { name: "Find the wrong line…" }).click();
    await page.getByTestId("sentence").waitFor();
    await check("question");
    await page.getByRole("button", { name: "It is wrong" }).click();
    await page.getByText("look inside").click();
    await check("what is wrong");
    await page.getByTestId("ask").getByRole("button", { name: "End" }).click();
    await page.context().close();
  });

  test(`axe-core finds nothing in what became different, ${theme}`, async () => {
    const proxy = await startServer(example("proxy/proxy.erl"));
    try {
      const page = await openPage(browser, proxy.address);
      await page.evaluate((t) => (document.documentElement.dataset.theme = t), theme);
      await tab(page, "races").click();
      await page.getByLabel("by sender").click();
      await page.getByTestId("senders").waitFor();
      assert.deepEqual(await found(page), [], "races by sender");
      await page.getByTestId("senders").getByRole("button", { name: /^Take/ }).first().click();
      await page.getByTestId("difference").waitFor();
      assert.deepEqual(await found(page), [], "difference");
      await page.getByRole("button", { name: "Both as one picture" }).click();
      await page.getByTestId("picture").locator("svg").waitFor();
      await tab(page, "branches").click();
      await page.getByTestId("branches").getByRole("button", { name: "Compare" }).click();
      await page.getByTestId("compare").waitFor();
      assert.deepEqual(await found(page), [], "picture");
      await page.context().close();
    } finally {
      proxy.stop();
    }
  });
}

// Half a screen; and a screen of 1500 by 950 at 200%.
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
