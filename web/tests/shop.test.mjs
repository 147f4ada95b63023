// What goes wrong in an application with supervisors, fifty servers and customers: the page opens
// on it, and the cause is at most two clicks away. Clicks are counted.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFile, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { example, openPage, root, startBrowser, startServer } from "./harness.mjs";

let browser;
before(async () => void (browser = await startBrowser()));
after(() => browser.close());

/** Opens the shop where something went wrong and walks to the cause. */
async function failing(call, walk) {
  const server = await startServer(example("shop"), "-e", call);
  try {
    const page = await openPage(browser, server.address);
    await page.getByTestId("failure").waitFor();
    let clicks = 0;
    await walk(page, async (target) => {
      clicks += 1;
      await target.click();
    });
    assert.ok(clicks <= 2, `${clicks} clicks`);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  } finally {
    server.stop();
  }
}

test("a crash: who, why, where, for whom, with source and variables, without a click", () =>
  failing("shop:crash()", async (page, click) => {
    const card = page.getByTestId("failure");
    await card.getByRole("heading", { name: "shelf_13 crashed: there is no key cheese" }).waitFor();
    await card.getByText("call {take,cheese}").first().waitFor();
    await card.getByText("customer_7").first().waitFor();
    await card.getByText("shelf_13 (2)").waitFor();
    await page.locator(".cm-here", { hasText: "maps:get(Sku, Items)" }).waitFor();
    await page.locator(".bindings tr", { hasText: "Sku" }).getByText("cheese").waitFor();
    await page.getByTestId("kept-state").getByText("gen_server shop_shelf").waitFor();
    await page.getByTestId("selected-counts").waitFor();
    // Values stand behind the lines that name them, and the diagram has the lanes that matter first.
    await page.locator(".cm-values", { hasText: "Sku = cheese" }).waitFor();
    await page.locator('canvas[data-lanes^="shelf_13,customer_7"]').waitFor();
    // Who asked for cheese, and where.
    await click(card.getByTestId("why-chips").locator(".chip").last());
    await page.locator(".cm-here", { hasText: "shop_shelf:take(13, Wish)" }).waitFor();
  }));

test("a deadlock: who waits for whom, and the call that is never answered", () =>
  failing("shop:deadlock()", async (page, click) => {
    const card = page.getByTestId("failure");
    await card.getByText("shelf_13 and shelf_31 wait for each other").waitFor();
    await page.locator('canvas[data-lanes^="shelf_13,shelf_31"]').waitFor();
    await page.getByText("call {give,apple}", { exact: true }).waitFor();
    await page.locator(".cm-here", { hasText: "{give, Sku}" }).waitFor();
    await click(card.getByText("waits for the reply of shelf_13 to call {give,apple}"));
    await page.locator(".bindings tr", { hasText: "Other" }).getByText("13").waitFor();
  }));

test("a lost message: what was sent, and by whom", () =>
  failing("shop:lost()", async (page) => {
    await page.getByTestId("failure").getByText("lost never received {recept,3} of customer").waitFor();
    await page.locator(".cm-here", { hasText: "Me ! {recept, 3}" }).waitFor();
  }));

test("a failed test: what was expected, what came, and the assertion; the server that counted wrong", () =>
  failing("eunit:test(shop)", async (page, click) => {
    const card = page.getByTestId("failure");
    await card.getByText("test shop_tests:busy_day_test failed").waitFor();
    await card.locator(".test").getByText("{total,700}").waitFor();
    await card.locator(".test").getByText("{total,931}").waitFor();
    await card.locator(".test").getByText("shop:total()").waitFor();
    await page.locator(".cm-here", { hasText: "assertEqual({total, 700}" }).waitFor();
    await click(card.getByTestId("why-chips").locator(".chip", { hasText: "shop_ledger.erl:18" }).last());
    await click(page.getByRole("button", { name: "What changed it" }));
    await page.getByTestId("changes").getByText(/receives cast \{sold,\d+,milk,7\}/).first().waitFor();
  }));

test("a wrong state: every message that changed it", () =>
  failing("eunit:test(shop)", async (page, click) => {
    // The ledger is found by its name; what changed its state is one more click.
    await page.keyboard.press("Control+k");
    await page.getByLabel("Find processes, events and commands").fill("shop_ledger");
    await page.getByTestId("found").getByText("shop_ledger").first().waitFor();
    await page.keyboard.press("Enter");
    await page.getByTestId("kept-state").getByText("gen_server shop_ledger").waitFor();
    await click(page.getByRole("button", { name: "What changed it" }));
    await page.getByTestId("changes").getByText(/receives cast \{sold,\d+,milk,7\}/).first().waitFor();
  }));

test("a part of a state: what it was before the last message, and what changed it", () =>
  failing("shop:crash()", async (page, click) => {
    await page.keyboard.press("Control+k");
    await page.getByLabel("Find processes, events and commands").fill("shop_ledger");
    await page.getByTestId("found").getByText("shop_ledger").first().waitFor();
    await page.keyboard.press("Enter");
    const kept = page.getByTestId("kept-state");
    await kept.getByText("gen_server shop_ledger").waitFor();
    await click(page.getByRole("button", { name: "Back to now" }));
    await kept.locator(".was").first().waitFor();
    const parts = kept.locator(".parts > li");
    await click(parts.filter({ has: page.locator(".was") }).first().getByTitle("What changed this part?"));
    await page.getByTestId("changes").getByText(/receives cast/).first().waitFor();
  }));

test("events are found by what was sent, and libraries' own are folded", () =>
  failing("shop:crash()", async (page) => {
    await page.keyboard.press("Control+k");
    await page.getByLabel("Find processes, events and commands").fill("{take,cheese}");
    await page.getByTestId("found").getByText("sends call {take,cheese}").first().waitFor();
    await page.keyboard.press("Escape");
    await page.locator('[data-pane="history"]').click();
    await page.locator('[data-body="history"] .event', { hasText: "receives call {take,cheese}" }).waitFor();
    await page.locator('[data-body="history"]').getByText("of libraries alone").waitFor();
    await page.getByTestId("more-lanes").waitFor();
  }));

test("a failed test of a recording: what was expected, what came, and where that came from", async () => {
  const folder = await mkdtemp(join(tmpdir(), "reverl-shop-"));
  const shop = join(root, example("shop"));
  const run = (command, args) => execFileSync(command, args, { cwd: folder, stdio: "pipe" });
  for (const part of ["src", "test"]) {
    const files = (await readdir(join(shop, part))).filter((name) => name.endsWith(".erl"));
    run("erlc", ["+debug_info", "-I", join(shop, "src"), ...files.map((name) => join(shop, part, name))]);
  }
  await copyFile(join(shop, "src/shop.app.src"), join(folder, "shop.app"));
  const erl = ["erl", "-noshell", "-pa", ".", "-eval", "eunit:test(shop)", "-s", "init", "stop"];
  run(process.env.REVERL, ["record", "-o", "shop.reverl", "--", ...erl]);
  const server = await startServer(join(folder, "shop.reverl"));
  try {
    const page = await openPage(browser, server.address);
    const card = page.getByTestId("failure");
    await card.getByText("test shop_tests:busy_day_test failed").waitFor();
    await card.locator(".test").getByText("{total,931}").waitFor();
    await page.locator(".cm-here", { hasText: "assertEqual({total, 700}" }).waitFor();
    // Two clicks: the line of the server that made the value, and what changed its state before.
    // Which sale was the last on the node is chance.
    await card.getByTestId("why-chips").locator(".chip", { hasText: /shop_ledger\.erl:1[68]/ }).last().click();
    await page.locator(".cm-here", { hasText: "total := Total + " }).waitFor();
    await page.getByRole("button", { name: "What changed it" }).click();
    const doubled = page.getByTestId("changes").locator("li", { hasText: /receives cast \{sold,\d+,milk,7\}/ }).first();
    const [, before, now] = /total (\d+) → (\d+)/.exec(await doubled.innerText());
    assert.equal(Number(now) - Number(before), 14);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  } finally {
    server.stop();
    await rm(folder, { recursive: true });
  }
});
