// What mouse and keys do in the diagram.

import { signal } from "@preact/signals";
import { openMenu } from "../menu";
import { gutterWidth } from "../settings";
import { hovered, selectEvent, selectProc, selectedEvent, session } from "../store";
import type { DrawnEvent } from "../types";
import { detail, eventName, hit, type Scene } from "./draw";
import { GUTTER, HEADER, MINIMAP, columnAt, laneAt, plotHeight, plotWidth, xOf, yOf, zoomed } from "./geometry";
import { folded, laneIndex, lanes } from "./model";
import { centre, columnCount, setView, unfollow, view } from "./window";

/** What is under the pointer. */
export const tip = signal<{ x: number; y: number; text: string } | null>(null);

export function interactions(element: HTMLCanvasElement, scene: () => Scene): () => void {
  let drag: { x: number; y: number; from: number; top: number; moved: boolean; map: boolean } | null =
    null;
  let widening = false;
  const point = (e: MouseEvent) => {
    const box = element.getBoundingClientRect();
    return { x: e.clientX - box.left, y: e.clientY - box.top };
  };
  const slide = (x: number, y: number) => {
    const v = view.value;
    const column = ((x - GUTTER) / plotWidth(v)) * columnCount();
    const depth = (y - (v.height - MINIMAP + 4)) / (MINIMAP - 8);
    unfollow();
    const top = depth * lanes.value.length * v.laneHeight - plotHeight(v) / 2;
    setView({ ...v, from: column - v.span / 2, top });
  };
  const down = (e: PointerEvent) => {
    const { x, y } = point(e);
    if (e.button !== 0) return;
    if (Math.abs(x - GUTTER) < 5) {
      widening = true;
      element.setPointerCapture(e.pointerId);
      return;
    }
    const map = y > view.value.height - MINIMAP;
    drag = { x, y, from: view.value.from, top: view.value.top, moved: false, map };
    element.setPointerCapture(e.pointerId);
    tip.value = null;
    if (map) slide(x, y);
  };
  const move = (e: PointerEvent) => {
    const { x, y } = point(e);
    if (widening) {
      gutterWidth.value = Math.min(480, Math.max(60, Math.round(x)));
      return;
    }
    if (!drag) {
      hover(scene(), x, y, element);
      return;
    }
    if (Math.abs(x - drag.x) + Math.abs(y - drag.y) > 4) drag.moved = true;
    if (!drag.moved) return;
    if (drag.map) {
      slide(x, y);
      return;
    }
    unfollow();
    const v = view.value;
    const column = (drag.x - x) * (v.span / plotWidth(v));
    setView({ ...v, from: drag.from + column, top: drag.top + (drag.y - y) });
  };
  const up = (e: PointerEvent) => {
    const ended = drag;
    drag = null;
    widening = false;
    if (!ended || ended.moved || ended.map) return;
    const { x, y } = point(e);
    choose(scene(), x, y);
  };
  const wheel = (e: WheelEvent) => {
    e.preventDefault();
    const { x, y } = point(e);
    const v = view.value;
    if (e.ctrlKey || e.metaKey || y > v.height - MINIMAP) {
      unfollow();
      setView(zoomed(v, Math.exp(e.deltaY * 0.004), Math.max(GUTTER, x)));
    } else if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) {
      unfollow();
      const by = (e.deltaX || e.deltaY) * (v.span / plotWidth(v));
      setView({ ...v, from: v.from + by });
    } else {
      setView({ ...v, top: v.top + e.deltaY });
    }
  };
  const menu = (e: MouseEvent) => {
    e.preventDefault();
    const { x, y } = point(e);
    const event = hit(scene(), x, y);
    if (event) {
      selectEvent(eventName(event));
      void openMenu(eventName(event), e.clientX, e.clientY);
    }
  };
  const key = (e: KeyboardEvent) => {
    const steps: Record<string, [number, number]> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    };
    const step = steps[e.key];
    if (step && e.shiftKey && step[0] !== 0) {
      unfollow();
      setView({ ...view.value, from: view.value.from + step[0] * view.value.span * 0.2 });
    } else if (step) neighbour(scene(), step[0], step[1]);
    else if (e.key === "Enter" && selectedEvent.value) {
      const at = spot(scene());
      const box = element.getBoundingClientRect();
      void openMenu(selectedEvent.value, box.left + at.x, box.top + at.y);
    } else return;
    e.preventDefault();
    e.stopPropagation();
  };
  const leave = () => {
    tip.value = null;
    hovered.value = null;
  };
  element.addEventListener("pointerdown", down);
  element.addEventListener("pointermove", move);
  element.addEventListener("pointerup", up);
  element.addEventListener("pointerleave", leave);
  element.addEventListener("wheel", wheel, { passive: false });
  element.addEventListener("contextmenu", menu);
  element.addEventListener("keydown", key);
  return () => {
    element.removeEventListener("pointerdown", down);
    element.removeEventListener("pointermove", move);
    element.removeEventListener("pointerup", up);
    element.removeEventListener("pointerleave", leave);
    element.removeEventListener("wheel", wheel);
    element.removeEventListener("contextmenu", menu);
    element.removeEventListener("keydown", key);
  };
}

function choose(s: Scene, x: number, y: number) {
  if (y < HEADER) return;
  const lane = lanes.value[laneAt(s.view, y)];
  if (x < GUTTER) {
    if (!lane) return;
    const mark = 8 + Math.min(lane.depth, 5) * 8;
    if (lane.below > 0 && x < mark + 14) {
      const next = new Set(folded.value);
      if (!next.delete(lane.id)) next.add(lane.id);
      folded.value = next;
    } else selectProc(lane.id);
    return;
  }
  const event = hit(s, x, y);
  if (event) {
    selectEvent(eventName(event));
  } else if (s.data && "density" in s.data.drawn) {
    // Too far away to see single events: go nearer.
    unfollow();
    setView(zoomed(s.view, 0.25, x));
  } else selectEvent(null);
}

let asked = "";

function hover(s: Scene, x: number, y: number, element: HTMLElement) {
  const event = x > GUTTER && y < s.view.height - MINIMAP ? hit(s, x, y) : null;
  const atEdge = Math.abs(x - GUTTER) < 5;
  element.style.cursor = atEdge ? "col-resize" : event ? "pointer" : x < GUTTER ? "default" : "grab";
  hovered.value = event && eventName(event);
  if (!event) {
    tip.value = null;
    asked = "";
    return;
  }
  const name = eventName(event);
  if (name === asked) return;
  asked = name;
  setTimeout(() => {
    if (asked !== name) return;
    session
      .look("events", { events: [name] })
      .then(({ events: [row] }) => {
        if (asked === name && row) {
          tip.value = { x, y, text: `@${row.step} ${row.text}\n${row.at}` };
        }
      })
      .catch(() => (tip.value = null));
  }, 120);
}

function spot(s: Scene): { x: number; y: number } {
  const event = detail(s.data)?.events.find((e) => eventName(e) === s.selectedEvent);
  if (!event) return { x: s.view.width / 2, y: s.view.height / 2 };
  return { x: xOf(s.view, event[0]), y: yOf(s.view, s.laneOf(event[1]) ?? 0) };
}

/** The next event of the lane, or the nearest one in the next lane. */
function neighbour(s: Scene, dx: number, dy: number) {
  const all = detail(s.data)?.events ?? [];
  const current = all.find((e) => eventName(e) === s.selectedEvent);
  const lane = current ? s.laneOf(current[1]) : laneIndex.value.get(s.selectedProc ?? -1);
  const column = current ? current[0] : columnAt(s.view, s.view.width / 2);
  if (lane === undefined) return;
  let best: DrawnEvent | null = null;
  let score = Infinity;
  for (const e of all) {
    const own = s.laneOf(e[1]);
    if (own === undefined || e === current) continue;
    const along = e[0] - column;
    let cost: number;
    if (dy === 0) {
      if (own !== lane) continue;
      // With nothing selected, the nearest one is a good beginning.
      if (current && (along === 0 || Math.sign(along) !== dx)) continue;
      cost = Math.abs(along);
    } else {
      if (Math.sign(own - lane) !== dy) continue;
      cost = Math.abs(own - lane) * 100_000 + Math.abs(along);
    }
    if (cost < score) {
      score = cost;
      best = e;
    }
  }
  if (!best) return;
  selectEvent(eventName(best));
  centre(best[0]);
}
