// Small things that many panes show.

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { hovered, pidOf, procName, procs, selectEvent, selectProc, selectedEvent, session, shownLine } from "./store";
import { show } from "./layout";
import { libraryShown } from "./settings";
import type { EventRow, ProcessState, ShownTerm, TermParts, TermSource } from "./types";

/** A process by its pid; choosing it makes it the current one. */
export function Pid({ id }: { id: number }) {
  const known = procs.value.get(id);
  return (
    <button class="pid" title={known ? known.entry : ""} onClick={() => selectProc(id)}>
      {known && <span class="name">{known.label}</span>} <span class="dim">{pidOf(id)}</span>
    </button>
  );
}

/** `file.erl:7`, which shows the line. */
export function At({ at }: { at: string }) {
  const place = placeIn(at);
  if (!place) return null;
  return (
    <button class="at" title={at} onClick={() => showPlace(at)}>
      <span class="file">{place.file.split("/").pop()}</span>:{place.line}
    </button>
  );
}

function placeIn(at: string): { file: string; line: number } | null {
  const match = /^(.*):(\d+)$/.exec(at);
  return match && { file: match[1], line: Number(match[2]) };
}

/** Shows `file:line` in the source. */
export function showPlace(at: string) {
  const place = placeIn(at);
  if (!place) return;
  shownLine.value = place;
  show("source", "source");
}

const STATES: Record<ProcessState, [string, string]> = {
  unspawned: ["·", "not spawned yet here"],
  running: ["▶", "can run"],
  waiting: ["❚❚", "waits in a receive"],
  exited: ["■", "has ended"],
  crashed: ["✖", "has crashed"],
};

export function StateMark({ state, said }: { state: ProcessState; said?: string }) {
  const [mark, meaning] = STATES[state];
  return (
    <span class={`state state-${state}`} title={meaning}>
      <span aria-hidden="true">{mark}</span> {said ?? state}
    </span>
  );
}

/** What is left to say of a term whose parts are shown. */
const heading = (term: ShownTerm) => /^(#\w+|#?\{|\[|.)/u.exec(term.text)?.[0] ?? "";

const LETTERS: Record<string, string> = { tuple: "{}", list: "[]", map: "#{}" };

/** A longer value that changed is told when its parts are shown. */
const MOST_WAS = 40;

interface TermProps {
  term: ShownTerm;
  /** Where the term is, so that its parts can be asked for. */
  of: TermSource;
  path?: number[];
  /** Its parts are shown from the beginning. */
  open?: boolean;
  /** What to do with a part that somebody wants to know more about. */
  about?: (path: number[], name: string) => void;
}

/** A term on one line that opens into its parts. */
export function Term({ term, of, path = [], open = false, about }: TermProps) {
  const [parts, setParts] = useState<TermParts | null>(null);
  useEffect(() => {
    if (open && term.opens) void load(0).catch(() => setParts(null));
  }, []);
  const load = async (from: number) => {
    const more = await session.look("term", { of, path, from });
    setParts((old) => (old && from > 0 ? { ...more, from: 0, parts: [...old.parts, ...more.parts] } : more));
  };
  const flip = () => (parts ? setParts(null) : void load(0).catch(() => setParts(null)));
  return (
    <span class="term">
      {term.opens && (
        <button
          class="fold"
          aria-expanded={parts !== null}
          aria-label={parts ? "fold" : "unfold"}
          onClick={flip}
        >
          {parts ? "▾" : "▸"}
        </button>
      )}
      <code class={`value value-${term.kind}`}>{parts && open ? heading(term) : term.text}</code>
      {parts && (
        <ol class="parts" start={0} aria-label={LETTERS[term.kind]}>
          {parts.parts.map((part, i) => (
            <li key={i}>
              <span class="key">{part.key ?? i + 1}</span>
              <Term term={part} of={of} path={[...path, i]} about={about} />
              {part.was !== null && (
                <span class="was" title={`before the last message: ${part.was}`}>
                  {part.opens && part.was.length > MOST_WAS ? "changed" : `was ${part.was}`}
                </span>
              )}
              {about && (
                <button class="part-changes" title="What changed this part?" onClick={() => about([...path, i], part.key ?? `${i + 1}`)}>
                  ↺
                </button>
              )}
            </li>
          ))}
          {parts.parts.length < parts.count && (
            <li>
              <button class="more" onClick={() => void load(parts.parts.length)}>
                {parts.count - parts.parts.length} more…
              </button>
            </li>
          )}
        </ol>
      )}
    </span>
  );
}

export const KIND_MARKS: Record<string, string> = {
  send: "▷",
  receive: "◁",
  deliver: "╷",
  spawn: "◆",
  exit: "■",
  timeout: "⋈",
  output: "▤",
  signal: "≈",
  table: "▦",
  register: "@",
  unregister: "@",
  call: "·",
};

interface EventListProps {
  events: EventRow[];
  /** The process of each event is shown, unless all are of one. */
  withProc?: boolean;
  none: string;
  /** What else there is to say of an event. */
  note?: (event: EventRow) => ComponentChildren;
}

export function EventList({ events, withProc = false, none, note }: EventListProps) {
  const shown = libraryShown.value ? events : events.filter((e) => e.weight === "main");
  const folded = events.length - shown.length;
  if (events.length === 0) return <p class="none">{none}</p>;
  return (
    <>
    {folded > 0 && (
      <p class="none">
        {folded.toLocaleString("en")} of libraries alone{" "}
        <button onClick={() => (libraryShown.value = true)}>Show</button>
      </p>
    )}
    <ol class="events">
      {shown.map((e) => (
        <li key={e.event} class={e.event === selectedEvent.value ? "chosen" : ""}>
          <button
            class="event"
            data-event={e.event}
            onClick={() => selectEvent(e.event)}
            onPointerEnter={() => (hovered.value = e.event)}
            onPointerLeave={() => (hovered.value = null)}
          >
            <span class={`mark kind-${e.kind}`} aria-hidden="true">
              {KIND_MARKS[e.kind] ?? "·"}
            </span>
            {withProc && <span class="who">{procName(e.proc)}</span>}
            <span class="step">@{e.step}</span>
            <span class="what">{e.text}</span>
          </button>
          <At at={e.own_at ?? e.at} />
          {note?.(e)}
        </li>
      ))}
    </ol>
    </>
  );
}

export function Empty({ text }: { text: string }) {
  return <p class="none">{text}</p>;
}
