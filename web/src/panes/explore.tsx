// Every execution that the program can have: live progress, and the failures to open.

import { signal } from "@preact/signals";
import { show } from "../layout";
import { Empty } from "../parts";
import { command, exploration, session, tell } from "../store";
import type { Arrival } from "../types";
import { openTab } from "./system";

const delivery = signal<Arrival>("pair");
const most = signal(100000);

/** Shows what exploring finds, and begins with it unless that was done already. */
export function beginExploring() {
  show("bottom", "explore");
  if (exploration.value === null) void start();
}

async function start() {
  try {
    await session.explore({ delivery: delivery.value, executions: most.value });
    await watch();
  } catch (why) {
    tell((why as Error).message, true);
  }
}

async function watch() {
  do {
    const seen = await session.progress(null);
    exploration.value = seen.exploration;
    await new Promise((resolve) => setTimeout(resolve, 200));
  } while (exploration.value?.running);
  await putOnTree();
}

/** Explored executions that become branches, at most. */
const MOST_BRANCHES = 10;

/** Recordings that are on the tree of branches already, and as what. */
export const adopted = signal<Map<string, string>>(new Map());

/** One execution of each kind of failure, and some that went well, become branches, so that the tree
 *  shows where they part. */
async function putOnTree() {
  const seen = exploration.value;
  const kept = [...(seen?.failures ?? []), ...(seen?.results ?? [])].map((found) => found.recording);
  const files = kept.filter((file): file is string => typeof file === "string");
  for (const file of files.slice(0, MOST_BRANCHES)) {
    if (adopted.value.has(file)) continue;
    const done = await command({ adopt: { file } });
    const branch = (done.data as { branch?: string } | null)?.branch;
    if (branch) adopted.value = new Map(adopted.value).set(file, branch);
  }
}

export function Explore() {
  const seen = exploration.value;
  return (
    <div class="pane-column">
      <div class="tools">
        <label>
          arrival{" "}
          <select
            value={delivery.value}
            onChange={(e) => (delivery.value = e.currentTarget.value as Arrival)}
            title="What is assumed about the arrival of messages"
          >
            <option value="pair">what Erlang guarantees</option>
            <option value="instant">at once, as on one node</option>
          </select>
        </label>
        <label>
          at most{" "}
          <input
            type="number"
            min={1}
            value={most.value}
            onInput={(e) => (most.value = Number(e.currentTarget.value) || 1)}
          />{" "}
          executions
        </label>
        {seen?.running ? (
          <button onClick={() => void session.explore({ stop: true })}>Stop</button>
        ) : (
          <button onClick={() => void start()}>Explore</button>
        )}
        {seen && (
          <span class="dim" data-testid="explored">
            {seen.running ? "◌ " : seen.complete ? "✔ complete: " : "not complete: "}
            {seen.visited.toLocaleString("en")} executions in {seen.seconds.toFixed(1)} s,{" "}
            {seen.failures.length} kinds of failure
          </span>
        )}
      </div>
      <div class="scroll" data-testid="failures">
        {!seen && (
          <Empty text="Visits every distinct execution of the program beside this session, and lists those that fail." />
        )}
        {seen?.trouble && <p class="bad">{seen.trouble}</p>}
        {seen && !seen.running && seen.failures.length === 0 && <Empty text="No execution fails." />}
        <ul class="failures">
          {seen?.failures.map((f, i) => (
            <li key={i}>
              <div class="row">
                <b>{f.kind}</b>
                <span class="dim">
                  in {f.count.toLocaleString("en")} execution{f.count === 1 ? "" : "s"} at {f.at}
                </span>
                <code>{f.reason}</code>
                <span class="grow" />
                {f.recording && adopted.value.has(f.recording) && (
                  <button onClick={() => show("bottom", "branches")}>
                    Branch {adopted.value.get(f.recording)}
                  </button>
                )}
                {f.recording && (
                  <button onClick={() => void openTab(f.recording)}>Open in a tab</button>
                )}
              </div>
              {f.decisive && <div>{f.decisive}</div>}
              {f.inevitable !== null && (
                <div>
                  {f.inevitable === 0
                    ? "it fails so whatever comes first"
                    : `after line ${f.inevitable} of its story it fails so whatever comes next`}
                </div>
              )}
              <details>
                <summary>its story, {f.story.length} lines</summary>
                <ol start={Math.max(0, f.story.length - 200) + 1}>
                  {f.story.slice(-200).map((line, n) => (
                    <li key={n}>{line}</li>
                  ))}
                </ol>
              </details>
            </li>
          ))}
        </ul>
        {seen && seen.results.length > 0 && (
          <table class="list">
            <tbody>
              {seen.results.slice(0, 50).map((r) => (
                <tr key={r.value}>
                  <td>{r.count.toLocaleString("en")} ×</td>
                  <td class="wide">
                    <code>{r.value}</code>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </div>
  );
}
