// What became different after something else was tried: how both executions ended, and where they
// part.

import { signal } from "@preact/signals";
import { pictured } from "./panes/picture";
import { Pid } from "./parts";
import { command, selectEvent, summary } from "./store";
import type { Chosen, ComparedBranches } from "./types";

const difference = signal<ComparedBranches | null>(null);

/** Lets something else happen than what did, and everything run on. */
export async function tryOut(chosen: Chosen, proc: number) {
  const done = await command({ take: chosen }, proc);
  const notes = (done.data as { notes?: { became?: ComparedBranches }[] } | null)?.notes ?? [];
  difference.value = notes.find((note) => note.became)?.became ?? null;
}

export function Difference() {
  const seen = difference.value;
  if (!seen || summary.value?.branch !== seen.here) return null;
  const first = seen.processes.at(0);
  return (
    <section class="card card-difference" aria-label="What became different" data-testid="difference">
      <div class="card-head">
        <h2>
          {seen.here} {seen.here_end}
        </h2>
        <span class="dim">
          {seen.there} {seen.there_end}
        </span>
        <span class="grow" />
        <button onClick={() => (pictured.value = seen.there)}>Both as one picture</button>
        <button onClick={() => void command({ branch: { name: seen.there } })}>Back to {seen.there}</button>
        <button onClick={() => (difference.value = null)}>Close</button>
      </div>
      <p>
        {seen.differ === 1 ? "1 process differs" : `${seen.differ.toLocaleString("en")} processes differ`}
        {first && (
          <>
            ; first <Pid id={first.proc} /> after{" "}
            <button class="link" onClick={() => selectEvent(`${first.proc}a${Math.max(0, first.same - 1)}`)}>
              {first.same} alike
            </button>
            : <code>{first.here.next ?? "nothing more"}</code> instead of{" "}
            <code>{first.there.next ?? "nothing more"}</code>
          </>
        )}
      </p>
    </section>
  );
}
