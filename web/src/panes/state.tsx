// The selected process: its calls, variables, messages, history and log.

import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { tryOut } from "../difference";
import { At, Empty, EventList, Pid, StateMark, Term } from "../parts";
import { libraryShown, remembered } from "../settings";
import {
  command,
  level,
  lookAt,
  moment,
  reason,
  selectEvent,
  selectedProc,
  session,
  shownLine,
  summary,
  tell,
  useView,
} from "../store";
import type { EventList as Page, MessageRow as Message, ProcessView, OriginHop } from "../types";

const allVariables = signal(false);
/** Only what the rest of the function needs is shown. */
const neededOnly = signal(false);

/** The selected process, at the moment that is looked at. */
export function useProcess(): ProcessView | null {
  const proc = selectedProc.value;
  return useView("process", proc === null ? null : { proc, at: moment.value });
}

/** The call that is shown: the one that was chosen, or the nearest of the program's own, unless one
 *  walks through OTP's code too. */
export function shownLevel(view: ProcessView): number {
  if (level.value !== null) return level.value;
  if (summary.value?.code === "all") return 0;
  return Math.max(0, view.calls.findIndex((call) => call.owner === "own"));
}

export function Variables() {
  const view = useProcess();
  if (!view) return null;
  if (view.state === "unspawned") return <Empty text="This process is not spawned here." />;
  const chosen = shownLevel(view);
  const shown = allVariables.value ? view.calls : view.calls.slice(chosen, chosen + 1);
  const first = allVariables.value ? 0 : chosen;
  return (
    <div class="pane-column">
      <div class="tools here">
        <StateMark state={view.state} />
        <span class="dim">
          {view.pid}@{view.step}
        </span>
        <span class="grow" />
        {view.needed && chosen === 0 && (
          <label title="Only variables that what is left of the function needs">
            <input
              type="checkbox"
              checked={neededOnly.value}
              onChange={(e) => (neededOnly.value = e.currentTarget.checked)}
            />{" "}
            needed
          </label>
        )}
        <label>
          <input
            type="checkbox"
            checked={allVariables.value}
            onChange={(e) => (allVariables.value = e.currentTarget.checked)}
          />{" "}
          all calls
        </label>
      </div>
      <div class="scroll">
        {view.expression && /[\w"$]/.test(view.expression) && !view.exit && (
          <p class="next-expression" title={`the next reduction: ${view.rule ?? ""}`}>
            <span class="dim">next</span> <code>{view.expression.slice(0, 200)}</code>
          </p>
        )}
        {view.exit && (
          <p class={view.state === "crashed" ? "exit" : ""}>
            ended: <code>{view.exit}</code>
            {view.result && (
              <>
                {" "}
                with <code>{view.result}</code>
              </>
            )}
          </p>
        )}
        <Why />
        <State view={view} />
        {shown.map((call, i) => (
          <div key={i}>
            {allVariables.value && <h3>{call.function}</h3>}
            {call.bindings.length === 0 && !allVariables.value && !view.exit && (
              <Empty text="No variable is bound here." />
            )}
            <table class="bindings">
              <tbody>
                {call.bindings
                  .filter((b) => first + i > 0 || !neededOnly.value || !view.needed || view.needed.includes(b.name))
                  .map((b) => (
                  <tr key={`${view.step}.${b.name}.${b.text}`}>
                    <th scope="row">
                      <button
                        title={`Why does ${b.name} have this value?`}
                        onClick={() => void askWhy(view.proc, first + i, b.name)}
                      >
                        {b.name}
                      </button>
                    </th>
                    <td>
                      <Term
                        term={b}
                        of={{ proc: view.proc, level: first + i, variable: b.name, at: moment.value }}
                      />
                    </td>
                    <td class="deed">
                      <button
                        title={`Undo to before ${b.name} was bound`}
                        onClick={() => void command({ undo: { target: { variable: b.name } } })}
                      >
                        ↶
                      </button>
                      {first + i === 0 && !view.exit && <Another view={view} name={b.name} />}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        ))}
        <Watches proc={view.proc} />
      </div>
    </div>
  );
}

/** Whether a process is in the middle of a line, so that a part of it was computed already. */
const isWithinLine = (view: ProcessView) =>
  view.column !== null && view.source !== null && view.column - 1 > view.source.search(/\S/);

/** Another value for a variable: everything runs on with it on a branch. */
function Another({ view, name }: { view: ProcessView; name: string }) {
  const [text, setText] = useState<string | null>(null);
  const { proc, step } = view;
  if (text === null) {
    return (
      <button title={`What if ${name} had another value?`} onClick={() => setText("")}>
        ✎
      </button>
    );
  }
  const at = { process: proc, moment: { proc, step } };
  return (
    <form
      onSubmit={(e) => {
        e.preventDefault();
        if (text.trim()) void tryOut({ value: { name, expression: text, at } }, proc);
        setText(null);
      }}
    >
      <input
        class="mono"
        aria-label={`What if ${name} were`}
        placeholder="what if it were ..."
        value={text}
        ref={(field) => field?.focus()}
        onInput={(e) => setText(e.currentTarget.value)}
        onKeyDown={(e) => {
          if (e.key === "Escape") setText(null);
        }}
      />
      {isWithinLine(view) && (
        <p class="dim" data-testid="too-late">
          It holds from here on: what this line has computed already stays as it was.
        </p>
      )}
    </form>
  );
}

/** The state that the callback module of a server keeps. */
function State({ view }: { view: ProcessView }) {
  const kept = view.state_kept;
  if (!kept) return null;
  return (
    <div class="kept" data-testid="kept-state">
      <h3>
        {kept.behaviour} {kept.module}
        {kept.name && <code> {kept.name}</code>}
      </h3>
      <Term
        key={`${view.proc}.${view.step}.${kept.text}`}
        term={kept}
        of={{ state: view.proc, at: moment.value }}
        about={(path, name) => {
          changesOf.value = { proc: view.proc, path, name };
          changesShown.value = true;
        }}
        open
      />
      <Changes proc={view.proc} />
    </div>
  );
}

const changesShown = signal(false);
/** The part of a state whose changes are shown; null: the whole. */
const changesOf = signal<{ proc: number; path: number[]; name: string } | null>(null);

/** Every message that changed the state, or a part of it, the latest first. */
function Changes({ proc }: { proc: number }) {
  const part = changesOf.value?.proc === proc ? changesOf.value : null;
  const path = part?.path ?? [];
  const seen = useView("changes", changesShown.value ? { proc, path, at: moment.value } : null);
  const flip = () => {
    changesShown.value = part !== null || !changesShown.value;
    changesOf.value = null;
  };
  return (
    <div data-testid="changes">
      <button aria-expanded={changesShown.value && part === null} onClick={flip}>
        What changed it
      </button>
      {part && (
        <span>
          {" "}
          what changed <b>{part.name}</b>
        </span>
      )}
      {seen && seen.changes.length === 0 && <Empty text="Nothing has changed it." />}
      <ol class="changes">
        {seen?.changes.map((change) => (
          <li key={change.event.event}>
            <button class="link" onClick={() => selectEvent(change.event.event)}>
              {change.event.text}
            </button>
            {change.parts.length > 0 ? (
              <ul class="plain mono" title={`${change.before?.text ?? ""} → ${change.after?.text ?? ""}`}>
                {change.parts.map((part) => (
                  <li key={part.name}>
                    <span class="dim">{part.name}</span> {part.before ?? "not there"} → {part.after ?? "not there"}
                  </li>
                ))}
              </ul>
            ) : (
              <div class="mono">
                {change.before?.text ?? "not there"} → {change.after?.text ?? "not there"}
              </div>
            )}
          </li>
        ))}
      </ol>
      {seen && seen.earlier > 0 && (
        <p class="dim">{seen.earlier.toLocaleString("en")} receives before these were not looked at</p>
      )}
    </div>
  );
}

async function askWhy(proc: number, level: number, variable: string) {
  try {
    reason.value = await session.look("why", { variable, proc, level, at: moment.value });
  } catch (why) {
    tell((why as Error).message, true);
  }
}

/** So many places of a chain are shown. */
const mostHops = 40;

/** A place in the program's own code, or what passed between processes. */
export const isTelling = (hop: OriginHop) =>
  hop.owner === "own" || hop.kind === "sent" || hop.kind === "spawned";

/** One place on the way back of a value, in words. */
export function hopText(hop: OriginHop): string {
  const place = `${hop.own_at ?? hop.at} (${hop.called} ${hop.pid}@${hop.step})`;
  switch (hop.kind) {
    case "bound":
      return `${hop.variable} = ${hop.value} bound at ${place}`;
    case "returned":
      return `returned at ${place}`;
    case "made":
      return `made at ${place}`;
    case "sent":
    case "spawned":
      return `${hop.kind}: ${hop.event?.called} ${hop.event?.text} (${hop.own_at ?? hop.event?.at})`;
  }
}

/** Where a value came from, back to where it was made; each place can be gone to. */
function Why() {
  const shown = reason.value;
  const box = useRef<HTMLDivElement>(null);
  // It is asked for below, where it may be out of sight.
  useEffect(() => box.current?.scrollIntoView({ block: "nearest" }), [shown]);
  if (!shown) return null;
  const { variable, value, message } = shown;
  const telling = libraryShown.value ? shown.chain : shown.chain.filter(isTelling);
  return (
    <div class="why" data-testid="why" ref={box}>
      <pre>{`${variable} = ${value}`}</pre>
      <ol>
        {telling.slice(0, mostHops).map((hop, i) => (
          <li key={i} class="mono">
            <button
              class="link"
              title="Look at this place"
              onClick={() => lookAt({ proc: hop.proc, step: hop.step })}
            >
              {hopText(hop)}
            </button>{" "}
            <button onClick={() => void command({ goto: { process: hop.proc, step: hop.step } })}>
              Go there
            </button>
          </li>
        ))}
      </ol>
      {telling.length > mostHops && <p>{`... and ${telling.length - mostHops} more`}</p>}
      <div class="row">
        {message && <button onClick={() => selectEvent(message.event)}>Show the message</button>}
        <button onClick={() => (reason.value = null)}>Close</button>
      </div>
    </div>
  );
}

const watched = remembered<string[]>("watches", []);

/** Expressions whose values are shown wherever one goes. */
function Watches({ proc }: { proc: number }) {
  const [text, setText] = useState("");
  return (
    <div class="watches">
      {watched.value.map((expression) => (
        <Watch key={expression} expression={expression} proc={proc} />
      ))}
      <form
        class="row"
        onSubmit={(e) => {
          e.preventDefault();
          const added = text.trim();
          if (added && !watched.value.includes(added)) watched.value = [...watched.value, added];
          setText("");
        }}
      >
        <input
          class="grow mono"
          placeholder="an Erlang expression to watch"
          aria-label="Expression to watch"
          value={text}
          onInput={(e) => setText(e.currentTarget.value)}
        />
      </form>
    </div>
  );
}

function Watch({ expression, proc }: { expression: string; proc: number }) {
  const seen = useView("print", { expression, proc, at: moment.value });
  return (
    <div class="row watch">
      <code class="dim">{expression}</code>
      <code class="grow">{seen?.pretty ?? "—"}</code>
      <button
        class="fold"
        aria-label={`Stop watching ${expression}`}
        onClick={() => (watched.value = watched.value.filter((w) => w !== expression))}
      >
        ×
      </button>
    </div>
  );
}

export function LibrarySwitch({ folded, what }: { folded: number; what: string }) {
  if (folded === 0 && !libraryShown.value) return null;
  return (
    <div class="tools">
      <label>
        <input
          type="checkbox"
          checked={libraryShown.value}
          onChange={(e) => (libraryShown.value = e.currentTarget.checked)}
        />{" "}
        library {what}
      </label>
      {folded > 0 && <span class="dim">{folded} folded</span>}
    </div>
  );
}

export function Stack() {
  const view = useProcess();
  if (!view) return null;
  if (view.state === "unspawned") return <Empty text="This process is not spawned here." />;
  const chosen = shownLevel(view);
  const isShown = (i: number) => libraryShown.value || i === chosen || view.calls[i].owner === "own";
  const folded = view.calls.filter((_, i) => !isShown(i)).length;
  return (
    <div class="pane-column">
      <LibrarySwitch folded={folded} what="calls" />
      <ol class="stack scroll" start={0}>
      {view.calls.map((call, i) => isShown(i) && (
        <li key={i} class={`${i === chosen ? "chosen" : ""} ${call.owner}`} value={i}>
          <button
            onClick={() => {
              level.value = i;
              shownLine.value =
                call.file && call.line ? { file: call.file, line: call.line } : null;
            }}
          >
            {call.function}
          </button>
          {call.file && <At at={`${call.file}:${call.line}`} />}
        </li>
      ))}
      {view.depth > view.calls.length && (
        <li class="dim">… and {view.depth - view.calls.length} more</li>
      )}
      </ol>
    </div>
  );
}

function MessageRow({ message, flying }: { message: Message; flying: boolean }) {
  return (
    <li>
      <div class="row">
        <button class="id" title="Show where it was sent" onClick={() => selectEvent(message.sent)}>
          {message.id}
        </button>
        <span class="dim">from</span> <Pid id={message.from.proc} />
        {flying && message.to !== null && (
          <>
            <span class="dim">to</span> <Pid id={message.to.proc} />
          </>
        )}
        {flying && message.to === null && <span class="dim">to nobody</span>}
        <span class="grow" />
        <At at={message.at} />
        {flying && message.to !== null && (
          <button onClick={() => void command({ deliver: { what: { message: message.id } } })}>Deliver</button>
        )}
      </div>
      {message.words && <b>{message.words}</b>} <Term term={message} of={{ event: message.sent }} />
      {!flying && <WhyNot message={message.id} />}
    </li>
  );
}

const VERDICTS = {
  takes: "takes it",
  pattern: "the pattern does not fit",
  guard: "the guard is not true",
  unknown: "cannot be told",
};

/** Why a message in the mailbox is not received: what each clause says to it. */
function WhyNot({ message }: { message: string }) {
  const [asked, setAsked] = useState(false);
  const seen = useView("unmatched", asked ? { message, at: moment.value } : null);
  return (
    <div data-testid="why-not">
      <button aria-expanded={asked} onClick={() => setAsked(!asked)}>
        Why is it not received?
      </button>
      {seen && (
        <>
          <p>
            {seen.sentence} {seen.at && <At at={seen.at} />}
          </p>
          <dl class="test">
            {seen.clauses.map((clause, i) => (
              <>
                <dt key={i}>{VERDICTS[clause.verdict]}</dt>
                <dd>
                  <code>{clause.text}</code>
                </dd>
              </>
            ))}
          </dl>
        </>
      )}
    </div>
  );
}

export function Mailbox() {
  const view = useProcess();
  const flying = useView("flying", {});
  return (
    <div class="scroll">
      <h3>Mailbox, oldest first</h3>
      {view?.waiting.messages.length ? (
        <ul class="messages">
          {view.waiting.messages.map((m) => (
            <MessageRow key={m.id} message={m} flying={false} />
          ))}
        </ul>
      ) : (
        <Empty text="Nothing waits in the mailbox." />
      )}
      <h3>
        On their way <span class="badge">{flying?.count ?? 0}</span>
      </h3>
      {flying?.messages.length ? (
        <ul class="messages">
          {flying.messages.map((m) => (
            <MessageRow key={m.id} message={m} flying />
          ))}
        </ul>
      ) : (
        <Empty text="Nothing is on its way. Delivery by hand (see Automatic) keeps messages on their way." />
      )}
    </div>
  );
}

/** The latest first, as one looks back. */
const latestFirst = (page: Page | null) => [...(page?.events ?? [])].reverse();

function More({ page, count, set }: { page: Page | null; count: number; set: (n: number) => void }) {
  if (!page || page.events.length >= page.count || count >= 2000) return null;
  return (
    <button class="more" onClick={() => set(count + 400)}>
      {page.count - page.events.length} more…
    </button>
  );
}

/** Every reduction of a process, the latest first. */
function Steps({ proc }: { proc: number }) {
  const done = useView("steps", { proc, count: 300 });
  return (
    <table class="mono" data-testid="steps">
      <tbody>
        {[...(done?.steps ?? [])].reverse().map((row) => (
          <tr key={row.step}>
            <td>@{row.step}</td>
            <td>{row.rule}</td>
            <td>{row.expression}</td>
            <td>{row.at}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function History() {
  const proc = selectedProc.value;
  const [count, setCount] = useState(100);
  const [everyStep, setEveryStep] = useState(false);
  const past = useView("history", proc === null ? null : { proc, count });
  return (
    <div class="scroll">
      <h3>Done, latest first</h3>
      <label>
        <input
          type="checkbox"
          checked={everyStep}
          onChange={(e) => setEveryStep(e.currentTarget.checked)}
        />{" "}
        every step
      </label>
      {everyStep && proc !== null ? (
        <Steps proc={proc} />
      ) : (
        <>
          <EventList events={latestFirst(past)} none="It has done nothing yet." />
          <More page={past} count={count} set={setCount} />
        </>
      )}
    </div>
  );
}

export function Log() {
  const proc = selectedProc.value;
  const [count, setCount] = useState(100);
  const future = useView("log", proc === null ? null : { proc, count });
  return (
    <div class="scroll">
      <h3>To come, as it happened before</h3>
      <EventList
        events={future?.events ?? []}
        none="Nothing more is known of it: stepping lets it run on."
      />
      <More page={future} count={count} set={setCount} />
    </div>
  );
}
