// How long an editor waits: threads, stackTrace, variables and stepBack in an execution with 10,000
// processes and a million events. `scripts/bench-dap` runs it.

import testsupport from "@vscode/debugadapter-testsupport";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const { DebugClient } = testsupport;
const [processes, messages] = [10_000, 33];
const work = mkdtempSync(join(tmpdir(), "reverl-bench-"));
const file = join(work, "many.erl");
writeFileSync(
    file,
    `-module(many).
-export([main/0]).
main() ->
    All = [spawn(fun() -> loop(0) end) || _ <- lists:seq(1, ${processes})],
    rounds(${messages}, All),
    last(All).
rounds(0, _) -> ok;
rounds(N, All) ->
    [P ! {work, N} || P <- All],
    rounds(N - 1, All).
last(All) ->
    Count = length(All),
    receive after 1000 -> Count end.
loop(Sum) ->
    receive
        {work, N} ->
            New = Sum + N,
            loop(New)
    end.
`,
);

const client = new DebugClient(process.env.REVERL, "dap", "reverl");
client.defaultTimeout = 600_000;
await client.start();

/** Runs something often, and says how long the middle one and the worst took. */
async function measured(name, times, act) {
    const took = [];
    for (let i = 0; i < times; i++) {
        const begun = performance.now();
        await act(i);
        took.push(performance.now() - begun);
    }
    took.sort((a, b) => a - b);
    const [middle, worst] = [took[times >> 1], took[times - 1]];
    console.log(`${name.padEnd(34)} ${middle.toFixed(1).padStart(9)} ms ${worst.toFixed(1).padStart(9)} ms`);
}

const stopped = () => client.waitForEvent("stopped");
const moving = (request) => Promise.all([request, stopped()]);

console.log(`${processes} processes`.padEnd(34), "   middle      worst".padStart(22));
await measured("launch and run to the end", 1, () =>
    Promise.all([client.launch({ program: file }), client.configurationSequence(), stopped()]),
);
const { body } = await client.customRequest("reverl/view", { view: "summary" });
console.log(`${body.events} events`);

let threads;
await measured("threads", 10, async () => {
    threads = (await client.threadsRequest()).body.threads;
});
let frame;
await measured("stackTrace", 50, async (i) => {
    const threadId = threads[1 + (i % 400)].id;
    frame = (await client.stackTraceRequest({ threadId })).body.stackFrames[0];
});
await measured("scopes and variables", 50, async () => {
    const { scopes } = (await client.scopesRequest({ frameId: frame.id })).body;
    await client.variablesRequest({ variablesReference: scopes[0].variablesReference });
});
await measured("stepBack in a worker", 10, (i) =>
    moving(client.stepBackRequest({ threadId: threads[1 + i].id })),
);
await measured("stepBack in the main process", 3, () =>
    moving(client.stepBackRequest({ threadId: threads[0].id })),
);
await measured("reverseContinue to the beginning", 1, () =>
    moving(client.reverseContinueRequest({ threadId: threads[0].id })),
);
await client.stop();
rmSync(work, { recursive: true });
