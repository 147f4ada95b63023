// The client library of the protocol's own authors, against the binary: over its standard input and
// output, and over TCP.

import testsupport from "@vscode/debugadapter-testsupport";
import assert from "node:assert";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { problems } from "./protocol.mjs";

const { DebugClient } = testsupport;
const reverl = process.env.REVERL;
const root = resolve(import.meta.dirname ?? ".", "../..");
const stock = join(root, "examples/stock/stock.erl");
let work;

before(() => (work = mkdtempSync(join(tmpdir(), "reverl-editors-"))));
after(() => rmSync(work, { recursive: true }));

/** Uses a client, and holds what it is sent against the protocol. */
async function client(use, port) {
    const client = new DebugClient(reverl, "dap", "reverl");
    client.defaultTimeout = 60000;
    const dispatch = client.dispatch.bind(client);
    const wrong = [];
    client.dispatch = (body) => {
        const message = JSON.parse(body);
        wrong.push(...problems(message).map((why) => `${why}: ${body}`));
        return dispatch(body);
    };
    await client.start(port);
    try {
        await use(client);
    } finally {
        await client.stop();
    }
    assert.deepStrictEqual(wrong, []);
}

/** The variables of the innermost call. */
async function locals(client, threadId) {
    const frame = (await client.stackTraceRequest({ threadId })).body.stackFrames[0];
    const scope = (await client.scopesRequest({ frameId: frame.id })).body.scopes[0];
    const shown = await client.variablesRequest({ variablesReference: scope.variablesReference });
    return Object.fromEntries(shown.body.variables.map((v) => [v.name, v.value]));
}

test("a breakpoint, a step back, variables, an undone send", () =>
    client(async (client) => {
        await client.hitBreakpoint({ program: stock }, { path: stock, line: 17 });
        const threads = (await client.threadsRequest()).body.threads;
        const threadId = threads[0].id;
        assert.strictEqual((await locals(client, threadId)).Left, "3");
        await Promise.all([
            client.stepBackRequest({ threadId }),
            client.assertStoppedLocation("step", { path: stock, line: 16 }),
        ]);
        await Promise.all([client.nextRequest({ threadId }), client.waitForEvent("stopped")]);
        await Promise.all([client.nextRequest({ threadId }), client.waitForEvent("stopped")]);
        // The reply was sent: undoing that takes what has come of it along.
        const undone = await Promise.all([
            client.evaluateRequest({ expression: "undo 2", context: "repl" }),
            client.waitForEvent("stopped"),
        ]);
        assert.match(undone[0].body.result, /undone|Undone/);
        await Promise.all([
            client.reverseContinueRequest({ threadId }),
            client.waitForEvent("stopped"),
        ]);
    }));

test("a stop at an exception, with its reason and the failure's sentence", () =>
    client(async (client) => {
        const shop = join(root, "examples/shop");
        const [, stopped] = await Promise.all([
            client.launch({ program: shop, entry: "shop:crash()" }),
            client.waitForEvent("stopped"),
            client
                .waitForEvent("initialized")
                .then(() => client.setExceptionBreakpointsRequest({ filters: ["uncaught"] }))
                .then(() => client.configurationDoneRequest()),
        ]);
        assert.strictEqual(stopped.body.reason, "exception");
        const info = await client.exceptionInfoRequest({ threadId: stopped.body.threadId });
        assert.match(info.body.exceptionId, /error: /);
    }));

test("a recording is opened and walked backwards", async () => {
    const recording = join(work, "stock.reverl");
    await client(async (client) => {
        await Promise.all([
            client.launch({ program: stock }),
            client.waitForEvent("stopped"),
            client.configurationSequence(),
        ]);
        await client.evaluateRequest({ expression: `save ${recording}`, context: "repl" });
    });
    await client(async (client) => {
        await client.hitBreakpoint({ recording }, { path: stock, line: 17 });
        const [, stopped] = await Promise.all([
            client.reverseContinueRequest({ threadId: 2 }),
            client.waitForEvent("stopped"),
        ]);
        assert.strictEqual(stopped.body.reason, "entry");
    });
});

test("a command is recorded on a real node, and what it did is walked", () =>
    client(async (client) => {
        execFileSync("erlc", ["+debug_info", "-o", work, stock]);
        const record = ["erl", "-noshell", "-pa", work, "-s", "stock", "main", "-s", "init", "stop"];
        await client.hitBreakpoint({ record, cwd: work }, { path: stock, line: 17 });
        const { threads } = (await client.threadsRequest()).body;
        assert.strictEqual((await locals(client, threads[0].id)).Left, "3");
    }));

test("the page of a session is served for panels of editors, and for nobody else", () =>
    client(async (client) => {
        await Promise.all([
            client.launch({ program: stock, stopOnEntry: true }),
            client.waitForEvent("stopped"),
            client.configurationSequence(),
        ]);
        const { address } = (await client.customRequest("reverl/page")).body;
        const page = await fetch(address);
        assert.strictEqual(page.status, 200);
        assert.match(page.headers.get("content-security-policy"), /frame-ancestors vscode-webview:;/);
        // What is done there is told here.
        const moved = client.waitForEvent("stopped");
        await fetch(`${address}api/v2/sessions/1`, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ do: { command: "step 3 line" } }),
        });
        assert.strictEqual((await moved).body.reason, "goto");
    }));

const freePort = () =>
    new Promise((found) => {
        const server = createServer().listen(0, "127.0.0.1", () => {
            const { port } = server.address();
            server.close(() => found(port));
        });
    });

for (const face of [["ui", "--no-open", "--at-start"], ["debug"]]) {
    test(`an editor attaches by TCP to a session of reverl ${face[0]}`, async () => {
        const port = await freePort();
        const ui = spawn(reverl, [...face, stock, "--dap-port", `${port}`], {
            stdio: ["pipe", "ignore", "pipe"],
        });
        try {
            for await (const line of createInterface(ui.stderr)) {
                if (line.includes(`127.0.0.1:${port}`)) break;
            }
            await client(async (client) => {
                await client.initializeRequest();
                await Promise.all([client.attachRequest({}), client.waitForEvent("initialized")]);
                const [, stopped] = await Promise.all([
                    client.configurationDoneRequest(),
                    client.waitForEvent("stopped"),
                ]);
                const { threadId } = stopped.body;
                await Promise.all([client.nextRequest({ threadId }), client.waitForEvent("stopped")]);
                if (face[0] !== "debug") return;
                // What is typed in the terminal is told here.
                const moved = client.waitForEvent("stopped");
                ui.stdin.write("step 3 line\n");
                assert.strictEqual((await moved).body.reason, "goto");
            }, port);
        } finally {
            ui.kill();
        }
    });
}
