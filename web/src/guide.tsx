// Asking as a view of its own, in the place of the diagram: one question as a sentence, three
// answers, and the suspects that are left.

import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { At, Empty, showPlace } from "./parts";
import { ask, lookAt, procs, selectProc, useView } from "./store";
import type { DialogueStart, DialogueState, Part, QuestionRow, SaidWord, Verdict } from "./types";

/** The questions have taken the place of the diagram. */
export const asking = signal(false);

/** Begins to ask, unless that has begun already, and shows the questions. */
export async function beginAsking(start: DialogueStart) {
  await ask({ begin: { strategy: "suspicion", ...start } });
  asking.value = true;
}

export function Guide() {
  const seen = useView("ask", {});
  const dialogue = seen && "dialogue" in seen ? seen.dialogue : null;
  return (
    <section class="dock guide" aria-label="Find the wrong line" data-testid="ask">
      <div class="tabs">
        <h2>Find the wrong line</h2>
        {dialogue && <Suspects dialogue={dialogue} />}
        <span class="grow" />
        {dialogue && (
          <button disabled={dialogue.asked.length === 0} onClick={() => void ask({ undo: 1 })}>
            Take back
          </button>
        )}
        <button
          onClick={() => {
            asking.value = false;
            void ask({ end: true });
          }}
        >
          End
        </button>
        <button onClick={() => (asking.value = false)}>Back to the diagram</button>
      </div>
      <div class="scroll guide-body" tabIndex={0} role="region" aria-label="The question">
        {dialogue ? <Asked dialogue={dialogue} /> : <Empty text="No questions are being asked." />}
      </div>
    </section>
  );
}

/** How many suspects are left of those that there were, as a bar that becomes shorter. */
export function Suspects({ dialogue }: { dialogue: DialogueState }) {
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

export function showProcess(pid: string) {
  const found = [...procs.value.values()].find((p) => pid.startsWith(p.pid));
  if (found) selectProc(found.id);
}

function Asked({ dialogue }: { dialogue: DialogueState }) {
  const { question, verdict } = dialogue;
  const shown = question ?? verdict;
  // The code and the process of a question are what one wants to look at while answering it.
  useEffect(() => {
    if (!shown) return;
    if (question) lookAt({ proc: question.proc, step: question.step });
    else showProcess(shown.pid);
    showPlace(shown.at);
  }, [shown?.pid, shown?.at, dialogue.asked.length]);
  if (dialogue.elsewhere) return <Empty text={dialogue.elsewhere} />;
  if (verdict) {
    return (
      <>
        <Found verdict={verdict} />
        <Inside parts={dialogue.inside} />
      </>
    );
  }
  if (!question) {
    return <Empty text="No error was found: every computation that could be asked about is right." />;
  }
  return (
    <>
      <Question key={dialogue.asked.length + question.sentence} question={question} why={dialogue.why} />
      <Inside parts={dialogue.inside} />
    </>
  );
}

/** What the computation in question did itself: clauses that were not taken, branches, bindings. */
function Inside({ parts }: { parts: Part[] }) {
  if (parts.length === 0) return null;
  return (
    <details data-testid="inside">
      <summary>look inside: what it did itself, {parts.length} parts</summary>
      <ol>
        {parts.map((part, i) => (
          <li key={i}>
            <code>{part.text}</code> <At at={part.at} />
          </li>
        ))}
      </ol>
    </details>
  );
}

const MORE: [SaidWord, string, string][] = [
  ["inadmissible", "Should never have been called so", "The caller is wrong, not this"],
  ["trust-function", "Trust this function", "All its calls are right"],
  ["trust-module", "Trust its module", "All calls of its functions are right"],
  ["trust-process", "Trust this process", "All that it did is right"],
];

function Question({ question, why }: { question: QuestionRow; why: string | null }) {
  const [isWrong, setWrong] = useState(question.right === null);
  const wrong = question.options.map((text, i) => ({ text, option: i + 1 })).filter((o) => o.option !== question.right);
  // Where only one thing can be wrong, saying so is the whole answer.
  const no = () => (wrong.length === 1 ? void ask({ option: wrong[0].option }) : setWrong(true));
  return (
    <>
      <p class="sentence" data-testid="sentence">
        {question.sentence} <At at={question.at} />
      </p>
      {question.right !== null && (
        <div class="verdicts">
          <button class="yes" onClick={() => void ask({ option: question.right! })}>
            ✔ It is right
          </button>
          <button class="no" aria-expanded={isWrong} onClick={no}>
            ✖ It is wrong
          </button>
          <button onClick={() => void ask({ say: "dont-know" })}>? I do not know</button>
        </div>
      )}
      {isWrong && (
        <>
          <h3>{question.right === null ? question.prompt : "What is the first thing that is wrong?"}</h3>
          <ol class="answers">
            {wrong.map(({ text, option }) => (
              <li key={option}>
                <button onClick={() => void ask({ option })}>
                  <pre>{text}</pre>
                </button>
              </li>
            ))}
          </ol>
        </>
      )}
      <details open={question.right !== null}>
        <summary>the code and its values</summary>
        <pre class="question">{question.question}</pre>
        {question.right !== null && !isWrong && (
          <ul class="plain">
            {wrong.map(({ text, option }) => (
              <li key={option}>
                <pre>{text}</pre>
              </li>
            ))}
          </ul>
        )}
      </details>
      <p class="row">
        {MORE.map(([say, label, title]) => (
          <button key={say} title={title} onClick={() => void ask({ say })}>
            {label}
          </button>
        ))}
      </p>
      {why && <p class="dim">{why}</p>}
    </>
  );
}

function Found({ verdict }: { verdict: Verdict }) {
  return (
    <div class="verdict" data-testid="verdict">
      <p class="sentence">
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
  );
}
