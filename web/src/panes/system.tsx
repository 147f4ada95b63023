// The whole system: trace, roll log, output, problems, races, branches.

import { useEffect, useRef, useState } from "preact/hooks";
import { openSession } from "../api";
import { tryOut } from "../difference";
import { At, Empty, EventList, Pid } from "../parts";
import { writePlace } from "../place";
import { libraryShown } from "../settings";
import {
  failure,
  loadFailure,
  procName,
  procs,
  selectEvent,
  selectedProc,
  session,
  showFailure,
  summary,
  tell,
  useView,
  whichFailure,
} from "../store";
import type { EventRow, FailureKind, PassedEvent, RaceList, RaceRow } from "../types";

export function Trace() {
  const [count, setCount] = useState(150);
  const seen = useView("trace", { count });
  return (
    <div class="scroll">
      <EventList
        events={[...(seen?.events ?? [])].reverse()}
        withProc
        none="Nothing has happened yet."
      />
      {seen && seen.events.length === count && count < 2000 && (
        <button class="more" onClick={() => setCount(count + 500)}>
          earlier…
        </button>
      )}
    </div>
  );
}

/** Why an event was undone with another one. */
function because(event: EventRow) {
  const why = (event as PassedEvent).because;
  if (!why) return <span class="dim">asked for</span>;
  return (
    <span class="dim">
      {why.rule}: {why.text},{" "}
      <button class="link" onClick={() => selectEvent(why.event)}>
        {why.event}
      </button>
    </span>
  );
}

export function RollLog() {
  const seen = useView("rolllog", { count: 500 });
  return (
    <div class="scroll">
      {seen && seen.count > 0 && (
        <h3>What the last undo undid, in the order of undoing: {seen.count} events</h3>
      )}
      <EventList events={seen?.events ?? []} withProc none="Nothing was undone." note={because} />
    </div>
  );
}

/** What a program prints, without what would only move a terminal's cursor or turn text around. */
const plain = (text: string) =>
  text
    .replace(/\u001b\[[0-9;?]*[A-Za-z]/g, "")
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f\u202a-\u202e\u2066-\u2069]/g, (c) =>
      `\\u{${c.codePointAt(0)!.toString(16)}}`,
    );

export function Output() {
  const end = useRef<HTMLDivElement>(null);
  const seen = useView("output", {});
  useEffect(() => {
    const box = end.current?.parentElement;
    if (box) box.scrollTop = box.scrollHeight;
  }, [seen]);
  if (!seen || seen.output.length === 0) return <Empty text="The program has printed nothing." />;
  return (
    <div class="scroll output" data-testid="output">
      {seen.output.map((part) => (
        <span
          key={part.event}
          class={part.undone ? "undone" : ""}
          title={`printed by ${procName(part.proc)}${part.undone ? ", undone here" : ""}`}
          onClick={() => selectEvent(part.event)}
        >
          {part.undone ? `⌫ ${plain(part.text)}` : plain(part.text)}
        </span>
      ))}
      <div ref={end} />
    </div>
  );
}

const PROBLEM_MARKS: Record<FailureKind, string> = {
  crashed: "✖",
  assertion: "✖",
  killed: "✖",
  halted: "✖",
  failed: "✖",
  deadlock: "❚❚",
  blocked: "❚❚",
  idle: "⏲",
  lost: "⊘",
  orphan: "✉",
  unreceived: "✉",
  limit: "…",
  property: "✖",
  invariant: "✖",
  linearizability: "✖",
};

export function Problems() {
  const report = failure.value;
  const rows = report?.failures ?? [];
  const idle = useView("problems", {})?.problems.filter((p) => p.kind === "idle").length ?? 0;
  const look = async (which: number) => {
    await loadFailure(which);
    showFailure();
  };
  return (
    <div class="scroll">
      {rows.length === 0 && <Empty text="No problems so far." />}
      <table class="list" data-testid="problems">
        <tbody>
          {rows.map((p, i) => (
            <tr key={i} class={`problem problem-${p.kind} ${i === whichFailure.value ? "chosen" : ""}`}>
              <td>
                <button class="kind" onClick={() => void look(i)}>
                  {PROBLEM_MARKS[p.kind]} {p.kind}
                </button>
              </td>
              <td class="wide">{p.headline}</td>
              <td>
                <Pid id={p.proc} />
              </td>
              <td>
                <At at={p.at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {report && report.count > rows.length && (
        <p class="none">… and {report.count - rows.length} more</p>
      )}
      {idle > 0 && (
        <p class="none">
          {idle} {idle === 1 ? "server waits" : "servers wait"} for requests.
        </p>
      )}
      {summary.value && !summary.value.at_end && rows.length > 0 && (
        <p class="none">These are the problems at the end of the execution.</p>
      )}
    </div>
  );
}

/** What could have been received instead, by who sent it. */
function Senders() {
  const seen = useView("senders", {});
  return (
    <div class="scroll" data-testid="senders">
      {seen?.senders.length === 0 && <Empty text="No receive could have taken another message." />}
      <ul class="races">
        {seen?.senders.map((sender) => (
          <li key={sender.proc}>
            <Pid id={sender.proc} />
            {sender.races.map((race) => (
              <div class="row racing" key={race.message.id + race.receive.event}>
                {race.message.actual ? (
                  <button onClick={() => void tryOut({ message: race.message.id }, race.receive.proc)}>
                    Take {race.message.id}
                  </button>
                ) : (
                  <span class="dim">{race.message.id} does not match</span>
                )}
                <code>{race.message.text}</code> <span class="dim">instead of</span>
                <button class="event" onClick={() => selectEvent(race.receive.event)}>
                  {race.receive.text}
                </button>
                <Pid id={race.receive.proc} />
              </div>
            ))}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Logs and traces as the papers write them. */
export function Notation() {
  const seen = useView("notation", {});
  return (
    <div class="scroll" data-testid="notation">
      <table class="list">
        <thead>
          <tr>
            <th>process</th>
            <th>log</th>
            <th>trace</th>
          </tr>
        </thead>
        <tbody>
          {seen?.processes.map((p) => (
            <tr key={p.proc}>
              <td>
                <Pid id={p.proc} />
              </td>
              <td class="half">
                <code>{p.log}</code>
              </td>
              <td class="half">
                <code>{p.trace}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Races of what only a library runs are shown to who wants to see libraries. */
const isShown = (race: RaceRow) => libraryShown.value || !procs.value.get(race.proc)?.runtime;

export function Races() {
  const proc = selectedProc.value;
  const [everywhere, setEverywhere] = useState(true);
  const [found, setFound] = useState<RaceRow[]>([]);
  const [next, setNext] = useState<number | null>(null);
  const [progress, setProgress] = useState("");
  const [bySender, setBySender] = useState(false);
  const alive = useRef(0);
  const search = async (from: number, before: RaceRow[]) => {
    const turn = ++alive.current;
    let [at, all]: [number | null, RaceRow[]] = [from, before];
    const enough = before.filter(isShown).length + 100;
    while (at !== null && all.filter(isShown).length < enough && turn === alive.current) {
      const asked = everywhere || proc === null ? { from: at } : { proc, from: at };
      const page: RaceList = await session.look("races", asked);
      if (turn !== alive.current) return;
      all = [...all, ...page.races];
      at = page.next;
      setFound(all);
      setProgress(at !== null && everywhere ? `${page.looked_at} of ${page.processes} processes` : "");
    }
    if (turn === alive.current) setNext(at);
  };
  const events = summary.value?.events;
  const branch = summary.value?.branch;
  useEffect(() => {
    void search(0, []).catch(() => setFound([]));
    return () => void alive.current++;
  }, [everywhere, everywhere ? null : proc, events, branch]);
  const shown = found.filter(isShown);
  return (
    <div class="pane-column">
      <div class="tools">
        <label>
          <input
            type="checkbox"
            checked={!everywhere}
            onChange={(e) => setEverywhere(!e.currentTarget.checked)}
          />{" "}
          only the selected process
        </label>
        <label>
          <input
            type="checkbox"
            checked={bySender}
            onChange={(e) => setBySender(e.currentTarget.checked)}
          />{" "}
          by sender
        </label>
        <span class="dim">{progress}</span>
      </div>
      {bySender && <Senders />}
      <div class="scroll" data-testid="races" hidden={bySender}>
        {shown.length === 0 && !progress && (
          <Empty text="No receive could have taken another message." />
        )}
        {shown.length < found.length && (
          <p class="none">
            {(found.length - shown.length).toLocaleString("en")} of libraries alone{" "}
            <button onClick={() => (libraryShown.value = true)}>Show</button>
          </p>
        )}
        <ul class="races">
          {shown.map((race) => (
            <li key={race.event}>
              <div class="row">
                <Pid id={race.proc} />
                <button class="event" onClick={() => selectEvent(race.event)}>
                  @{race.step} {race.text}
                </button>
                <At at={race.at} />
              </div>
              {[...race.racing].sort((a, b) => Number(b.actual) - Number(a.actual)).map((other) => (
                <div class="row racing" key={other.id}>
                  {other.actual ? (
                    <button
                      title="Go back, let this message come first, let everything run on, and tell what became different"
                      onClick={() => void tryOut({ message: other.id }, race.proc)}
                    >
                      Take {other.id} instead
                    </button>
                  ) : (
                    <span class="dim">{other.id} does not match</span>
                  )}
                  <code>{other.text}</code> <span class="dim">from</span> <Pid id={other.from.proc} />
                </div>
              ))}
            </li>
          ))}
        </ul>
        {next !== null && (
          <button class="more" onClick={() => void search(next, found)}>
            more…
          </button>
        )}
      </div>
    </div>
  );
}

/** Another session in a tab of its own: the program from its beginning, or a recording. */
export async function openTab(path: string | null) {
  // Opened at once, while the click still counts as one.
  const tab = window.open("about:blank", "_blank");
  try {
    const { id } = await openSession(path);
    const address = new URL(document.baseURI);
    address.hash = writePlace({ session: id, branch: null, cut: null, proc: null, event: null });
    if (tab) tab.location.href = address.href;
    else location.href = address.href;
  } catch (why) {
    tab?.close();
    tell((why as Error).message, true);
  }
}
