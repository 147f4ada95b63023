// Draws a window of the diagram. Each kind of event has a shape of its own; what is done and
// what is to come, causes and consequences differ in more than colour.

import type { Arrow, CallSpan, Density, DiagramWindow, DrawnEvent, DrawnEvents, HiddenArrow, MessageBundle, Minimap } from "../types";
import { CAUSE, CONSEQUENCE, IN_CUT } from "./flags";
import { hovered } from "../store";
import { drawForks } from "./forks";
import { drawNodes } from "./nodes";
import { drawMinimap } from "./minimap";
import { fitted, line, ring, shape, tip } from "./shapes";
import {
  GUTTER,
  HEADER,
  cutColumn,
  laneAt,
  perColumn,
  plotHeight,
  plotWidth,
  tickStep,
  xOf,
  yOf,
  type View,
} from "./geometry";

export interface Colours {
  text: string;
  dim: string;
  faint: string;
  line: string;
  back: string;
  panel: string;
  stripe: string;
  accent: string;
  cause: string;
  consequence: string;
  cut: string;
  bad: string;
  chosen: string;
  density: string;
}

export function colours(element: Element): Colours {
  const style = getComputedStyle(element);
  const of = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    text: of("text"),
    dim: of("dim"),
    faint: of("faint"),
    line: of("line"),
    back: of("back"),
    panel: of("panel"),
    stripe: of("stripe"),
    accent: of("accent"),
    cause: of("cause"),
    consequence: of("consequence"),
    cut: of("cut"),
    bad: of("bad"),
    chosen: of("chosen"),
    density: of("density"),
  };
}

export interface LaneLabel {
  id: number;
  text: string;
  depth: number;
  folded: boolean;
  below: number;
  crashed: boolean;
  node: string | null;
}

export interface Scene {
  view: View;
  data: DiagramWindow | null;
  minimap: Minimap | null;
  labels: LaneLabel[];
  laneOf: (proc: number) => number | undefined;
  selectedProc: number | null;
  selectedEvent: string | null;
  hover: { x: number; y: number } | null;
  columns: number;
}

export const eventName = (e: DrawnEvent) => `${e[1]}${e[4] === 1 ? "d" : "a"}${e[5]}`;

export function draw(g: CanvasRenderingContext2D, scene: Scene, c: Colours) {
  const { view: v } = scene;
  g.clearRect(0, 0, v.width, v.height);
  g.fillStyle = c.back;
  g.fillRect(0, 0, v.width, v.height);
  g.textBaseline = "middle";
  g.save();
  g.beginPath();
  g.rect(0, HEADER, v.width, plotHeight(v));
  g.clip();
  stripes(g, scene, c);
  g.save();
  g.beginPath();
  g.rect(GUTTER, HEADER, v.width - GUTTER, plotHeight(v));
  g.clip();
  const data = scene.data;
  if (data) {
    lifelines(g, scene, c);
    if ("density" in data.drawn) {
      density(g, scene, c, data.drawn.density);
      standingOut(g, scene, c);
    }
    else detailed(g, scene, c, data.drawn.detail);
    cutLine(g, scene, c);
  }
  g.restore();
  drawNodes(g, scene, c);
  gutter(g, scene, c);
  g.restore();
  ruler(g, scene, c);
  drawMinimap(g, scene, c);
}

/** The events of a window one by one, if it has few. */
export function detail(data: DiagramWindow | null): DrawnEvents | null {
  return data && "detail" in data.drawn ? data.drawn.detail : null;
}

function detailed(g: CanvasRenderingContext2D, s: Scene, c: Colours, drawn: DrawnEvents) {
  for (const span of drawn.spans) callSpan(g, s, c, span);
  for (const t of drawn.through) through(g, s, c, t);
  const marked = s.data?.selected !== null;
  for (const a of drawn.arrows) arrow(g, s, c, a, marked);
  events(g, s, c, drawn);
  for (const span of drawn.spans) callText(g, s, c, span);
  drawForks(g, s, c);
}

/** Where a call is drawn: until its reply, or the end of who called. */
function spanBox(s: Scene, span: CallSpan): { left: number; right: number; y: number; tall: number } | null {
  const { view: v } = s;
  const lane = s.laneOf(span.proc);
  if (lane === undefined || v.laneHeight < 10) return null;
  const ended = s.data?.lanes.find((l) => l.id === span.proc)?.end ?? null;
  const left = xOf(v, span.from);
  const right = xOf(v, span.to ?? ended ?? s.columns);
  if (right < GUTTER || left > v.width || right - left < 3) return null;
  return { left, right, y: yOf(v, lane), tall: Math.min(16, v.laneHeight * 0.62) };
}

/** A call on the lane of its caller, until its reply. */
function callSpan(g: CanvasRenderingContext2D, s: Scene, c: Colours, span: CallSpan) {
  const box = spanBox(s, span);
  if (!box) return;
  const { left, right, y, tall } = box;
  const colour = span.to === null ? c.bad : c.accent;
  g.beginPath();
  g.roundRect(left, y - tall / 2, right - left, tall, 4);
  // What is written in it must not be crossed out by the line of the lane.
  g.fillStyle = c.back;
  g.fill();
  g.globalAlpha = 0.16;
  g.fillStyle = colour;
  g.fill();
  g.globalAlpha = 0.6;
  g.strokeStyle = colour;
  g.lineWidth = 1;
  g.stroke();
  g.globalAlpha = 1;
}

/** What a call says, over what passes through its span. */
function callText(g: CanvasRenderingContext2D, s: Scene, c: Colours, span: CallSpan) {
  const box = spanBox(s, span);
  if (!box || s.view.laneHeight < 16) return;
  const from = Math.max(box.left, GUTTER) + 10;
  if (box.right - from < 60) return;
  g.font = "11px system-ui, sans-serif";
  g.textAlign = "left";
  const text = fitted(g, span.text, box.right - from - 12);
  g.globalAlpha = 0.85;
  g.fillStyle = c.back;
  g.fillRect(from - 2, box.y - 6, g.measureText(text).width + 4, 12);
  g.globalAlpha = 1;
  g.fillStyle = c.text;
  g.fillText(text, from, box.y);
}

function stripes(g: CanvasRenderingContext2D, s: Scene, c: Colours) {
  const { view: v } = s;
  const first = Math.max(0, laneAt(v, HEADER));
  const last = Math.min(s.labels.length - 1, laneAt(v, HEADER + plotHeight(v)));
  for (let i = first; i <= last; i++) {
    const y = yOf(v, i) - v.laneHeight / 2;
    if (s.labels[i].id === s.selectedProc) {
      g.fillStyle = c.chosen;
      g.fillRect(0, y, v.width, v.laneHeight);
    } else if (i % 2 === 1) {
      g.fillStyle = c.stripe;
      g.fillRect(0, y, v.width, v.laneHeight);
    }
  }
}

function gutter(g: CanvasRenderingContext2D, s: Scene, c: Colours) {
  const { view: v } = s;
  const first = Math.max(0, laneAt(v, HEADER));
  const last = Math.min(s.labels.length - 1, laneAt(v, HEADER + plotHeight(v)));
  g.strokeStyle = c.line;
  g.beginPath();
  g.moveTo(GUTTER - 0.5, HEADER);
  g.lineTo(GUTTER - 0.5, HEADER + plotHeight(v));
  g.stroke();
  if (v.laneHeight < 9) return;
  g.font = `${Math.min(12, v.laneHeight - 1)}px ui-monospace, SFMono-Regular, Menlo, monospace`;
  g.textAlign = "left";
  for (let i = first; i <= last; i++) {
    const lane = s.labels[i];
    const x = 8 + Math.min(lane.depth, 5) * 8;
    const fold = lane.below > 0 ? (lane.folded ? "▸ " : "▾ ") : "";
    g.fillStyle = lane.crashed ? c.bad : lane.id === s.selectedProc ? c.text : c.dim;
    const more = lane.folded ? ` +${lane.below}` : "";
    const text = fold + (lane.crashed ? "✖ " : "") + lane.text + more;
    g.fillText(fitted(g, text, GUTTER - x - 6), x, yOf(v, i));
  }
}

/** Solid where the process has been, dashed where it goes after the cut. */
function lifelines(g: CanvasRenderingContext2D, s: Scene, c: Colours) {
  const { view: v } = s;
  const data = s.data!;
  g.lineWidth = 1;
  for (const lane of data.lanes) {
    const i = s.laneOf(lane.id);
    if (i === undefined || s.labels[i]?.id !== lane.id) continue;
    const y = Math.round(yOf(v, i)) + 0.5;
    if (y < 0 || y > v.height) continue;
    const start = xOf(v, lane.start ?? -1);
    const end = lane.end === null ? xOf(v, s.columns) : xOf(v, lane.end);
    const cut = Math.min(end, Math.max(start, xOf(v, cutColumn(data.frontier, lane.last, lane.next))));
    const from = Math.max(start, GUTTER - 4);
    g.strokeStyle = c.dim;
    g.setLineDash([]);
    g.beginPath();
    g.moveTo(from, y);
    g.lineTo(Math.max(from, cut), y);
    g.stroke();
    g.strokeStyle = c.faint;
    g.setLineDash([2, 4]);
    g.beginPath();
    g.moveTo(Math.max(from, cut), y);
    g.lineTo(Math.max(from, end), y);
    g.stroke();
    g.setLineDash([]);
  }
}

function density(g: CanvasRenderingContext2D, s: Scene, c: Colours, dense: Density) {
  const { view: v } = s;
  const data = s.data!;
  const { buckets, rows } = dense;
  for (const bundle of dense.bundles) messageBundle(g, s, c, bundle);
  const width = ((data.to - data.from) * perColumn(v)) / buckets;
  const left = xOf(v, data.from) - perColumn(v) / 2;
  rows.forEach((row, r) => {
    const lane = data.lanes[r];
    const i = s.laneOf(lane.id);
    if (i === undefined) return;
    const y = yOf(v, i);
    const cut = xOf(v, cutColumn(data.frontier, lane.last, lane.next));
    const most = Math.max(1, v.laneHeight - 3);
    for (let b = 0; b < row.length; b++) {
      const level = row.charCodeAt(b) - 48;
      if (level === 0) continue;
      const x = left + b * width;
      if (x + width < GUTTER || x > v.width) continue;
      const tall = Math.max(1, (most * (level + 2)) / 11);
      g.fillStyle = x > cut ? c.faint : c.density;
      g.fillRect(x, y - tall / 2, Math.max(1, width - (width > 3 ? 1 : 0)), tall);
    }
  });
}

/** What is seen however far away it is: crashes, and the selected event. */
function standingOut(g: CanvasRenderingContext2D, s: Scene, c: Colours) {
  const { view: v } = s;
  const data = s.data!;
  for (const lane of data.lanes) {
    const i = s.laneOf(lane.id);
    if (i === undefined || lane.end === null || !s.labels[i]?.crashed || s.labels[i].id !== lane.id) continue;
    g.strokeStyle = c.bad;
    shape(g, "X", xOf(v, lane.end), yOf(v, i), Math.min(5, v.laneHeight / 4));
  }
  const selected = data.selected;
  const lane = selected && s.laneOf(Number(/^\d+/.exec(selected.event)?.[0]));
  if (selected && lane !== null && lane !== undefined) {
    g.strokeStyle = c.accent;
    g.lineWidth = 2.2;
    ring(g, xOf(v, selected.column), yOf(v, lane), 8);
  }
  g.lineWidth = 1;
}

/** Messages that go the same way at about the same time: the more, the broader. */
function messageBundle(g: CanvasRenderingContext2D, s: Scene, c: Colours, bundle: MessageBundle) {
  const from = s.laneOf(bundle.from[1]);
  const to = s.laneOf(bundle.to[1]);
  if (from === undefined || to === undefined) return;
  const [x1, y1] = [xOf(s.view, bundle.from[0]), yOf(s.view, from)];
  const [x2, y2] = [xOf(s.view, bundle.to[0]), yOf(s.view, to)];
  g.globalAlpha = 0.4;
  g.strokeStyle = c.dim;
  g.fillStyle = c.dim;
  g.lineWidth = Math.min(8, 1 + Math.log2(bundle.count));
  line(g, x1, y1, x2, y2);
  g.lineWidth = 1;
  tip(g, x1, y1, x2, y2);
  g.globalAlpha = 1;
}

function strength(flags: number, marked: boolean): number {
  if (marked) return flags & (CAUSE | CONSEQUENCE) ? 1 : 0.28;
  return flags & IN_CUT ? 1 : 0.45;
}

function arrow(g: CanvasRenderingContext2D, s: Scene, c: Colours, a: Arrow, marked: boolean) {
  const { view: v } = s;
  const from = s.laneOf(a.from[1]);
  const to = s.laneOf(a.to[1]);
  if (from === undefined || to === undefined) return;
  const [x1, y1] = [xOf(v, a.from[0]), yOf(v, from)];
  const y2 = yOf(v, to);
  const end = a.kind === "message" ? a.end : a.flags;
  const both = a.flags & end;
  g.globalAlpha = strength(marked ? both : end, marked);
  const colour =
    marked && both & CAUSE ? c.cause : marked && both & CONSEQUENCE ? c.consequence : c.dim;
  g.strokeStyle = colour;
  g.fillStyle = colour;
  g.lineWidth = marked && both & (CAUSE | CONSEQUENCE) ? 1.4 : 1;
  g.setLineDash(end & IN_CUT ? [] : [4, 3]);
  if (a.kind === "spawn") {
    g.setLineDash([1, 3]);
    line(g, x1, y1, x1, y2);
    g.setLineDash([]);
    tip(g, x1, y1, x1, y2);
  } else if (a.to[0] === null) {
    // Still on its way, or lost: a stub that ends in an open ring.
    const x = x1 + Math.min(40, perColumn(v) * 1.2 + 8);
    const y = y1 + Math.sign(y2 - y1 || 1) * Math.min(Math.abs(y2 - y1), v.laneHeight * 0.42);
    line(g, x1, y1, x, y);
    g.setLineDash([]);
    ring(g, x, y, 2.5);
  } else {
    const x2 = xOf(v, a.to[0]);
    if (a.received && a.delivered !== null) {
      // To where it arrived, then along the lane to where it was taken.
      const tick = xOf(v, a.delivered);
      line(g, x1, y1, tick, y2);
      g.setLineDash([]);
      line(g, tick, y2 - 4, tick, y2 + 4);
      if (x2 - tick > 3) {
        g.lineWidth += 1;
        line(g, tick, y2, x2, y2);
        g.lineWidth -= 1;
      }
      tip(g, x1, y1, tick, y2);
    } else {
      line(g, x1, y1, x2, y2);
      g.setLineDash([]);
      ring(g, x2, y2, 3.5);
    }
  }
  g.setLineDash([]);
  g.globalAlpha = 1;
}

function through(
  g: CanvasRenderingContext2D,
  s: Scene,
  c: Colours,
  t: HiddenArrow,
) {
  const from = s.laneOf(t.from[1]);
  const to = s.laneOf(t.to[1]);
  if (from === undefined || to === undefined) return;
  g.strokeStyle = c.dim;
  g.fillStyle = c.dim;
  g.globalAlpha = t.flags & IN_CUT ? 0.9 : 0.45;
  g.lineWidth = 1;
  g.setLineDash([6, 5]);
  const p = [xOf(s.view, t.from[0]), yOf(s.view, from), xOf(s.view, t.to[0]), yOf(s.view, to)];
  line(g, p[0], p[1], p[2], p[3]);
  g.setLineDash([]);
  tip(g, p[0], p[1], p[2], p[3]);
  g.globalAlpha = 1;
}

function events(g: CanvasRenderingContext2D, s: Scene, c: Colours, drawn: DrawnEvents) {
  const { view: v } = s;
  const data = s.data!;
  const marked = data.selected !== null;
  const size = Math.max(2, Math.min(6, v.laneHeight / 4, perColumn(v) * 0.48 + 1.2));
  g.font = "11px ui-monospace, SFMono-Regular, Menlo, monospace";
  g.textAlign = "left";
  // Events of one lane in one column are drawn as one, with their number.
  const stacked = new Map<string, number>();
  const taken = new Map<string, number>();
  // What a call says is written in its span.
  const wide = drawn.spans.filter((span) => (span.to ?? s.columns) - span.from > 60 / perColumn(v));
  const spans = new Set(wide.map((span) => `${span.proc}.${span.from}`));
  drawn.events.forEach((e, i) => {
    const lane = s.laneOf(e[1]);
    if (lane === undefined) return;
    const [x, y] = [xOf(v, e[0]), yOf(v, lane)];
    if (x < GUTTER - 10 || x > v.width + 10 || y < 0 || y > v.height) return;
    const spot = `${e[0]}.${lane}`;
    const before = stacked.get(spot) ?? 0;
    stacked.set(spot, before + 1);
    g.globalAlpha = strength(e[3], marked);
    const chosen = eventName(e) === s.selectedEvent;
    const cause = marked && (e[3] & CAUSE) !== 0 && !chosen;
    const consequence = marked && (e[3] & CONSEQUENCE) !== 0 && !chosen;
    const colour = cause ? c.cause : consequence ? c.consequence : e[2] === "X" ? c.bad : c.text;
    g.strokeStyle = colour;
    g.fillStyle = (e[3] & IN_CUT) !== 0 ? colour : c.back;
    g.lineWidth = 1.3;
    if (before === 0 || e[4] === 0) shape(g, e[2], x, y, size);
    // Beside the colour: a bar below causes, a bar above consequences.
    g.fillStyle = colour;
    if (cause) g.fillRect(x - size - 1, y + size + 2, 2 * size + 2, 2);
    if (consequence) g.fillRect(x - size - 1, y - size - 4, 2 * size + 2, 2);
    if (chosen) {
      g.strokeStyle = c.accent;
      g.lineWidth = 2.2;
      ring(g, x, y, size + 4);
    }
    if (eventName(e) === hovered.value && !chosen) {
      g.globalAlpha = 1;
      g.strokeStyle = c.accent;
      g.lineWidth = 1;
      ring(g, x, y, size + 4);
    }
    if (before === 1) {
      g.fillStyle = c.dim;
      g.fillText("+", x + size, y - size);
    }
    const label = drawn.labels[i];
    const told = e[2] === "s" && spans.has(`${e[1]}.${e[0]}`);
    if (label && !told && v.laneHeight >= 24 && perColumn(v) > 12) {
      g.fillStyle = cause ? c.cause : consequence ? c.consequence : c.dim;
      write(g, label, x + 2, y, size, lane, taken, v.laneHeight >= BOTH_SIDES);
    }
    g.globalAlpha = 1;
  });
}

/** A lane with room for what is written above and below its events. */
const BOTH_SIDES = 40;

/** Writes beside an event, above or below, where nothing is written yet. */
function write(
  g: CanvasRenderingContext2D,
  label: string,
  x: number,
  y: number,
  size: number,
  lane: number,
  taken: Map<string, number>,
  below: boolean,
) {
  const text = fitted(g, label, 150);
  const sides = [["above", -size - 5], ["below", size + 7]] as const;
  for (const [side, dy] of below ? sides : sides.slice(0, 1)) {
    const spot = `${lane}${side}`;
    if ((taken.get(spot) ?? -Infinity) > x) continue;
    g.fillText(text, x, y + dy);
    taken.set(spot, x + g.measureText(text).width + 6);
    return;
  }
}

function cutLine(g: CanvasRenderingContext2D, s: Scene, c: Colours) {
  const { view: v } = s;
  const data = s.data!;
  const points: [number, number][] = [];
  for (const lane of data.lanes) {
    const i = s.laneOf(lane.id);
    if (i === undefined || s.labels[i]?.id !== lane.id) continue;
    points.push([i, xOf(v, cutColumn(data.frontier, lane.last, lane.next))]);
  }
  points.sort((a, b) => a[0] - b[0]);
  if (points.length === 0) return;
  const path = new Path2D();
  points.forEach(([i, x], n) => {
    const y = yOf(v, i);
    const [above, below] = [y - v.laneHeight / 2, y + v.laneHeight / 2];
    if (n === 0) path.moveTo(x, above);
    else path.lineTo(x, above + Math.min(5, v.laneHeight / 4));
    path.lineTo(x, below - Math.min(5, v.laneHeight / 4));
  });
  g.strokeStyle = c.cut;
  g.lineWidth = 2;
  g.stroke(path);
}

function ruler(g: CanvasRenderingContext2D, s: Scene, c: Colours) {
  const { view: v } = s;
  g.fillStyle = c.panel;
  g.fillRect(0, 0, v.width, HEADER);
  g.strokeStyle = c.line;
  line(g, 0, HEADER - 0.5, v.width, HEADER - 0.5);
  g.font = "10px system-ui, sans-serif";
  g.textAlign = "center";
  const step = tickStep(v.span, plotWidth(v));
  for (let n = Math.ceil(Math.max(0, v.from) / step) * step; n < v.from + v.span; n += step) {
    const x = xOf(v, n);
    if (x < GUTTER || n >= s.columns) continue;
    g.fillStyle = c.dim;
    g.fillText(String(n), x, HEADER / 2);
    g.fillStyle = c.line;
    g.fillRect(x, HEADER - 4, 1, 4);
  }
  if (s.data) {
    const x = xOf(v, s.data.frontier - 0.5);
    if (x >= GUTTER && x <= v.width) {
      g.fillStyle = c.cut;
      g.beginPath();
      g.moveTo(x - 5, 2);
      g.lineTo(x + 5, 2);
      g.lineTo(x, HEADER - 3);
      g.closePath();
      g.fill();
    }
  }
}

/** The event under a point, if there is one. */
export function hit(s: Scene, x: number, y: number): DrawnEvent | null {
  const { view: v } = s;
  let best: DrawnEvent | null = null;
  let nearest = 11 * 11;
  for (const e of detail(s.data)?.events ?? []) {
    const lane = s.laneOf(e[1]);
    if (lane === undefined) continue;
    const dx = xOf(v, e[0]) - x;
    const dy = yOf(v, lane) - y;
    // Of a delivery and a receive in one place, the receive is meant.
    const distance = dx * dx + dy * dy + (e[4] === 1 ? 4 : 0);
    if (distance < nearest) {
      nearest = distance;
      best = e;
    }
  }
  return best;
}
