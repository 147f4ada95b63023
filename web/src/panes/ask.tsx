// Where the questions begin, and what was answered so far; the question itself is in the place of
// the diagram.

import { useState } from "preact/hooks";
import { asking, beginAsking } from "../guide";
import { Empty } from "../parts";
import { ask, selectedProc, useView } from "../store";
import type { DialogueChoices, DialogueState } from "../types";

export function AskPane() {
  const seen = useView("ask", {});
  if (!seen) return null;
  return "dialogue" in seen ? <Running dialogue={seen.dialogue} /> : <Beginnings seen={seen} />;
}

function Beginnings({ seen }: { seen: DialogueChoices }) {
  const [strategy, setStrategy] = useState("suspicion");
  const begin = (process?: number) => void beginAsking({ process, strategy });
  return (
    <div class="pane-column">
      <div class="tools">
        <span>Where did you see something wrong?</span>
        <button onClick={() => begin()}>Anywhere</button>
        {selectedProc.value !== null && (
          <button onClick={() => begin(selectedProc.value ?? undefined)}>In the selected process</button>
        )}
        <span class="grow" />
        <label>
          strategy{" "}
          <select value={strategy} onChange={(e) => setStrategy(e.currentTarget.value)}>
            {seen.strategies.map((s) => (
              <option key={s} value={s}>
                {s}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div class="scroll">
        <table class="list">
          <tbody>
            {seen.processes?.map((p) => (
              <tr key={p.proc}>
                <td>
                  <button class="pid" onClick={() => begin(p.proc)}>
                    {p.pid}
                  </button>
                </td>
                <td class="half">{p.first_call}</td>
                <td class="half">{p.result}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function Running({ dialogue }: { dialogue: DialogueState }) {
  const end = () => {
    asking.value = false;
    void ask({ end: true });
  };
  return (
    <div class="pane-column">
      <div class="tools">
        {!asking.value && <button onClick={() => (asking.value = true)}>Show the question</button>}
        <span class="dim">strategy {dialogue.strategy}</span>
        <span class="grow" />
        <button onClick={end}>{dialogue.elsewhere ? "Begin anew" : "End"}</button>
      </div>
      <div class="scroll">
        {dialogue.asked.length === 0 && <Empty text="Nothing was answered yet." />}
        <ol class="asked">
          {dialogue.asked.map((a, i) => (
            <li key={i}>
              <pre>{a.question.split("\n").slice(0, 3).join("\n")}</pre>
              <span class="answer">→ {a.answer}</span>
              {a.by !== "user" && <span class="dim"> ({a.by})</span>}
            </li>
          ))}
        </ol>
      </div>
    </div>
  );
}
