// Pictures of the main views, for the documents.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { choose, drawn, example, openPage, pressInDiagram, program, rare, root, run, startBrowser, startServer, tab } from "./harness.mjs";

const folder = join(root, "docs/images");
mkdirSync(folder, { recursive: true });
const browser = await startBrowser();

async function picture(name, args, walk, theme = "light") {
  const server = await startServer(...args);
  const page = await openPage(browser, server.address);
  await page.setViewportSize({ width: 1360, height: 850 });
  await page.evaluate((theme) => localStorage.setItem("reverl.theme", JSON.stringify(theme)), theme);
  await page.reload();
  await page.getByTestId("outcome").waitFor();
  await walk(page);
  await page.waitForTimeout(500);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await page.context().close();
  server.stop();
}

const dining = ["--at-start", example("dining/dining_order_bug.erl")];

/** The receive of the wrong message, selected. */
async function wrongReceive(page) {
  await run(page);
  await drawn(page, 102);
  await choose(page, "<0.87.0>");
  await tab(page, "history").click();
  const receive = page.locator('[data-body="history"] .event', { hasText: "receives {hungry,2" });
  await receive.first().click();
  await tab(page, "event").click();
  await page.getByTestId("event").waitFor();
}

await picture("failure", [example("shop"), "-e", "shop:crash()"], async (page) => {
  await page.getByTestId("failure").waitFor();
  await page.locator(".cm-here", { hasText: "maps:get(Sku, Items)" }).waitFor();
});

await picture("overview", dining, async (page) => {
  await run(page);
  await drawn(page, 102);
  await choose(page, "<0.87.0>");
});

await picture("causes", dining, wrongReceive);

await picture(
  "undone",
  dining,
  async (page) => {
    await wrongReceive(page);
    await page.getByTestId("event").getByText("Undo to before this").click();
    await page.locator(".cm-here", { hasText: "receive" }).waitFor();
    await tab(page, "variables").click();
    await tab(page, "mailbox").click();
    await rare(page, "bottom", "rolllog");
    await page.keyboard.press("Escape");
  },
  "dark",
);

await picture("race", ["--at-start", example("proxy/proxy.erl")], async (page) => {
  await run(page);
  await tab(page, "races").click();
  await page.getByTestId("races").getByRole("button", { name: /^Take/ }).first().click();
  await page.getByTestId("difference").waitFor();
  await tab(page, "branches").click();
  await page.getByRole("button", { name: "Compare" }).click();
  await page.getByTestId("compare").waitFor();
});

await picture("ask", ["--at-start", example("tcp/tcp.erl")], async (page) => {
  await run(page);
  await rare(page, "bottom", "ask");
  await page.getByRole("button", { name: "Anywhere" }).click();
  await page.getByTestId("ask").waitFor();
});

await picture("crowd", ["--at-start", program("crowd.erl"), "-e", "crowd:main(2000, 17)"], async (page) => {
  await run(page);
  await pressInDiagram(page, "f");
});

await browser.close();
