// Manual mode: exactly one thing happens, forwards or backwards, or what stands in the way is told.

import { Empty } from "../parts";
import { command, pidOf, selectedProc, useView } from "../store";

interface Enabled {
  data: {
    enabled: ({ run: string } | { deliver: { from: string; to: string } } | { replay: string })[];
  };
}

const MOST = 300;

export function Manual() {
  const seen = useView<Enabled>("command", { command: "enabled" });
  const proc = selectedProc.value;
  const all = seen?.data.enabled ?? [];
  return (
    <div class="scroll" data-testid="manual">
      {proc !== null && (
        <p class="row">
          <button
            title="Undo the last event of this process if nothing depends on it"
            onClick={() => void command("undo-one")}
          >
            Undo one event
          </button>
          <button
            title="Redo the next known event of this process if all its causes are there"
            onClick={() => void command("redo-one")}
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
              <button onClick={() => void command(`step event ${one.run}`)}>
                {one.run} runs to its next event
              </button>
            )}
            {"replay" in one && (
              <button onClick={() => void command(`step event ${one.replay}`)}>
                {one.replay} goes on as it did
              </button>
            )}
            {"deliver" in one && (
              <button onClick={() => void command(`deliver ${one.deliver.from} ${one.deliver.to}`)}>
                a signal from {one.deliver.from} arrives at {one.deliver.to}
              </button>
            )}
          </li>
        ))}
      </ul>
      {all.length > MOST && <p class="none">… and {all.length - MOST} more</p>}
    </div>
  );
}
