// The window of the diagram that is on the screen: where it is, and what was fetched for it.

import { signal } from "@preact/signals";
import { Refused } from "../api";
import { lost, procName, selectEvent, selectedEvent, session, summary, tell } from "../store";
import type { DiagramWindow, Minimap } from "../types";
import {
  GUTTER,
  clampView,
  fetchRange,
  perColumn,
  plotHeight,
  plotWidth,
  visibleLanes,
  zoomed,
  type View,
} from "./geometry";
import { fetchForks } from "./forks";
import { askedColumns, hidden, laneIndex, lanes, near } from "./model";

export const view = signal<View>({ from: -1, span: 60, top: 0, laneHeight: 30, width: 800, height: 400 });
export const data = signal<DiagramWindow | null>(null);
export const minimap = signal<Minimap | null>(null);
/** What the selected event is, for those who do not see the canvas. */
export const spoken = signal("");
/** So many pixels a column needs for its events to be told apart, and to have something written beside
 *  them. */
const TOLD_APART = 7;
const WRITTEN = 15;
/** With fewer pixels for a column, only how much happens is drawn. */
const DENSE = 2;
/** The whole is shown until somebody zooms or pans. */
let follows = true;

export const columnCount = () => data.value?.columns ?? summary.value?.events ?? 0;

export function setView(next: View) {
  view.value = clampView(next, columnCount(), lanes.value.length);
}

/** From now on the person decides what is shown. */
export function unfollow() {
  follows = false;
}

/** Shows the whole again, if it was the whole that was shown. */
export function follow() {
  if (follows) fit();
}

/** A lane in which what is written can be read. */
const LANE = 30;

/** The height with which all lanes have room, as far as they can be read then. */
const fittingLane = (v: View) =>
  Math.min(44, Math.max(LANE, plotHeight(v) / Math.max(1, lanes.value.length)));

export function fit() {
  follows = true;
  const v = view.value;
  setView({ ...v, from: -1, span: columnCount() + 2, laneHeight: fittingLane(v) });
}

export function centre(column: number) {
  follows = false;
  const v = view.value;
  if (column < v.from + v.span * 0.1 || column > v.from + v.span * 0.9) {
    setView({ ...v, from: column - v.span / 2 });
  }
}

export function zoom(factor: number) {
  follows = false;
  setView(zoomed(view.value, factor, GUTTER + plotWidth(view.value) / 2));
}

export function revealLane(proc: number) {
  const i = laneIndex.value.get(proc);
  if (i === undefined) return;
  const v = view.value;
  const y = i * v.laneHeight;
  if (y < v.top || y + v.laneHeight > v.top + plotHeight(v)) {
    setView({ ...v, top: y - plotHeight(v) / 2 });
  }
}

// -- Fetching

let fetching = false;
let again = false;
let shownSelection: string | null = null;
/** What the columns were that the view is about. */
let shownAxis = "";

export async function fetchWindow() {
  if (fetching) {
    again = true;
    return;
  }
  fetching = true;
  try {
    const v = view.value;
    const columns = data.value?.columns ?? summary.value?.events ?? 0;
    const [first, last] = visibleLanes(v, lanes.value.length);
    const [from, to] = fetchRange(v, Math.max(columns, 1));
    const asked = lanes.value.slice(first, last);
    const axis = askedColumns();
    const seen = await session.look("diagram", {
      ...axis,
      from,
      to,
      lanes: asked.map((l) => l.id),
      folded: asked.filter((l) => l.folded).map((l) => l.id),
      hidden: [...hidden.value],
      select: selectedEvent.value,
      most: perColumn(v) < DENSE ? 0 : Math.max(400, Math.round(plotWidth(v) * 1.5)),
      buckets: Math.max(100, Math.round((plotWidth(v) * 1.8) / 3)),
    });
    if (seen.selected?.event === selectedEvent.value) bringNear(seen);
    const grown = seen.columns !== columns;
    data.value = seen;
    if (JSON.stringify(axis) !== shownAxis) {
      shownAxis = JSON.stringify(axis);
      otherColumns(columns, seen.columns);
    }
    void fetchForks(seen);
    if (grown && follows) fit();
    if (grown) again = true;
    revealSelection(seen);
  } catch (why) {
    if (lost.value !== null) return;
    // An event that is not on this branch cannot be selected.
    if (why instanceof Refused && selectedEvent.value !== null) selectEvent(null);
    else tell((why as Error).message, true);
  } finally {
    fetching = false;
    if (again) {
      again = false;
      requestAnimationFrame(() => void fetchWindow());
    }
  }
}

/** The lanes stay as they are as long as what is selected is in one of them. */
function bringNear(seen: DiagramWindow) {
  const selected = seen.selected;
  if (!selected) near.value = null;
  else if (!near.value?.includes(processOf(selected.event))) near.value = selected.near;
}

/** The columns mean something else now: what is in the middle stays about there, and the selected
 *  event is brought into sight again. */
function otherColumns(before: number, now: number) {
  shownSelection = null;
  const v = view.value;
  if (!follows) setView({ ...v, from: ((v.from + v.span / 2) * now) / Math.max(1, before) - v.span / 2 });
}

const processOf = (event: string) => Number(/^\d+/.exec(event)?.[0]);

/** An event that was chosen elsewhere is brought into sight, once. */
function revealSelection(seen: DiagramWindow) {
  const selected = seen.selected;
  // Before it is known who there is, nothing can be brought into sight.
  if (selected?.event === shownSelection || lanes.value.length === 0) return;
  shownSelection = selected?.event ?? null;
  spoken.value = "";
  if (!selected) return;
  void session
    .look("events", { events: [selected.event] })
    .then(({ events: [row] }) => {
      const counts = `${selected.causes} causes, ${selected.consequences} consequences`;
      spoken.value = `${procName(row.proc)} ${row.text}; ${counts}`;
    })
    .catch(() => (spoken.value = ""));
  revealLane(processOf(selected.event));
  const v = view.value;
  // Of a long execution, what came right before is what one wants to see first.
  if (follows && seen.columns * TOLD_APART > plotWidth(v)) {
    follows = false;
    const span = plotWidth(v) / WRITTEN;
    setView({ ...v, from: selected.column - span * 0.75, span, laneHeight: fittingLane(v) });
  } else if (selected.column < v.from || selected.column > v.from + v.span) centre(selected.column);
}

export async function fetchMinimap() {
  const columns = summary.value?.events ?? 1;
  const buckets = Math.max(1, Math.min(columns, Math.round(plotWidth(view.value) / 3)));
  minimap.value = await session
    .look("minimap", { ...askedColumns(), buckets, lanes: lanes.value.map((l) => l.id) })
    .catch(() => null);
}
