// Large executions, programs that fail or never end, hostile strings, two tabs.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { choose, example, openPage, pressInDiagram, program, rare, run, startBrowser, startServer, tab, type } from "./harness.mjs";

let browser;
before(async () => void (browser = await startBrowser()));
after(() => browser.close());

async function withServer(args, walk) {
  const server = await startServer("--at-start", ...args);
  try {
    await walk(server.address);
  } finally {
    server.stop();
  }
}

test("a hundred thousand events of two thousand processes can be walked", () =>
  withServer([program("crowd.erl"), "-e", "crowd:main(2000, 17)"], async (address) => {
    const page = await openPage(browser, address);
    await run(page);
    const events = Number(/\/ ([\d,]+) events/.exec(await page.locator(".status").innerText())[1].replaceAll(",", ""));
    assert.ok(events >= 100_000, `${events} events`);
    await page.locator('[data-pane="processes"] .badge', { hasText: "2,002" }).waitFor();
    // Only what can be seen is in the document.
    assert.ok((await page.locator(".proc").count()) < 100);
    // A density far away, events near by.
    const canvas = page.locator("canvas");
    await canvas.focus();
    for (let n = 0; n < 16; n++) await pressInDiagram(page, "+");
    await choose(page, "<0.84.0>");
    await canvas.focus();
    await page.keyboard.press("ArrowRight");
    await page.getByTestId("selected-counts").waitFor();
    await tab(page, "event").click();
    await page.getByTestId("event").getByText("Undo to before this").click();
    await page.waitForFunction(() => !document.querySelector(".status").innerText.includes("/ 0 events"));
    await page.getByLabel("Replay all that is known").click();
    // Search, and a process far down the list.
    await page.getByLabel("Search processes").fill("<0.1500.0>");
    await page.locator(".proc", { hasText: "<0.1500.0>" }).click();
    await page.locator(".about", { hasText: "<0.1500.0>" }).waitFor();
    await pressInDiagram(page, "/");
    await page.locator("#search-events").fill("total");
    await page.locator("#search-events").press("Enter");
    await page.getByTestId("search").locator(".event").first().waitFor();
    assert.deepEqual(page.problems, []);
    await page.context().close();
  }));

test("a crash is shown where it happened", () =>
  withServer([program("fails.erl")], async (address) => {
    const page = await openPage(browser, address);
    await run(page);
    await page.getByTestId("outcome").filter({ hasText: "crashed" }).waitFor();
    const problems = page.getByTestId("problems");
    // They are asked for once the outcome is there.
    await problems.locator(".problem-crashed").nth(1).waitFor();
    assert.equal(await problems.locator(".problem-crashed").count(), 2);
    await problems.getByText("bad arithmetic").first().waitFor();
    await problems.locator(".problem-crashed .kind").nth(1).click();
    await tab(page, "output").click();
    await page.getByTestId("output").getByText("down:").waitFor();
    // A run stops at an event with a message that matches.
    await tab(page, "breakpoints").click();
    await page.getByLabel("New breakpoint").fill("receive '{_, _, process, _, _}'");
    await page.getByLabel("New breakpoint").press("Enter");
    await page.getByTestId("breakpoints").getByText("receive '{_").waitFor();
    await type(page, "undo all");
    await page.keyboard.press("F5");
    await page.getByTestId("note").filter({ hasText: "breakpoint 1" }).waitFor();
    await type(page, "delete");
    await page.keyboard.press("F5");
    // Back before the crash: the process lives.
    await type(page, "undo exit <0.84.0>");
    await choose(page, "<0.84.0>");
    await page.locator(".proc.chosen .state-running, .proc.chosen .state-waiting").waitFor();
    assert.deepEqual(page.problems, []);
    await page.context().close();
  }));

test("what a program says is only ever text", () =>
  withServer([program("hostile.erl")], async (address) => {
    const page = await openPage(browser, address);
    await run(page);
    for (const name of ["output", "trace", "problems", "races", "search", "console", "ask"]) {
      await rare(page, "bottom", name);
      await page.locator(`[data-body="${name}"]`).waitFor();
    }
    await type(page, "events");
    for (const name of ["variables", "stack", "event", "mailbox", "history"]) {
      await tab(page, name).click();
      await page.locator(`[data-body="${name}"]`).waitFor();
    }
    await rare(page, "messages", "log");
    await tab(page, "trace").click();
    const large = page.locator('[data-body="trace"] .event', { hasText: "{large,[-5,-4" });
    await large.first().click();
    await tab(page, "event").click();
    await page.getByTestId("event").getByRole("button", { name: "unfold" }).click();
    await page.locator(".parts li").nth(2).waitFor();
    await tab(page, "output").click();
    await page.getByTestId("output").getByText("<script>").waitFor();
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.equal(await page.locator("main img, main script, main b[onmouseover]").count(), 0);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  }));

test("a run that never ends shows progress, leaves the page alive and can be cancelled", () =>
  withServer([program("endless.erl")], async (address) => {
    const page = await openPage(browser, address);
    await page.keyboard.press("F5");
    await page.locator(".busy").waitFor();
    // Looking goes on meanwhile.
    await tab(page, "trace").click();
    await page.locator('[data-body="trace"] .event').first().waitFor();
    await page.locator(".busy").getByRole("button", { name: "Cancel" }).click();
    await page.locator(".busy").waitFor({ state: "detached" });
    await page.getByTestId("outcome").filter({ hasText: "more to run" }).waitFor();
    assert.deepEqual(page.problems, []);
    await page.context().close();
  }));

test("two tabs show one session; another session is independent", () =>
  withServer([example("proxy/proxy.erl")], async (address) => {
    const one = await openPage(browser, address);
    const two = await openPage(browser, address);
    await run(one);
    await two.getByTestId("outcome").filter({ hasText: /finished|waits/ }).waitFor();
    await one.getByRole("button", { name: "File" }).click();
    const [three] = await Promise.all([
      one.context().waitForEvent("page"),
      one.getByText("New session of this program").click(),
    ]);
    await three.getByText("0 / 0 events").waitFor();
    await type(two, "undo all");
    await one.bringToFront();
    await one.getByText(/^0 \/ \d+ events/).waitFor();
    // Layout is remembered, looks can be changed.
    await one.getByRole("button", { name: "Looks" }).click();
    await one.getByLabel("theme").selectOption("dark");
    await one.reload();
    await one.getByTestId("outcome").waitFor();
    assert.equal(await one.evaluate(() => document.documentElement.dataset.theme), "dark");
    assert.deepEqual([one.problems, two.problems], [[], []]);
    await one.context().close();
    await two.context().close();
  }));

test("a fresh execution leaves nothing of the old one behind", () =>
  withServer([example("proxy/proxy.erl")], async (address) => {
    const page = await openPage(browser, address);
    await run(page);
    await type(page, "undo all");
    await page.getByRole("button", { name: "Automatic" }).click();
    await page.getByRole("button", { name: "Begin a fresh execution" }).click();
    await page.getByText("0 / 0 events").waitFor();
    assert.ok(await page.getByLabel("Take back my last move").isDisabled());
    await run(page);
    await page.getByText("10 / 10 events").waitFor();
    assert.deepEqual(page.problems, []);
    await page.context().close();
  }));
