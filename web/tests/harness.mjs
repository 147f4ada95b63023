// A server for each test, and a real browser to look at its page.

import { chromium } from "playwright-core";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
export const root = join(here, "../..");
/** Relative to the root, where servers are started. */
export const program = (name) => join("crates/programs/erl/page", name);
export const example = (name) => join("examples", name);

const BROWSERS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export async function startServer(...args) {
  const binary = process.env.REVERL;
  if (!binary) throw new Error("REVERL must name the binary");
  const server = spawn(binary, ["ui", "--no-open", ...args], { cwd: root });
  let problems = "";
  server.stderr.on("data", (text) => (problems += text));
  const address = await new Promise((resolve, reject) => {
    let said = "";
    server.stdout.on("data", (text) => {
      said += text;
      if (said.includes("\n")) resolve(said.trim());
    });
    server.on("exit", () => reject(new Error(`the server ended: ${problems}`)));
  });
  return { address, stop: () => server.kill() };
}

export async function startBrowser() {
  const executablePath = process.env.CHROMIUM ?? BROWSERS.find((path) => existsSync(path));
  return chromium.launch({ executablePath, args: ["--no-sandbox"] });
}

/** A page on which anything that goes wrong is remembered. */
export async function openPage(browser, address) {
  const context = await browser.newContext({ viewport: { width: 1500, height: 950 } });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  page.problems = [];
  page.on("pageerror", (error) => page.problems.push(error.message));
  page.on("console", (line) => line.type() === "error" && page.problems.push(line.text()));
  await page.goto(address);
  await page.getByTestId("outcome").waitFor();
  return page;
}

export const note = (page) => page.getByTestId("note");

/** Lets everything run and waits until the page shows it. */
export async function run(page) {
  await page.keyboard.press("F5");
  await page.getByTestId("outcome").filter({ hasText: /finished|waits|crashed/ }).waitFor();
}

/** Presses a key of one letter, which only the diagram understands. */
export async function pressInDiagram(page, key) {
  await page.locator("canvas").focus();
  await page.keyboard.press(key);
}

/** Waits until the diagram shows so many columns, event by event. */
export const drawn = (page, columns) =>
  page.locator(`canvas[data-columns="${columns}"]:not([data-events="0"])`).waitFor();

export const tab = (page, name) => page.locator(`[data-pane="${name}"]`);

/** Shows a pane that is rarely needed. */
export async function rare(page, dock, name) {
  if (await page.locator(`[role=tab][data-pane="${name}"]`).count()) return tab(page, name).click();
  await page.locator(`[data-dock="${dock}"]`).getByRole("button", { name: "More" }).click();
  await tab(page, name).click();
}

export async function choose(page, pid) {
  await page.locator(".proc", { hasText: pid }).first().click();
}

/** Types a command of the terminal debugger, and gives its answer. */
export async function type(page, line) {
  await tab(page, "console").click();
  const before = await page.locator(".typed").count();
  await page.locator("#console-line").fill(line);
  await page.locator("#console-line").press("Enter");
  await page.locator(".typed").nth(before).waitFor();
  return page.getByTestId("transcript").locator("> div").nth(before).innerText();
}
