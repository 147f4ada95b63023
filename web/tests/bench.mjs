// How long the server takes for what a person does in an execution of a million events and ten
// thousand processes, and how long the page takes to appear. Prints a table; judges nothing.

import { mkdtempSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPage, program, root, startBrowser, startServer } from "./harness.mjs";

const dir = mkdtempSync(join(tmpdir(), "reverl-bench-"));
const file = join(dir, "million.reverl");
const script = join(dir, "script");
writeFileSync(script, `run\nsave ${file}\n`);
execFileSync(process.env.REVERL, [
  "debug", program("crowd.erl"), "-e", "crowd:main(10000, 33)", "--script", script,
], { cwd: root });

const opened = performance.now();
const server = await startServer(file);
const rows = [["open the recording", performance.now() - opened]];
const address = server.address + "api/v2/sessions/1";

async function send(body) {
  const begun = performance.now();
  const response = await fetch(address, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  let answer = await response.json();
  while (answer.ticket && !answer.done) {
    const more = await fetch(`${address}/progress?ticket=${answer.ticket}`);
    answer = await more.json();
  }
  const bad = answer.done?.error ?? answer.answers?.find((a) => a.error)?.error;
  if (bad) throw new Error(`${JSON.stringify(body).slice(0, 200)}: ${bad}`);
  return { answer, ms: performance.now() - begun };
}

/** The middle of five, each after a move so that nothing is known already. */
async function time(name, look) {
  const times = [];
  for (let n = 0; n < 5; n++) times.push((await send({ look: [look(n)] })).ms);
  times.sort((a, b) => a - b);
  rows.push([name, times[2], times[4]]);
}

const act = async (name, command) => rows.push([name, (await send({ do: { command } })).ms]);

const lanes = Array.from({ length: 40 }, (_, i) => i + 1);
const { answer } = await send({ look: [{ view: "summary" }] });
const events = answer.answers[0].data.events;
/** A search of everything, however many answers it takes. */
async function searched(text) {
  const begun = performance.now();
  let from = 0;
  while (from !== null) {
    const { answer } = await send({ look: [{ view: "search", text, by: "text", count: 8, from }] });
    const seen = answer.answers[0].data;
    from = seen.events.length > 0 ? null : seen.next;
  }
  return performance.now() - begun;
}
// Nobody asks anything for as long as it takes to look at the page.
await new Promise((resolve) => setTimeout(resolve, 10_000));
rows.push(["first search, a text that is nowhere", await searched("nobody wrote this")]);
rows.push(["search of three letters that are nowhere", await searched("zqx")]);
rows.push(["search of a text near the end", await searched("{total,")]);
await time("all processes", () => ({ view: "processes" }));
await time("summary", () => ({ view: "summary" }));
await time("forty rows of processes", (n) => ({ view: "rows", ids: lanes.map((l) => l + n * 100) }));
await time("one process: calls, variables, mailbox", (n) => ({ view: "process", proc: 3 + n }));
await time("the server process", () => ({ view: "process", proc: 2 }));
await time("history of the server process", () => ({ view: "history", proc: 2 }));
await time("trace", () => ({ view: "trace" }));
await time("output", () => ({ view: "output" }));
await time("problems", () => ({ view: "problems" }));
await time("messages in flight", () => ({ view: "flying" }));
await time("mailboxes of all", () => ({ view: "mailboxes" }));
await time("diagram, all of it", (n) => ({ view: "diagram", lanes, from: n, to: events }));
await time("diagram, 2,000 events", (n) => ({ view: "diagram", lanes, from: n * 1e5, to: n * 1e5 + 2000 }));
await time("diagram by causal depth", (n) => ({ view: "diagram", lanes, scale: "depth", from: n, to: events }));
await time("diagram, local events together", (n) => ({ view: "diagram", lanes, scale: "messages", from: n, to: events }));
await time("minimap", () => ({ view: "minimap" }));
await time("event near the beginning", (n) => ({ view: "event", event: `2a${n}` }));
await time("event in the middle", (n) => ({ view: "event", event: `2a${165_000 + n}` }));
await time("races of the server process", () => ({ view: "races", proc: 2 }));
await time("search, one slice", (n) => ({ view: "search", text: "total", from: n }));
await act("undo half of the server's receives", "undo event 2a165000");
await time("summary there", () => ({ view: "summary" }));
await time("the server process there", () => ({ view: "process", proc: 2 }));
await act("replay all", "redo all");
await act("step back", "reverse-step 1 <0.84.0>");
await act("line back", "reverse-next 1 <0.84.0>");
await act("line forward", "next 1 <0.84.0>");
await act("undo everything", "undo all");
await act("replay all again", "redo all");

const browser = await startBrowser();
await openPage(browser, server.address);
const page = await openPage(browser, server.address);
const clock = () => page.evaluate(() => performance.now());
rows.push(["the page shows where the session is", await clock()]);
await page.locator('canvas:not([data-columns="0"])').waitFor();
rows.push(["and the diagram", await clock()]);

/** Frames while the diagram is moved: the middle and the longest. */
async function frames(name, event) {
  const times = await page.evaluate(async (event) => {
    const canvas = document.querySelector("canvas");
    const box = canvas.getBoundingClientRect();
    const [clientX, clientY] = [box.left + box.width / 2, box.top + box.height / 2];
    const times = [];
    let last = performance.now();
    for (let n = 0; n < 60; n++) {
      canvas.dispatchEvent(new WheelEvent("wheel", { clientX, clientY, cancelable: true, ...event }));
      await new Promise(requestAnimationFrame);
      times.push(performance.now() - last);
      last = performance.now();
    }
    return times.sort((a, b) => a - b);
  }, event);
  rows.push([name, times[30], times[59]]);
}
await frames("a frame while zooming in", { deltaY: -40, ctrlKey: true });
await frames("a frame while panning near by", { deltaX: 60 });
await frames("a frame while scrolling lanes", { deltaY: 60 });
await frames("a frame while zooming out", { deltaY: 40, ctrlKey: true });
await browser.close();
server.stop();

const small = await startServer("examples/proxy/proxy.erl");
const again = await startBrowser();
await openPage(again, small.address);
const little = await openPage(again, small.address);
// On the page's own clock, which begins when it is asked for.
rows.push(["the page of a small program", await little.evaluate(() => performance.now())]);
await again.close();
small.stop();

console.log(`${events.toLocaleString("en")} events; milliseconds (of five: middle, longest)`);
for (const [name, ...ms] of rows) {
  console.log(name.padEnd(44), ...ms.map((t) => t.toFixed(1).padStart(9)));
}
