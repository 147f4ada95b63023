// The papers' stories, walked through in the page.

import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { choose, drawn, example, note, openPage, pressInDiagram, rare, run, startBrowser, startServer, tab, type } from "./harness.mjs";

let browser;
before(async () => void (browser = await startBrowser()));
after(() => browser.close());

/** A story that begins at the start of a program. */
async function story(args, walk) {
  const server = await startServer("--at-start", ...args);
  try {
    const page = await openPage(browser, server.address);
    await walk(page, server);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  } finally {
    server.stop();
  }
}

test("the wrong receive is seen, undone, inspected and replayed", () =>
  story([example("dining/dining_order_bug.erl")], async (page) => {
    await run(page);
    const problems = page.getByTestId("problems");
    await problems.getByText("orphan").first().waitFor();
    assert.equal(await problems.locator(".problem-deadlock").count(), 1);
    await page.getByTestId("failure").getByText("main waits for ever, and 6 more").waitFor();
    await choose(page, "<0.87.0>");
    await tab(page, "history").click();
    const receive = page.locator('[data-body="history"] .event', { hasText: "receives {hungry,2" });
    await receive.first().click();
    await tab(page, "event").click();
    const event = page.getByTestId("event");
    await event.getByText("Undo to before this").waitFor();
    assert.match(await event.locator(".choices button").first().innerText(), /steps, .* events? in /);
    // Selecting is looking: nothing has moved.
    await page.getByTestId("moment").getByText("receives {hungry,2").waitFor();
    await page.getByText("102 / 102 events").waitFor();
    await event.getByText("Undo to before this").click();
    await page.locator(".cm-here", { hasText: "receive" }).waitFor();
    assert.match(await page.locator(".status").innerText(), /\d+ \/ 102 events/);
    await tab(page, "stack").click();
    await page.locator(".stack", { hasText: "ask_state/1" }).waitFor();
    await rare(page, "bottom", "rolllog");
    await page.locator('[data-body="rolllog"] .event').first().waitFor();
    await page.getByLabel("Replay all that is known").click();
    await page.getByText("102 / 102 events").waitFor();
    // My own moves: back to the undone state, and forward again.
    await page.keyboard.press("Control+z");
    await page.getByText("102 / 102 events").waitFor({ state: "detached" });
    await page.keyboard.press("Control+Shift+Z");
    await page.getByText("102 / 102 events").waitFor();
  }));

test("stepping goes both ways and shows lines, variables and calls", () =>
  story([example("dining/dining_order_bug.erl")], async (page) => {
    await page.locator(".cm-here", { hasText: "self()" }).waitFor();
    await page.keyboard.press("F11");
    await page.locator(".cm-here", { hasText: "Forks =" }).waitFor();
    await page.locator(".bindings", { hasText: "Me" }).waitFor();
    await page.keyboard.press("F10");
    await page.locator(".cm-here", { hasText: "Waiter = spawn" }).waitFor();
    await page.keyboard.press("Shift+F10");
    await page.locator(".cm-here", { hasText: "Forks =" }).waitFor();
    // A breakpoint by click, and a run that stops there.
    await page.locator(".cm-lineNumbers .cm-gutterElement", { hasText: /^12$/ }).waitFor();
    const line = page.locator(".cm-lineNumbers .cm-gutterElement", { hasText: /^12$/ });
    const box = await line.boundingBox();
    const gutter = await page.locator(".cm-breaks").boundingBox();
    await page.mouse.click(gutter.x + 6, box.y + box.height / 2);
    await page.locator(".mark-break:visible").nth(0).waitFor();
    await page.keyboard.press("F5");
    await note(page).filter({ hasText: "breakpoint 1" }).waitFor();
    await page.locator(".cm-here", { hasText: "Waiter = spawn" }).waitFor();
    // The value of a variable under the pointer.
    await page.locator(".cm-line", { hasText: "Me = self()" }).locator(".tok-variable", { hasText: "Me" }).hover();
    await page.locator(".cm-value", { hasText: "Me = <0.83.0>" }).waitFor();
  }));

test("steps by lines stay in one's own code, or end in OTP's too, as it was chosen", () =>
  story([example("shop"), "-e", "shop:crash()"], async (page) => {
    const choose = async (scope) => {
      await page.getByRole("button", { name: "Automatic" }).click();
      await page.getByLabel("steps by lines").selectOption(scope);
      await note(page).filter({ hasText: "ok" }).waitFor();
      await page.keyboard.press("Escape");
    };
    await page.keyboard.press("F11");
    await page.locator(".cm-here", { hasText: "application:ensure_all_started(shop)" }).waitFor();
    await choose("all");
    await page.keyboard.press("F11");
    await page.locator(".cm-here", { hasText: "ensure_all_started(Names)" }).waitFor();
    await page.getByLabel("Source file").locator("option:checked", { hasText: /^application\.erl/ }).waitFor({ state: "attached" });
    // The other way round, what is shown is the line that called OTP.
    await choose("own");
    await page.locator(".cm-here", { hasText: "application:ensure_all_started(shop)" }).waitFor();
  }));

test("the other message of a race is taken, and the branches are compared", () =>
  story([example("proxy/proxy.erl")], async (page) => {
    await run(page);
    await tab(page, "races").click();
    const races = page.getByTestId("races");
    const first = races.getByRole("button", { name: /^Take/ }).first();
    await first.click();
    // One gesture: it runs on and says what became different.
    await page.getByTestId("difference").getByText(/b1 (ends|waits)/).waitFor();
    await page.getByTestId("difference").getByText(/differs?/).first().waitFor();
    await tab(page, "branches").click();
    await page.getByTestId("branches").getByRole("button", { name: "Compare" }).click();
    await page.getByTestId("compare").getByText("differ").first().waitFor();
    // Both as one picture, with what each of them did first that the other did not.
    const picture = page.getByTestId("picture");
    await picture.locator("svg .deed.side-here").first().waitFor();
    await picture.locator("svg .deed.side-there").first().waitFor();
    await picture.getByText("first difference").waitFor();
    const parting = await picture.getByTestId("first-difference").innerText();
    assert.match(parting, /b1:.*receives/);
    assert.match(parting, /main:.*receives/);
    await page.getByTestId("branches").getByText("Go there").click();
    await page.getByTestId("branches").locator("tr.chosen", { hasText: "main" }).waitFor();
  }));

test("questions lead to the wrong receive", () =>
  story([example("tcp/tcp.erl")], async (page) => {
    await run(page);
    await rare(page, "bottom", "ask");
    await page.getByRole("button", { name: "Anywhere" }).click();
    const ask = page.getByTestId("ask");
    await page.getByTestId("suspects").getByText("suspects are left").waitFor();
    for (let n = 0; n < 12; n++) {
      await ask.locator(".sentence, .none").first().waitFor();
      if ((await ask.locator(".verdict").count()) > 0) break;
      const sentence = await ask.getByTestId("sentence").innerText();
      // The server stops after a client asked for a closed port: whatever shows that is wrong.
      const yes = ask.getByRole("button", { name: "It is right" });
      if (/rst/.test(sentence) || (await yes.count()) === 0) {
        const no = ask.getByRole("button", { name: "It is wrong" });
        if ((await no.count()) > 0) await no.click();
        const answers = ask.locator(".answers button");
        if ((await answers.count()) > 0) {
          const options = await answers.allInnerTexts();
          await answers.nth(Math.max(0, options.findIndex((o) => /rst/.test(o)))).click();
        }
      } else {
        await yes.click();
      }
      await page.waitForFunction(
        (text) => document.querySelector('[data-testid="sentence"]')?.innerText !== text,
        sentence,
      );
    }
    await page.getByTestId("verdict").getByText(/Found/).waitFor();
  }));

test("a session is saved, opened again, and an address names a place in it", () =>
  story([example("proxy/proxy.erl")], async (page, server) => {
    await run(page);
    const file = join(mkdtempSync(join(tmpdir(), "reverl-page-")), "proxy.reverl");
    await page.getByRole("button", { name: "File" }).click();
    await page.getByLabel("Save to file").fill(file);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await note(page).filter({ hasText: "events saved" }).waitFor();
    await type(page, "undo receive #83.2");
    const shown = await page.locator(".status").innerText();
    const place = new URL(page.url()).hash;
    assert.match(place, /c=\d/);
    // The same server, loaded again.
    await page.reload();
    await page.getByTestId("outcome").waitFor();
    const counts = /\d+ \/ \d+ events/;
    await page.waitForFunction(
      (wanted) => document.querySelector(".status")?.innerText.includes(wanted),
      counts.exec(shown)[0],
    );
    // Another server, from the file.
    const again = await startServer(file, "--place", place);
    try {
      const other = await openPage(browser, again.address);
      await other.getByText(counts.exec(shown)[0]).waitFor();
      assert.deepEqual(other.problems, []);
      await other.context().close();
    } finally {
      again.stop();
    }
    assert.ok(server.address);
  }));

test("exploring finds the failing execution and opens it", () =>
  story([example("proxy/proxy.erl")], async (page) => {
    await rare(page, "bottom", "explore");
    await page.getByRole("button", { name: "Explore", exact: true }).click();
    await page.getByTestId("explored").filter({ hasText: "complete" }).waitFor();
    // What was found is on the tree of branches, with how it ends and how often it was seen: one
    // execution, which fails in several ways.
    await tab(page, "branches").click();
    const found = page.getByTestId("branches").getByText(/explored: .*deadlock in 1 execution/);
    await found.first().waitFor();
    assert.equal(await found.count(), 1);
    await page.getByTestId("explored-results").waitFor();
    // One that went well is there too, and where the other one became inevitable.
    await page.getByTestId("branches").getByText("explored: 42 in 1 execution").waitFor();
    await page.getByTestId("inevitable").click();
    await page.getByTestId("moment").getByText("receives 2").waitFor();
    await rare(page, "bottom", "explore");
    const [opened] = await Promise.all([
      page.context().waitForEvent("page"),
      page.getByRole("button", { name: "Open in a tab" }).first().click(),
    ]);
    await opened.getByTestId("outcome").filter({ hasText: "waits for ever" }).waitFor();
  }));

test("the diagram is walked with the keyboard alone", () =>
  story([example("proxy/proxy.erl")], async (page) => {
    await run(page);
    await drawn(page, 10);
    await pressInDiagram(page, "g");
    await page.keyboard.press("ArrowLeft");
    await page.getByTestId("selected-counts").waitFor();
    const first = new URL(page.url()).hash;
    await page.keyboard.press("ArrowLeft");
    await page.waitForFunction((old) => location.hash !== old, first);
    // What is drawn is also said.
    await page.locator('[aria-live="polite"]', { hasText: /causes/ }).waitFor({ state: "attached" });
    await page.keyboard.press("Enter");
    await page.getByRole("menu").waitFor();
    await page.getByRole("menuitem", { name: /Undo to before this/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("menu").waitFor({ state: "detached" });
    await page.locator(".status", { hasText: /events/ }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByTestId("selected-counts").waitFor({ state: "detached" });
    await pressInDiagram(page, "?");
    await page.getByRole("dialog", { name: "Help" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  }));

test("a target tells how much would move before it does", () =>
  story([example("dining/dining_order_bug.erl")], async (page) => {
    await run(page);
    await page.getByRole("button", { name: "Go to" }).click();
    await page.getByLabel("Target", { exact: true }).fill("#88.1");
    await page.getByText("389 steps, 89 events in 5 processes").waitFor();
    await page.getByRole("button", { name: "Undo, with all consequences" }).click();
    await page.getByText("13 / 102 events").waitFor();
    await page.getByText("it is already so here").first().waitFor();
  }));

test("one thing at a time: manual mode refuses what others depend on", () =>
  story([example("proxy/proxy.erl")], async (page) => {
    await run(page);
    await rare(page, "messages", "manual");
    await choose(page, "<0.83.0>");
    await page.getByRole("button", { name: "Undo one event" }).click();
    await note(page).filter({ hasText: "stands in the way" }).waitFor();
    await choose(page, "<0.85.0>");
    await page.getByRole("button", { name: "Undo one event" }).click();
    await page.getByText("9 / 10 events").waitFor();
    await page.getByRole("button", { name: "Redo one event" }).click();
    await page.getByText("10 / 10 events").waitFor();
  }));

test("a value tells why, and an expression is watched wherever one goes", () =>
  story([example("dining/dining_order_bug.erl")], async (page) => {
    await run(page);
    await choose(page, "<0.87.0>");
    await page.getByLabel("Expression to watch").fill("length(Forks) + 1");
    await page.getByLabel("Expression to watch").press("Enter");
    await page.locator(".watch", { hasText: "4" }).waitFor();
    await page.locator(".bindings th button", { hasText: "Forks" }).click();
    await page.getByTestId("why").getByText("bound at").first().waitFor();
    // A hop is looked at without going there.
    await page.getByTestId("why").locator("li .link").last().click();
    await page.getByTestId("moment").waitFor();
    await page.getByRole("button", { name: "Back to now" }).click();
    await page.getByTestId("moment").waitFor({ state: "detached" });
    await page.getByTestId("why").getByRole("button", { name: "Go there" }).last().click();
    await page.getByText("102 / 102 events").waitFor({ state: "detached" });
  }));

test("what went wrong is told when a long run has ended, and a value of an outer call tells why", () =>
  story([example("shop"), "-e", "shop:deadlock()"], async (page) => {
    await run(page);
    await page.getByTestId("failure").getByText("wait for each other").waitFor();
    await page.getByRole("button", { name: "Show it" }).click();
    // It waits deep in OTP; the variables are those of the call of the program's own.
    await page.locator(".bindings th button", { hasText: "Other" }).click();
    await page.getByTestId("why").getByText("Other = 31").first().waitFor();
    await page.getByTestId("why").getByText(/sends call \{swap,31,apple\}/).first().waitFor();
  }));

test("an expression is printed after the fact, and each print is a moment to look at", () =>
  story([example("stock/stock.erl")], async (page) => {
    await run(page);
    await tab(page, "breakpoints").click();
    await page.getByLabel("Where to print").fill("stock.erl:14");
    await page.getByLabel("What to print").fill("{Stock, Amount}");
    await page.getByText("Print there").click();
    const rows = page.getByTestId("logged").locator("tr");
    await rows.first().waitFor();
    assert.deepEqual(await rows.locator("code").allInnerTexts(), ["{0,3}", "{3,5}", "{8,1}", "{9,4}"]);
    await rows.nth(1).locator(".link").click();
    await page.getByTestId("moment").waitFor();
    await page.locator(".cm-here", { hasText: "server(Stock + Amount)" }).waitFor();
  }));

test("what passes through a hidden process is drawn dashed", () =>
  story([example("proxy/proxy.erl")], async (page) => {
    await type(page, "set schedule round-robin");
    await run(page);
    await choose(page, "<0.85.0>");
    await page.getByRole("button", { name: "Hide process", exact: true }).click();
    await page.getByRole("button", { name: "Show 1 hidden" }).waitFor();
    // The server never gets the proxy's message here; on the branch where it does, it shows.
    await tab(page, "races").click();
    await page.getByTestId("races").getByRole("button", { name: /^Take/ }).first().click();
    await page.getByTestId("difference").waitFor();
    await page.locator('canvas[data-through="1"]').waitFor();
  }));

test("the lanes of a node are together, in the order of the nodes", () =>
  story([example("leader/leader.erl")], async (page) => {
    await run(page);
    await page.locator('canvas[data-nodes="client@localhost,b@localhost,c@localhost,d@localhost"]').waitFor();
  }));

test("a program that reads asks for its lines on the page", () =>
  story(["crates/programs/erl/page/reads.erl"], async (page) => {
    await page.keyboard.press("F5");
    await page.locator(".busy", { hasText: "name?" }).waitFor();
    await page.getByLabel("Line for the program").fill("Ada");
    await page.keyboard.press("Enter");
    await page.locator(".busy", { hasText: "more?" }).waitFor();
    await page.getByText("End of input").click();
    await tab(page, "output").click();
    await page.locator('[data-body="output"]', { hasText: "hello Ada" }).waitFor();
  }));

test("what if a variable had another value, or a process had ended: tried in one gesture", () =>
  story([example("stock/stock.erl")], async (page) => {
    await run(page);
    await choose(page, "<0.83.0>");
    await tab(page, "history").click();
    await page.locator('[data-body="history"] .event', { hasText: "receives" }).nth(1).click();
    await tab(page, "variables").click();
    const row = page.locator(".bindings tr", { hasText: "Stock" });
    await row.getByTitle("What if Stock had another value?").click();
    await page.getByLabel("What if Stock were").fill("1000");
    await page.keyboard.press("Enter");
    const difference = page.getByTestId("difference");
    await difference.getByText("is given Stock = 1000").waitFor();
    await difference.getByRole("button", { name: "Back to main" }).click();
    await difference.waitFor({ state: "detached" });
    await tab(page, "history").click();
    await page.locator('[data-body="history"] .event', { hasText: "receives" }).nth(1).click();
    await tab(page, "event").click();
    await page.getByRole("button", { name: /End the process here/ }).click();
    await difference.locator("p code", { hasText: "exits: killed" }).first().waitFor();
  }));

test("a receive that could have taken another message is a fork in the diagram", () =>
  story([example("proxy/proxy.erl")], async (page) => {
    await run(page);
    await drawn(page, 10);
    await page.locator('canvas[data-forks="1"]').waitFor();
  }));

test("an event has a note, which is drawn, listed and part of the report", () =>
  story([example("proxy/proxy.erl")], async (page) => {
    await run(page);
    await choose(page, "<0.84.0>");
    await tab(page, "history").click();
    await page.locator('[data-body="history"] .event', { hasText: "receives" }).first().click();
    await tab(page, "event").click();
    await page.getByLabel("Note about this event").fill("the second one came first");
    await page.keyboard.press("Enter");
    await page.getByTestId("event").getByText("✎ the second one came first").waitFor();
    await rare(page, "bottom", "notes");
    await page.getByTestId("notes").getByText("the second one came first").waitFor();
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.locator('[data-body="notes"]').getByRole("button", { name: "Report" }).click(),
    ]);
    const { readFile } = await import("node:fs/promises");
    const text = await readFile(await file.path(), "utf8");
    assert.match(text, /^# server crashed: unexpected\\_order/);
    assert.match(text, /the second one came first/);
    assert.match(text, /receives 2 #83\.2/);
  }));
