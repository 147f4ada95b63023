// Prints after the fact: an expression at a place of the code, with every value it ever had there.

import { useState } from "preact/hooks";
import { At, Empty } from "../parts";
import { lookAt, session, shownLine, tell } from "../store";
import type { LoggedRow, LoggedValues } from "../types";

function Row({ row }: { row: LoggedRow }) {
  const show = () => lookAt({ proc: row.proc, step: row.step });
  const hasValue = "value" in row.value;
  return (
    <tr class={row.is_ahead ? "dim" : ""}>
      <td>
        <button class="link" onClick={show} title="Look at this moment">
          {row.called}@{row.step}
        </button>
      </td>
      <td class="wide">
        <code class={hasValue ? "" : "dim"}>{Object.values(row.value)[0]}</code>
      </td>
      <td>
        <At at={row.at} />
      </td>
    </tr>
  );
}

export function Log() {
  const [place, setPlace] = useState("");
  const [expression, setExpression] = useState("");
  const [logged, setLogged] = useState<LoggedValues | null>(null);
  const shown = shownLine.value;
  const here = shown ? `${shown.file}:${shown.line}` : "file.erl:12 or module:function/2";
  const print = async () => {
    try {
      setLogged(await session.look("logged", { place: place.trim() || here, expression }));
    } catch (why) {
      setLogged(null);
      tell((why as Error).message, true);
    }
  };
  return (
    <section aria-label="Prints after the fact">
      <form
        class="tools"
        onSubmit={(e) => {
          e.preventDefault();
          if (expression.trim()) void print();
        }}
      >
        <input
          class="grow mono"
          aria-label="Where to print"
          placeholder={here}
          value={place}
          onInput={(e) => setPlace(e.currentTarget.value)}
        />
        <input
          class="grow mono"
          aria-label="What to print"
          placeholder="an expression, such as {State, Msg}"
          value={expression}
          onInput={(e) => setExpression(e.currentTarget.value)}
        />
        <button type="submit">Print there</button>
      </form>
      <div data-testid="logged">
        {logged?.rows.length === 0 && <Empty text="No process has come there." />}
        {logged && logged.rows.length > 0 && (
          <table class="list">
            <tbody>
              {logged.rows.map((row) => (
                <Row key={`${row.proc}@${row.step}`} row={row} />
              ))}
            </tbody>
          </table>
        )}
        {logged && logged.found > logged.rows.length && (
          <p class="dim">and {logged.found - logged.rows.length} more</p>
        )}
      </div>
    </section>
  );
}
