// docs/ui.md as a new user reads it: every command line in it is typed, every step of its walk is
// taken, and whatever it calls a pane or a button is there under that name.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { note, openPage, root, startBrowser, startServer, tab } from "./harness.mjs";

const text = readFileSync(join(root, "docs/ui.md"), "utf8");
/** A section of the document, by its heading. */
const section = (title) => {
  const from = text.indexOf(`## ${title}\n`);
  assert.ok(from >= 0, `there is a section '${title}'`);
  const to = text.indexOf("\n## ", from + 3);
  return text.slice(from, to < 0 ? undefined : to);
};
/** What the document has at a place that it must have. */
const said = (part, pattern) => {
  const found = pattern.exec(part);
  assert.ok(found, `the document says ${pattern}`);
  return found;
};
/** A command line of the document, as words. */
const words = (line) => [...line.matchAll(/'([^']*)'|(\S+)/g)].map((m) => m[1] ?? m[2]);

let browser;
before(async () => void (browser = await startBrowser()));
after(() => browser.close());

async function opened(line, walk) {
  const [reverl, ui, ...args] = words(line);
  assert.deepEqual([reverl, ui], ["reverl", "ui"]);
  const server = await startServer(...args);
  try {
    const page = await openPage(browser, server.address);
    await walk(page);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  } finally {
    server.stop();
  }
}

test("the failure is told in the document's words, and its buttons are there", async () => {
  const part = section("Open on the failure");
  const line = said(part, /^    (reverl ui .*)$/m)[1];
  const card = part.split("\n").filter((l) => l.startsWith("> "));
  await opened(line, async (page) => {
    const failure = page.getByTestId("failure");
    await failure.waitFor();
    const shown = (await failure.innerText()).replace(/\s+/g, " ");
    // Words between dots are left out in the document.
    const quoted = card.map((l) => l.slice(2).replace(/[*\\]/g, "").trim());
    for (const piece of quoted.flatMap((l) => l.split(/ \.\.\. | (?=shop\S*\.erl:\d+$)|, (?=ended)| of (?=customer)/))) {
      const wanted = piece.replace(/^✖ /, "").trim().replace(/^← /, "");
      assert.ok(shown.includes(wanted), `'${wanted}' in: ${shown}`);
    }
    for (const [, name] of part.replace(/\*\*.*?\*\*/g, "").matchAll(/\*([^*]+)\*/g)) {
      const label = name.replace(/\s+/g, " ");
      await failure.getByRole("button", { name: label }).first().waitFor();
    }
  });
});

test("the other failures of the shop open on what the document says of them", async () => {
  const part = section("Open on the failure");
  const line = said(part, /^    (reverl ui .*)$/m)[1];
  const others = [
    [said(part, /`(shop:deadlock\(\))` tells who waits for whom/)[1], "wait for each other"],
    [said(part, /`(shop:lost\(\))` which message nobody took/)[1], "never received"],
    [said(part, /`(eunit:test\(shop\))` what\na test expected and what it found/)[1], "expected"],
  ];
  for (const [call, wanted] of others) {
    await opened(line.replace(/'[^']*'/, `'${call}'`), (page) =>
      page.getByTestId("failure").getByText(wanted).first().waitFor(),
    );
  }
});

test("questions are asked as the document says", async () => {
  const part = section("Be asked");
  const line = said(section("Open on the failure"), /^    (reverl ui .*)$/m)[1];
  await opened(line, async (page) => {
    await page.getByTestId("failure").getByRole("button", { name: "Find the wrong line…" }).click();
    const ask = page.getByTestId("ask");
    await ask.getByTestId("sentence").getByText("Is it right that").waitFor();
    await ask.getByTestId("suspects").waitFor();
    for (const [, name] of part.matchAll(/\*([^*]+)\*/g)) {
      const label = name.replace(/\s+/g, " ");
      if (label === "Find the wrong line…") continue;
      await ask.getByText(label, { exact: false }).first().waitFor();
    }
    await ask.getByRole("button", { name: "It is wrong" }).click();
    await ask.getByText("What is the first thing that is wrong?").waitFor();
    await ask.getByText("look inside").click();
    await ask.getByTestId("inside").locator("li").first().waitFor();
    await ask.getByRole("button", { name: "Back to the diagram" }).click();
    await page.getByTestId("diagram").waitFor();
  });
});

test("the walk to the bug of the tutorial, step by step", async () => {
  const part = section("Find the bug of the tutorial");
  const steps = [...part.matchAll(/^\d\. ([\s\S]*?)(?=^\d\. |\n\n)/gm)].map((m) => m[1].replace(/\s+/g, " "));
  assert.equal(steps.length, 4);
  const line = said(steps[0], /`(reverl ui \S+)`/)[1];
  await opened(line, async (page) => {
    // 1. The card, and what *Problems* lists.
    said(steps[0], /The card says that `main` waits for ever/);
    await page.getByTestId("failure").getByText("main waits for ever").first().waitFor();
    const orphan = said(steps[0], /\*Problems\* lists two messages `(\w+)` that nobody received/)[1];
    await tab(page, "problems").click();
    await page.getByTestId("problems").getByText(orphan).first().waitFor();
    assert.equal(await page.getByTestId("problems").getByText(orphan).count(), 2);
    // 2. The history of the waiter.
    const [, name, pid, pane, event] = said(
      steps[1],
      /Click `(\w+)` \(`([^`]+)`\), open its \*(\w+)\*, click `([^`]+?)\.\.\.\}`/,
    );
    await page.locator(".proc", { hasText: pid }).filter({ hasText: name }).first().click();
    await page.getByRole("tab", { name: pane }).click();
    await page.locator('[data-body="history"] .event', { hasText: event }).first().click();
    said(steps[1], /its causes have a bar below, its consequences a bar above/);
    await page.getByTestId("selected-counts").getByText("causes").waitFor();
    said(steps[1], /\*Event\* says what can be done/);
    await page.getByRole("tab", { name: "Event", exact: true }).click();
    // 3. Undoing it.
    const undo = said(steps[2], /^\*([^*]+)\*/)[1];
    await page.getByTestId("event").getByRole("button", { name: undo }).click();
    await note(page).filter({ hasText: "undone" }).waitFor();
    await page.locator(".cm-here", { hasText: "receive" }).waitFor();
    const variable = said(steps[2], /\*Variables\* that it asked `(\w+)`/)[1];
    await page.getByRole("tab", { name: "Variables" }).click();
    await page.locator(".bindings tr", { hasText: variable }).first().waitFor();
    said(steps[2], /\*Messages\* what was in the mailbox/);
    await page.getByRole("tab", { name: "Messages" }).click();
    await page.locator('[data-body="mailbox"]').getByText("hungry").first().waitFor();
    // 4. My own move back, and everything again.
    const here = page.locator(".status");
    const undone = await here.innerText();
    await page.keyboard.press(said(steps[3], /`(Ctrl\+Z)`/)[1].replace("Ctrl", "Control").replace("Z", "z"));
    await page.waitForFunction((old) => document.querySelector(".status").innerText !== old, undone);
    await page.keyboard.press("Control+Shift+Z");
    await page.getByRole("button", { name: /^all/ }).click();
    await page.getByText("102 / 102 events").waitFor();
  });
});

test("every pane of the table is there, behind More where the document says so", async () => {
  const rows = section("The panes").split("\n").filter((l) => l.startsWith("| ") && !l.startsWith("| pane"));
  const named = rows.map((row) => row.split("|")[1].trim());
  await opened("reverl ui examples/proxy/proxy.erl", async (page) => {
    const shown = (await page.locator('[role="tab"]').allInnerTexts()).map((t) => t.replace(/[\d,]+$/, "").trim());
    const rare = [];
    for (const more of await page.getByRole("button", { name: "More" }).all()) {
      await more.click();
      rare.push(...(await page.locator(".popover [data-pane], [role=group] [data-pane]").allInnerTexts()));
      await page.keyboard.press("Escape");
    }
    for (const cell of named) {
      const isRare = cell.includes("(behind *More*)");
      const names = cell.replace("(behind *More*)", "").split(",").map((n) => n.trim());
      for (const name of names) {
        const found = shown.includes(name) || (isRare && rare.includes(name));
        assert.ok(found, `'${name}' among ${shown.join(", ")}; behind More: ${rare.join(", ")}`);
      }
    }
    assert.ok(named.length >= 15);
  });
});

test("two executions become one picture as the document says", async () => {
  const part = section("Two executions as one picture");
  said(part, /\*Both as one picture\*/);
  await opened("reverl ui examples/proxy/proxy.erl", async (page) => {
    await tab(page, "races").click();
    await page.getByTestId("races").getByRole("button", { name: /^Take #.* instead$/ }).first().click();
    await page.getByTestId("difference").getByRole("button", { name: "Both as one picture" }).click();
    await page.getByTestId("picture").getByText("first difference").waitFor();
    await page.getByRole("button", { name: "Back to the diagram" }).click();
    await page.getByTestId("diagram").waitFor();
  });
});
