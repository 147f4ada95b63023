// From columns and lanes to pixels and back. Pure, so that it can be tested without a screen.

/** The width of the names beside the lanes. */
export let GUTTER = 168;
export function setGutter(width: number) {
  GUTTER = Math.min(480, Math.max(60, Math.round(width)));
}

export const HEADER = 18;
export const MINIMAP = 46;

export interface View {
  /** The column at the left edge, and how many columns there are to the right edge. */
  from: number;
  span: number;
  /** Pixels scrolled down. */
  top: number;
  laneHeight: number;
  width: number;
  height: number;
}

export const plotWidth = (v: View) => Math.max(50, v.width - GUTTER - 12);
export const plotHeight = (v: View) => Math.max(20, v.height - HEADER - MINIMAP);

export const perColumn = (v: View) => plotWidth(v) / v.span;

export const xOf = (v: View, column: number) => GUTTER + (column + 0.5 - v.from) * perColumn(v);
export const columnAt = (v: View, x: number) => v.from + (x - GUTTER) / perColumn(v) - 0.5;

export const yOf = (v: View, lane: number) => HEADER + (lane + 0.5) * v.laneHeight - v.top;
export const laneAt = (v: View, y: number) => Math.floor((y - HEADER + v.top) / v.laneHeight);

export function clampView(v: View, columns: number, lanes: number): View {
  const most = Math.max(12, columns + 2);
  const span = Math.min(Math.max(v.span, 6), most);
  const from = Math.min(Math.max(v.from, -1), Math.max(-1, columns + 1 - span));
  const deepest = Math.max(0, lanes * v.laneHeight - plotHeight(v));
  return { ...v, span, from, top: Math.min(Math.max(0, v.top), deepest) };
}

/** Zooms so that the column under `x` stays there. */
export function zoomed(v: View, factor: number, x: number): View {
  const column = columnAt(v, x);
  const span = v.span * factor;
  return { ...v, span, from: column + 0.5 - ((x - GUTTER) / plotWidth(v)) * span };
}

/** The lanes that can be seen, with some beyond the edges. */
export function visibleLanes(v: View, count: number): [number, number] {
  const first = Math.max(0, Math.floor(v.top / v.laneHeight) - 6);
  const last = Math.min(count, Math.ceil((v.top + plotHeight(v)) / v.laneHeight) + 6);
  return [first, Math.max(first, last)];
}

/** The columns to fetch for a view: some more on both sides, so that panning shows something. */
export function fetchRange(v: View, columns: number): [number, number] {
  const margin = v.span * 0.4;
  return [
    Math.max(0, Math.floor(v.from - margin)),
    Math.min(columns, Math.ceil(v.from + v.span + margin) + 1),
  ];
}

/**
 * Where the cut passes a lane: as near to the whole system's frontier as the lane's own events
 * allow, between the last one done and the first one to come.
 */
export function cutColumn(frontier: number, last: number | null, next: number | null): number {
  let column = frontier - 0.5;
  if (last !== null) column = Math.max(column, last + 0.5);
  if (next !== null) column = Math.min(column, next - 0.5);
  return column;
}

/** A round step between ticks of the ruler. */
export function tickStep(span: number, width: number): number {
  const wanted = (span * 90) / width;
  const power = Math.pow(10, Math.floor(Math.log10(Math.max(wanted, 1))));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= wanted);
  return Math.max(1, step ?? power * 10);
}
