// Manual mode: exactly one thing happens, forwards or backwards, or what stands in the way is told.

import { Empty } from "../parts";
import { command, pidOf, selectedProc, useView } from "../store";
import type { ProcRef } from "../types";

const MOST = 300;

const who = (process: ProcRef) => process.pid;

const stepEvent = (process: number) => command({ step: { unit: "event", process } });

const deliver = (from: ProcRef, to: ProcRef) =>
  command({ deliver: { what: { between: { from: from.proc, to: to.proc } } } });

export function Manual() {
  const seen = useView("enabled", {});
  const proc = selectedProc.value;
  const all = seen?.enabled ?? [];
  return (
    <div class="scroll" data-testid="manual">
      {proc !== null && (
        <p class="row">
          <button
            title="Undo the last event of this process if nothing depends on it"
            onClick={() => void command({ "undo-one": {} })}
          >
            Undo one event
          </button>
          <button
            title="Redo the next known event of this process if all its causes are there"
            onClick={() => void command({ "redo-one": {} })}
          >
            Redo one event
          </button>
          <span class="dim">of {pidOf(proc)}, alone</span>
        </p>
      )}
      <h3>Everything that can happen now</h3>
      {all.length === 0 && <Empty text="Nothing can happen." />}
      <ul class="enabled">
        {all.slice(0, MOST).map((one, i) => (
          <li key={i}>
            {"run" in one && (
              <button onClick={() => void stepEvent(one.run.proc)}>
                {who(one.run)} runs to its next event
              </button>
            )}
            {"replay" in one && (
              <button onClick={() => void stepEvent(one.replay.proc)}>
                {who(one.replay)} goes on as it did
              </button>
            )}
            {"deliver" in one && (
              <button onClick={() => void deliver(one.deliver.from, one.deliver.to)}>
                {one.deliver.what} from {who(one.deliver.from)} arrives at {who(one.deliver.to)}
              </button>
            )}
          </li>
        ))}
      </ul>
      {all.length > MOST && <p class="none">… and {all.length - MOST} more</p>}
    </div>
  );
}
