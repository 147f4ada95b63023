// The declarative dialogue: questions about what was computed, until the wrong line is named.

import { useEffect, useRef, useState } from "preact/hooks";
import { At, Empty, showPlace } from "../parts";
import { ask, procs, selectProc, selectedProc, useView } from "../store";
import type { DialogueChoices, DialogueStart, DialogueState, SaidWord } from "../types";

export function AskPane() {
  const seen = useView("ask", {});
  if (!seen) return null;
  return "dialogue" in seen ? <Running dialogue={seen.dialogue} /> : <Beginnings seen={seen} />;
}

function Beginnings({ seen }: { seen: DialogueChoices }) {
  const [strategy, setStrategy] = useState("suspicion");
  const begin = (start: DialogueStart) => void ask({ begin: { ...start, strategy } });
  return (
    <div class="pane-column">
      <div class="tools">
        <span>Where did you see something wrong?</span>
        <button onClick={() => begin({})}>Anywhere</button>
        {selectedProc.value !== null && (
          <button onClick={() => begin({ process: selectedProc.value ?? undefined })}>In the selected process</button>
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
                  <button class="pid" onClick={() => begin({ process: p.proc })}>
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

function showProcess(pid: string) {
  const found = [...procs.value.values()].find((p) => p.pid === pid);
  if (found) selectProc(found.id);
}

const OTHER_ANSWERS: [SaidWord, string, string][] = [
  ["dont-know", "I do not know", "Ask about something else"],
  ["inadmissible", "Should never have been called so", "The caller is wrong, not this"],
  ["trust-function", "Trust this function", "All its calls are right"],
  ["trust-module", "Trust its module", "All calls of its functions are right"],
  ["trust-process", "Trust this process", "All that it did is right"],
];

/** How many suspects are left of those that there were, as a bar that becomes shorter. */
function Suspects({ dialogue }: { dialogue: DialogueState }) {
  const most = useRef(1);
  most.current = Math.max(most.current, dialogue.suspects);
  const left = dialogue.suspects.toLocaleString("en");
  return (
    <label class="suspects" data-testid="suspects">
      <meter min={0} max={most.current} value={dialogue.suspects} />
      <span>{dialogue.suspects === 1 ? "1 suspect is left" : `${left} suspects are left`}</span>
    </label>
  );
}

function Running({ dialogue }: { dialogue: DialogueState }) {
  const shown = dialogue.question ?? dialogue.verdict;
  // The code and the process of a question are what one wants to look at while answering it.
  useEffect(() => {
    if (!shown) return;
    showProcess(shown.pid);
    showPlace(shown.at);
  }, [shown?.pid, shown?.at, dialogue.asked.length]);
  if (dialogue.elsewhere) {
    return (
      <div class="pane-column">
        <Empty text={dialogue.elsewhere} />
        <p>
          <button onClick={() => void ask({ end: true })}>Begin anew</button>
        </p>
      </div>
    );
  }
  const { question, verdict, asked } = dialogue;
  return (
    <div class="split-two ask" data-testid="ask">
      <div class="scroll">
        {question && (
          <>
            <p class="row">
              <button class="pid" onClick={() => showProcess(question.pid)}>
                {question.pid}
              </button>
              <At at={question.at} />
            </p>
            <pre class="question">{question.question}</pre>
            <h3>{question.prompt}</h3>
            <ol class="answers">
              {question.options.map((option, i) => (
                <li key={i}>
                  <button onClick={() => void ask({ option: i + 1 })}>
                    <span class="key">{i + 1}</span>
                    <pre>{option}</pre>
                  </button>
                </li>
              ))}
            </ol>
            <p class="row">
              {OTHER_ANSWERS.map(([say, label, title]) => (
                <button key={say} title={title} onClick={() => void ask({ say })}>
                  {label}
                </button>
              ))}
            </p>
            {dialogue.why && <p class="dim">{dialogue.why}</p>}
          </>
        )}
        {verdict && (
          <div class="verdict" data-testid="verdict">
            <p>
              <b>✔ Found: {verdict.kind}</b> in{" "}
              <button class="pid" onClick={() => showProcess(verdict.pid)}>
                {verdict.pid}
              </button>
              , function <code>{verdict.function}</code>, at <At at={verdict.at} />
            </p>
            <pre class="question">{verdict.text}</pre>
            {verdict.unless.map((other) => (
              <p key={other} class="dim">
                unless this is wrong, which was not judged: <code>{other}</code>
              </p>
            ))}
          </div>
        )}
        {dialogue.over && !verdict && (
          <Empty text="No error was found: every computation that could be asked about is right." />
        )}
      </div>
      <div class="scroll">
        <div class="tools">
          <Suspects dialogue={dialogue} />
          <span class="dim">strategy {dialogue.strategy}</span>
          <span class="grow" />
          <button disabled={asked.length === 0} onClick={() => void ask({ undo: 1 })}>
            Take back
          </button>
          <button onClick={() => void ask({ end: true })}>End</button>
        </div>
        <ol class="asked">
          {asked.map((a, i) => (
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
