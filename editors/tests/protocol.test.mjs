// Every message of every dialogue of the adapter's own tests is one of the protocol.

import assert from "node:assert";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { problems } from "./protocol.mjs";

const dir = process.env.DAP_TRANSCRIPTS;

test("every message of every dialogue is as the protocol defines it", () => {
    const files = readdirSync(dir);
    assert.ok(files.length > 30, `only ${files.length} dialogues`);
    const seen = new Set();
    for (const file of files) {
        const messages = JSON.parse(readFileSync(join(dir, file), "utf8"));
        for (const message of messages.filter((m) => m.type !== "request")) {
            assert.deepStrictEqual(problems(message), [], `${file}: ${JSON.stringify(message)}`);
            seen.add(message.event ?? message.command);
        }
    }
    for (const name of ["stopped", "invalidated", "progressStart", "output", "setDataBreakpoints", "goto"]) {
        assert.ok(seen.has(name), `no dialogue has '${name}'`);
    }
});

test("the judge finds what is wrong", () => {
    const stopped = { seq: 1, type: "event", event: "stopped", body: { reason: 7 } };
    assert.notDeepStrictEqual(problems(stopped), []);
    assert.notDeepStrictEqual(problems({ seq: 1, type: "event", event: "nothing" }), []);
});
