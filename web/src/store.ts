// The state of the page. The server has the truth: here is what was last seen of it, and what
// only this page knows (what is selected).

import { computed, signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { Refused, Session, listSessions, type ViewName } from "./api";
import { readPlace, writePlace } from "./place";
import { readProcs, type Proc } from "./lanes";
import type {
  Action,
  BreakpointRow,
  BusyView,
  CommandInput,
  DialogueStep,
  Done,
  ExplorationView,
  FailureReport,
  MomentSpec,
  ProcessRow,
  Reason,
  Summary,
  Views,
} from "./types";

export const place = readPlace(location.hash);
export const session = new Session(place.session);
export const title = signal("");

export const version = signal(0);
export const summary = signal<Summary | null>(null);
export const procs = signal<Map<number, Proc>>(new Map());
export const rows = signal<Map<number, ProcessRow>>(new Map());
export const moves = signal({ back: 0, forward: 0 });
export const busy = signal<BusyView | null>(null);
/** What the program asks while it waits for a line of standard input. */
export const question = signal<string | null>(null);
export const exploration = signal<ExplorationView | null>(null);
export const lost = signal<string | null>(null);

export const selectedProc = signal<number | null>(place.proc);
export const selectedEvent = signal<string | null>(place.event);
/** The event under the pointer, in the diagram or in a list. */
export const hovered = signal<string | null>(null);
/** The call whose variables are shown, counted from the innermost; null: the nearest one of the
 *  program's own code. */
export const level = signal<number | null>(null);
/** The moment that is looked at without going there; null: where the session is. */
export const moment = signal<MomentSpec | null>(null);
/** Where a value came from, as it was last asked; a move forgets it. */
export const reason = signal<Reason | null>(null);
/** What went wrong, as of the last look. */
export const failure = signal<FailureReport | null>(null);
/** Which of the failures is shown in full. */
export const whichFailure = signal(0);
export const breakpoints = signal<BreakpointRow[]>([]);
/** A file and line to show, whatever the selected process does. */
export const shownLine = signal<{ file: string; line: number } | null>(null);

export interface Note {
  text: string;
  bad: boolean;
  at: number;
}
export const note = signal<Note | null>(null);
/** What was typed or clicked, with its answers: the console shows it. */
export const transcript = signal<{ command: string; text: string; ok: boolean }[]>([]);

export const own = computed(() => [...procs.value.values()].filter((p) => !p.system));

export function tell(text: string, bad = false) {
  note.value = { text, bad, at: Date.now() };
}

export function procName(id: number): string {
  const p = procs.value.get(id);
  if (!p) return `process ${id}`;
  return `${p.label} ${p.pid}`;
}

/** `<0.84.0>` of a process. */
export const pidOf = (id: number) => procs.value.get(id)?.pid ?? "";

session.onLooked = (looked) => {
  moves.value = looked.moves;
  noticed(looked.version);
};

/** Something has changed, by whomever: everything that is shown is looked at again. */
function noticed(now: number) {
  if (now <= version.value) return;
  version.value = now;
  void refresh();
}

// -- Looking

/** What was asked for, without the version. */
const viewKey = (wanted: string) => wanted.slice(0, wanted.lastIndexOf("}") + 1);

/** The answer of a view, kept up to date; the old one stays while a new one is on its way. */
export function useView<V extends ViewName>(
  view: V,
  args: Views[V]["asked"] | null,
): Views[V]["answer"] | null {
  const [data, setData] = useState<Views[V]["answer"] | null>(null);
  const key = args === null ? null : view + JSON.stringify(args);
  const state = useRef({ wanted: "", args, running: false, alive: true });
  const seen = version.value;
  useEffect(() => () => void (state.current.alive = false), []);
  useEffect(() => {
    if (args === null || key === null) {
      setData(null);
      return;
    }
    const now = state.current;
    now.alive = true;
    now.wanted = key + seen;
    now.args = args;
    const load = async () => {
      const asked = now.wanted;
      if (now.args === null) return;
      now.running = true;
      try {
        const answer = await session.look(view, now.args);
        // While much happens, an answer that is a little late is better than none.
        if (now.alive && asked.startsWith(viewKey(now.wanted))) setData(answer);
      } catch (why) {
        if (now.alive && asked === now.wanted) setData(null);
        if (!(why instanceof Refused)) throw why;
      } finally {
        now.running = false;
      }
      // Something changed meanwhile: one more look shows the latest.
      if (now.alive && asked !== now.wanted) void load();
    };
    if (!now.running) void load();
  }, [key, seen]);
  return data;
}

/** The page has just been opened, and nobody has chosen a place. */
let opening = true;

let refreshing: Promise<void> | null = null;
let following: Promise<void> | null = null;

/** What every pane needs: where we are, and who there is. Done when that is at least as new as
 *  this call. */
export function refresh(): Promise<void> {
  if (!refreshing) {
    refreshing = lookAround().finally(() => (refreshing = null));
    return refreshing;
  }
  following ??= refreshing.then(() => {
    following = null;
    return refresh();
  });
  return following;
}

async function lookAround() {
  try {
    const before = summary.value;
    const seen = await session.look("summary", {});
    const grown =
      before === null ||
      before.branch !== seen.branch ||
      before.events !== seen.events ||
      before.processes !== seen.processes;
    if (grown) procs.value = readProcs(await session.look("processes", {}));
    summary.value = seen;
    const isNew = failureOf !== executionOf(seen);
    if (isNew && busy.value === null && !opening && seen.events > 0) void loadFailure(0).catch(() => {});
    if (selectedProc.value === null || !procs.value.has(selectedProc.value)) {
      selectedProc.value = seen.current;
    }
    rememberPlace();
    lost.value = null;
  } catch (why) {
    lost.value = (why as Error).message;
  }
}

export function rememberPlace() {
  const seen = summary.value;
  if (!seen) return;
  const fragment = writePlace({
    session: session.id,
    branch: seen.branch,
    cut: seen.place,
    // Until the page has opened, nobody has chosen a process.
    proc: opening ? null : selectedProc.value,
    event: selectedEvent.value,
  });
  if (location.hash !== fragment) history.replaceState(null, "", fragment);
}

// -- Acting

const nothing: Done = {
  ok: true,
  command: null,
  kind: null,
  moved: null,
  text: "",
  error: null,
  data: null,
};

let acting = Promise.resolve<Done>(nothing);

/** Actions happen one after the other, in the order of the clicks. */
function inTurn(action: Action): Promise<Done> {
  acting = acting.then(() => carryOut(action)).catch((why) => fail((why as Error).message));
  return acting;
}

async function carryOut(action: Action): Promise<Done> {
  const before = summary.value;
  let progress = await session.act(action);
  const ticket = progress.ticket;
  while (!progress.done) {
    busy.value = progress.busy;
    question.value = progress.input;
    // While it waits for a line it cannot be looked at.
    if (progress.input === null) noticed(progress.version);
    await new Promise((resolve) => setTimeout(resolve, 120));
    progress = await session.progress(ticket);
  }
  busy.value = null;
  question.value = null;
  version.value = Math.max(version.value, progress.version);
  await refresh();
  const isMove = progress.done.kind === "moves" || progress.done.kind === "runs-on";
  // What has moved nothing leaves the moment that is looked at.
  const current = summary.value?.current;
  if (!isMove && isSamePlace(before, summary.value) && current === before?.current) return progress.done;
  if (current !== undefined && procs.value.has(current)) selectedProc.value = current;
  backToNow();
  reason.value = null;
  if (selectedEvent.value !== null) {
    await session.look("event", { event: selectedEvent.value }).catch(() => selectEvent(null));
  }
  rememberPlace();
  return progress.done;
}

const isSamePlace = (a: Summary | null, b: Summary | null) =>
  a?.branch === b?.branch && a?.place === b?.place && a?.events === b?.events;

function fail(why: string): Done {
  busy.value = null;
  question.value = null;
  tell(why, true);
  return { ...nothing, ok: false, error: why };
}

/** Carries out a command of the debugger, typed or as data; errors are shown, not thrown. */
export async function command(input: CommandInput, about: number | null = selectedProc.value) {
  const done = await inTurn({ command: input, proc: about });
  const answer = done.ok ? done.text : (done.error ?? "");
  const typed = done.command ?? (typeof input === "string" ? input : "");
  transcript.value = [...transcript.value.slice(-200), { command: typed, text: answer, ok: done.ok }];
  if (answer) tell(answer.split("\n")[0], !done.ok);
  if (done.kind === "sets" || done.kind === "replaces") await loadBreakpoints();
  return done;
}

/** Begins, answers or ends the declarative dialogue. */
export async function ask(said: DialogueStep) {
  const done = await inTurn({ ask: said });
  if (!done.ok) tell(done.error ?? "", true);
}

export const undoMove = () => inTurn({ move: "back" });
export const redoMove = () => inTurn({ move: "forward" });

/** A line for the program that waits for one; null ends its input. */
export async function typeLine(line: string | null) {
  question.value = null;
  await session.type(line).catch((why) => fail((why as Error).message));
}

export async function cancel() {
  await session.cancel().catch((why) => fail((why as Error).message));
}

export async function loadBreakpoints() {
  const seen = await session.look("breakpoints", {});
  breakpoints.value = seen.breakpoints;
}

export function selectProc(id: number) {
  selectedProc.value = id;
  level.value = null;
  shownLine.value = null;
  rememberPlace();
}

/** Selecting an event is looking at its moment; nothing moves. */
export function selectEvent(name: string | null) {
  selectedEvent.value = name;
  if (name === null) {
    backToNow();
  } else {
    moment.value = { event: name };
    selectProc(Number(/^\d+/.exec(name)?.[0]));
  }
  rememberPlace();
}

/** Looks at a moment of a process between its events. */
export function lookAt(at: MomentSpec) {
  moment.value = at;
  if ("proc" in at) selectProc(at.proc);
}

/** What is shown is again where the session is. */
export function backToNow() {
  moment.value = null;
  level.value = null;
  shownLine.value = null;
}


// -- Beginning, and what others do to the same session

export async function begin() {
  try {
    const [all] = await Promise.all([listSessions(), refresh()]);
    const mine = all.sessions.find((s) => s.id === session.id);
    if (!mine) throw new Refused(`There is no session ${session.id} here any more.`);
    title.value = mine.title;
    document.title = `${mine.title} · Reverl`;
    // What the address said at first: by now it says where the session is.
    await goTo(place);
    await loadBreakpoints();
    // While the program is still on its way to its end, nobody has chosen a place yet.
    const { busy: running } = await session.progress(null);
    if (place.proc !== null && running === null) {
      opening = false;
      await loadFailure(0);
      // What was looked at before the page was loaded again.
      if (place.event !== null && failure.value?.card?.event === place.event) showFailure();
      else if (place.event !== null) selectEvent(place.event);
    }
    await poll();
  } catch (why) {
    lost.value = (why as Error).message;
  }
  window.addEventListener("hashchange", () => void goTo(readPlace(location.hash)));
  document.addEventListener("visibilitychange", () => void poll());
  setInterval(() => void poll(), 1000);
}

/** What went wrong is where one begins, once everything has run. */
async function openOnFailure() {
  opening = false;
  await loadFailure(0);
  if (failure.value?.card) showFailure();
}

/** The execution that was asked last what went wrong in it. */
let failureOf = "";
const executionOf = (seen: Summary | null) => `${seen?.branch} ${seen?.events} ${seen?.processes}`;

/** Asks what went wrong by now. */
export async function loadFailure(which: number) {
  failureOf = executionOf(summary.value);
  failure.value = await session.look("failure", { which });
  whichFailure.value = which;
}

/** Shows the failure whose card is open: its moment, and its causes in the diagram. */
export function showFailure() {
  const card = failure.value?.card;
  if (!card) return;
  if (card.event) selectEvent(card.event);
  if (card.kind === "deadlock") backToNow();
  else if (card.moment) lookAt(card.moment);
  else selectProc(card.proc);
  if (card.kind === "deadlock") selectProc(card.proc);
}

/** Goes where an address says, if it says another place than this. */
async function goTo(wanted: typeof place) {
  const seen = summary.value;
  if (wanted.session !== session.id) {
    location.reload();
    return;
  }
  const elsewhere = seen && (wanted.branch !== seen.branch || wanted.cut !== seen.place);
  if (elsewhere && wanted.branch !== null && wanted.cut !== null) {
    const done = await inTurn({ place: { branch: wanted.branch, cut: wanted.cut } });
    if (!done.ok) tell(done.error ?? "this place is not there", true);
  }
  if (wanted.proc !== null && procs.value.has(wanted.proc)) selectedProc.value = wanted.proc;
  selectedEvent.value = wanted.event;
  rememberPlace();
}

/** Something goes on that this page did not ask for. */
let watching = false;

async function poll() {
  if (document.hidden || (busy.value && !watching)) return;
  try {
    const progress = await session.progress(null);
    if (busy.value && !watching) return;
    lost.value = null;
    // The opening of the session, or another tab, lets the program run.
    watching = progress.busy !== null;
    busy.value = progress.busy;
    if (watching) setTimeout(() => void poll(), 150);
    exploration.value = progress.exploration;
    // Another tab may have let the program run to where it reads.
    question.value = progress.input;
    if (progress.input === null) noticed(progress.version);
    if (!watching && opening) await openOnFailure();
  } catch (why) {
    lost.value = (why as Error).message;
  }
}
