// Every command of the terminal debugger, typed.

import { useEffect, useRef, useState } from "preact/hooks";
import { command, selectedProc, pidOf, transcript } from "../store";

export function Console() {
  const [line, setLine] = useState("");
  const [back, setBack] = useState(0);
  const end = useRef<HTMLDivElement>(null);
  const said = transcript.value;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => end.current?.scrollIntoView({ block: "nearest" }), [said]);
  useEffect(() => field.current?.focus(), []);
  const typed = said.map((t) => t.command);
  const recall = (step: number) => {
    const at = Math.min(Math.max(0, back + step), typed.length);
    setBack(at);
    setLine(at === 0 ? "" : typed[typed.length - at]);
  };
  return (
    <div class="pane-column console">
      <div class="scroll" data-testid="transcript">
        {said.map((t, i) => (
          <div key={i}>
            <div class="typed">
              <span class="dim">(reverl)</span> {t.command}
            </div>
            {t.text && <pre class={t.ok ? "" : "bad"}>{t.text}</pre>}
          </div>
        ))}
        <div ref={end} />
      </div>
      <form
        class="tools"
        onSubmit={(e) => {
          e.preventDefault();
          if (line.trim()) void command(line.trim());
          setLine("");
          setBack(0);
        }}
      >
        <label for="console-line" class="dim">
          {selectedProc.value === null ? "" : pidOf(selectedProc.value)} (reverl)
        </label>
        <input
          id="console-line"
          ref={field}
          class="grow mono"
          autocomplete="off"
          spellcheck={false}
          placeholder="help lists the commands"
          value={line}
          onInput={(e) => setLine(e.currentTarget.value)}
          onKeyDown={(e) => {
            if (e.key === "ArrowUp") recall(1);
            else if (e.key === "ArrowDown") recall(-1);
          }}
        />
      </form>
    </div>
  );
}
