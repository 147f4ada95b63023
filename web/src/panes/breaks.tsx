// Breakpoints of every kind: lines, functions, events with a pattern, variables; with conditions.
// Below them, prints after the fact.

import { useState } from "preact/hooks";
import { At, Empty } from "../parts";
import { breakpoints, command } from "../store";
import { Log } from "./log";

const EXAMPLES = [
  "file.erl:12",
  "module:function/2",
  "send '{data, _}'",
  "receive",
  "exit",
  "variable X",
  "state State#st.items",
  "output 'sold'",
  "forever",
  "f/2 if N > 3",
];

export function Breakpoints() {
  const [text, setText] = useState("");
  const all = breakpoints.value;
  return (
    <div class="pane-column">
      <form
        class="tools"
        onSubmit={(e) => {
          e.preventDefault();
          if (text.trim()) void command(`break ${text.trim()}`).then((done) => done.ok && setText(""));
        }}
      >
        <input
          class="grow mono"
          list="break-examples"
          placeholder="a line, function, event, variable or part of a state, with a condition if wished"
          aria-label="New breakpoint"
          value={text}
          onInput={(e) => setText(e.currentTarget.value)}
        />
        <datalist id="break-examples">
          {EXAMPLES.map((e) => (
            <option key={e} value={e} />
          ))}
        </datalist>
        <button type="submit">Stop there</button>
      </form>
      <div class="scroll" data-testid="breakpoints">
        {all.length === 0 && (
          <Empty text="Runs stop nowhere. Click beside a line number in the source, or write a place above. Breakpoints hold in both directions." />
        )}
        <table class="list">
          <tbody>
            {all.map((b) => (
              <tr key={b.id}>
                <td>⬤ {b.id}</td>
                <td class="wide">
                  <code>{b.text}</code>
                </td>
                <td>
                  <At at={b.text} />
                </td>
                <td>
                  <button onClick={() => void command({ delete: { id: b.id } })}>Delete</button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <Log />
      </div>
    </div>
  );
}
