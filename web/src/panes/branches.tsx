// The executions of this program that are known, as a tree along time: branches, what exploring has
// found, and two of them as one picture.

import { useState } from "preact/hooks";
import { Empty } from "../parts";
import { command, exploration, selectEvent, summary, useView, version } from "../store";
import type { BranchBar } from "../types";
import { adopted } from "./explore";
import { pictured } from "./picture";

export function Branches() {
  const [other, setOther] = useState<string | null>(null);
  const [proc, setProc] = useState<number | null>(null);
  const all = summary.value?.branches ?? [];
  const map = useView("branch_map", {})?.branches ?? [];
  const longest = Math.max(1, ...map.map((bar) => bar.actions));
  const known = other !== null && all.some((b) => b.name === other && !b.current);
  const compare = (name: string) => {
    setOther(name);
    setProc(null);
    pictured.value = name;
  };
  version.value;
  return (
    <div class="split-two">
      <div class="scroll" tabIndex={0} role="region" aria-label="All branches">
        <table class="list" data-testid="branches">
          <thead>
            <tr>
              <th>branch</th>
              <th>how it went</th>
              <th>go</th>
            </tr>
          </thead>
          <tbody>
            {map.map((bar) => (
              <Row key={bar.name} bar={bar} longest={longest} compare={compare} />
            ))}
          </tbody>
        </table>
        <Explored />
        {all.length < 2 && (
          <Empty text="Taking another message, or stepping on after going back, opens a branch. The old future stays. Exploring adds one for each kind of failure." />
        )}
      </div>
      {known && <Beside other={other} proc={proc} choose={setProc} />}
    </div>
  );
}

/** The kinds of failure that exploring has seen, of which a branch is one. */
function exploredAs(branch: string) {
  const failures = exploration.value?.failures ?? [];
  return failures.filter((f) => f.recording !== null && adopted.value.get(f.recording) === branch);
}

/** What exploring has seen end as a branch does, and how often. */
function seenOften(branch: string): string | null {
  const found = exploredAs(branch);
  const times = (n: number) => (n === 1 ? "1 execution" : `${n.toLocaleString("en")} executions`);
  const kinds = new Map(found.map((f) => [f.kind as string, f.count]));
  for (const result of exploration.value?.results ?? []) {
    if (result.recording && adopted.value.get(result.recording) === branch) kinds.set(result.value, result.count);
  }
  const said = [...kinds].map(([kind, count]) => `${kind} in ${times(count)}`);
  return said.length === 0 ? null : `explored: ${said.join(", ")}`;
}

interface RowProps {
  bar: BranchBar;
  longest: number;
  compare: (name: string) => void;
}

/** Goes to another branch and looks at an event there. */
async function showThere(branch: string, event: string) {
  const done = await command({ branch: { name: branch } });
  if (done.ok) selectEvent(event);
}

function Row({ bar, longest, compare }: RowProps) {
  const often = seenOften(bar.name);
  const lost = exploredAs(bar.name).find((f) => f.inevitable_at !== null)?.inevitable_at ?? null;
  return (
    <tr class={bar.is_current ? "chosen" : ""}>
      <td style={{ paddingLeft: `${8 + bar.depth * 14}px` }}>
        {bar.depth > 0 ? "└ " : ""}
        {bar.is_current ? "➤ " : ""}
        {bar.name}
      </td>
      <td class="half">
        <div class="branch-bar" aria-hidden="true">
          <span
            style={{
              marginLeft: `${(100 * bar.alike) / longest}%`,
              width: `${(100 * (bar.actions - bar.alike)) / longest}%`,
            }}
          />
          {lost && <i style={{ left: `${(100 * lost.actions) / longest}%` }}>▼</i>}
        </div>
        {bar.end}
        {lost && (
          <>
            ;{" "}
            <button class="link" data-testid="inevitable" onClick={() => void showThere(bar.name, lost.event)}>
              ▼ became inevitable here
            </button>
          </>
        )}
        {often && <b> {often}</b>}
        {bar.parent !== null && (
          <span class="dim">
            {" "}
            (as {bar.parent} for {bar.alike.toLocaleString("en")} of {bar.actions.toLocaleString("en")})
          </span>
        )}
      </td>
      <td>
        {!bar.is_current && (
          <>
            <button onClick={() => void command({ branch: { name: bar.name } })}>Go there</button>{" "}
            <button onClick={() => compare(bar.name)}>Compare</button>
          </>
        )}
      </td>
    </tr>
  );
}

/** What the other explored executions came to. */
function Explored() {
  const seen = exploration.value;
  if (!seen || seen.results.length === 0) return null;
  return (
    <>
      <h3>
        {seen.visited.toLocaleString("en")} executions explored{seen.complete ? ", all there are" : ""}
      </h3>
      <ul class="plain" data-testid="explored-results">
        {seen.results.slice(0, 20).map((r) => (
          <li key={r.value}>
            └ {r.count.toLocaleString("en")} × <code>{r.value}</code>
          </li>
        ))}
      </ul>
    </>
  );
}

interface BesideProps {
  other: string;
  proc: number | null;
  choose: (proc: number) => void;
}

/** The open branch beside another: as a picture, and process by process. */
function Beside({ other, proc, choose }: BesideProps) {
  const all = useView("compare", { with: other });
  const one = useView("compare", proc === null ? null : { with: other, proc });
  const seen = all && "differ" in all ? all : null;
  const beside = one && "differ" in one ? null : one;
  if (!seen) return null;
  return (
    <div class="scroll" data-testid="compare">
      <h3>
        {seen.differ} process{seen.differ === 1 ? "" : "es"} differ: {seen.here} (left) beside {seen.there}{" "}
        (right)
      </h3>
      <table class="list compare">
        <tbody>
          {seen.processes.map((p) => (
            <tr key={p.proc}>
              <td>
                <button class="pid" onClick={() => choose(p.proc)}>
                  {p.called} {p.pid}
                </button>
              </td>
              <td class="dim">{p.same} alike, then</td>
              <td class="half">{p.here.next ?? "nothing more"}</td>
              <td class="half">{p.there.next ?? "nothing more"}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {beside && (
        <div class="beside">
          <ol>
            {beside.here.map((e) => (
              <li key={e.event}>{e.text}</li>
            ))}
          </ol>
          <ol>
            {beside.there.map((e) => (
              <li key={e.event}>{e.text}</li>
            ))}
          </ol>
        </div>
      )}
    </div>
  );
}
