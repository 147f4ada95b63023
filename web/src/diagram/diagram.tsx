// The space-time diagram: fetches the window that is on the screen and draws it.

import { effect, signal, untracked } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { openMenu } from "../menu";
import { painted } from "../settings";
import {
  lost,
  procName,
  procs,
  selectEvent,
  selectProc,
  selectedEvent,
  selectedProc,
  session,
  summary,
  version,
} from "../store";
import type { DrawnEvent, Window } from "../types";
import { colours, draw, eventName, hit, type Colours, type LaneLabel, type Minimap, type Scene } from "./draw";
import {
  GUTTER,
  HEADER,
  MINIMAP,
  clampView,
  columnAt,
  fetchRange,
  laneAt,
  plotHeight,
  plotWidth,
  visibleLanes,
  xOf,
  yOf,
  zoomed,
  type View,
} from "./geometry";
import { folded, hidden, hide, laneIndex, lanes, scale, showAll, type Scale } from "./model";

const view = signal<View>({ from: -1, span: 60, top: 0, laneHeight: 30, width: 800, height: 400 });
const data = signal<Window | null>(null);
const minimap = signal<Minimap | null>(null);
const tip = signal<{ x: number; y: number; text: string } | null>(null);
/** What the selected event is, for those who do not see the canvas. */
const spoken = signal("");
/** The whole is shown until somebody zooms or pans. */
let follows = true;

const columnCount = () => data.value?.columns ?? summary.value?.events ?? 0;

function setView(next: View) {
  view.value = clampView(next, columnCount(), lanes.value.length);
}

export function fit() {
  follows = true;
  const v = view.value;
  const laneHeight = Math.min(44, Math.max(16, plotHeight(v) / Math.max(1, lanes.value.length)));
  setView({ ...v, from: -1, span: columnCount() + 2, laneHeight });
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

function revealLane(proc: number) {
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

async function fetchWindow() {
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
    const seen = await session.look<Window>("diagram", {
      scale: scale.value,
      from,
      to,
      lanes: asked.map((l) => l.id),
      folded: asked.filter((l) => l.folded).map((l) => l.id),
      hidden: [...hidden.value],
      select: selectedEvent.value,
      buckets: Math.max(100, Math.round((plotWidth(v) * 1.8) / 3)),
    });
    const grown = seen.columns !== columns;
    data.value = seen;
    if (grown && follows) fit();
    if (grown) again = true;
    revealSelection(seen);
  } catch (why) {
    // An event that is not on this branch cannot be selected.
    if (selectedEvent.value !== null && lost.value === null) selectEvent(null);
  } finally {
    fetching = false;
    if (again) {
      again = false;
      requestAnimationFrame(() => void fetchWindow());
    }
  }
}

/** An event that was chosen elsewhere is brought into sight, once. */
function revealSelection(seen: Window) {
  const selected = seen.selected;
  if (selected?.event === shownSelection) return;
  shownSelection = selected?.event ?? null;
  spoken.value = "";
  if (!selected) return;
  void session
    .look<{ rows: { proc: number; text: string }[] }>("events", { events: [selected.event] })
    .then(({ rows }) => {
      const counts = `${selected.causes} causes, ${selected.consequences} consequences`;
      spoken.value = `${procName(rows[0].proc)} ${rows[0].text}; ${counts}`;
    })
    .catch(() => (spoken.value = ""));
  revealLane(Number(/^\d+/.exec(selected.event)?.[0]));
  const v = view.value;
  if (selected.column < v.from || selected.column > v.from + v.span) centre(selected.column);
}

async function fetchMinimap() {
  const columns = summary.value?.events ?? 1;
  const buckets = Math.max(1, Math.min(columns, Math.round(plotWidth(view.value) / 3)));
  minimap.value = await session
    .look<Minimap>("minimap", { scale: scale.value, buckets })
    .catch(() => null);
}

// -- The component

function labels(): LaneLabel[] {
  return lanes.value.map((lane) => {
    const p = procs.value.get(lane.id)!;
    return { ...lane, text: `${p.pid} ${p.label}`, crashed: p.crashed };
  });
}

export function Diagram() {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current!;
    const g = element.getContext("2d")!;
    let paint: Colours = colours(element);
    let names: LaneLabel[] = [];
    let drawn = 0;
    const scene = (): Scene => ({
      view: view.value,
      data: data.value,
      minimap: minimap.value,
      labels: names,
      laneOf: (proc) => laneIndex.value.get(proc),
      selectedProc: selectedProc.value,
      selectedEvent: selectedEvent.value,
      hover: null,
      columns: columnCount(),
    });
    const redraw = () => {
      if (drawn) return;
      drawn = requestAnimationFrame(() => {
        drawn = 0;
        draw(g, scene(), paint);
        // What a canvas shows cannot be read from outside.
        element.dataset.events = String(data.value?.events?.length ?? 0);
        element.dataset.columns = String(columnCount());
        element.dataset.through = String(data.value?.through?.length ?? 0);
      });
    };
    const resize = () => {
      const { width, height } = element.parentElement!.getBoundingClientRect();
      const ratio = devicePixelRatio || 1;
      element.width = Math.round(width * ratio);
      element.height = Math.round(height * ratio);
      g.setTransform(ratio, 0, 0, ratio, 0, 0);
      setView({ ...view.value, width, height });
      if (follows) fit();
    };
    const watch = new ResizeObserver(resize);
    watch.observe(element.parentElement!);
    const stops = [
      effect(() => {
        painted.value;
        paint = colours(element);
        redraw();
      }),
      effect(() => {
        lanes.value;
        procs.value;
        names = labels();
        redraw();
      }),
      effect(() => {
        data.value;
        minimap.value;
        view.value;
        selectedProc.value;
        selectedEvent.value;
        redraw();
      }),
      effect(() => {
        version.value;
        scale.value;
        selectedEvent.value;
        hidden.value;
        lanes.value;
        view.value;
        void fetchWindow();
      }),
      effect(() => {
        version.value;
        scale.value;
        summary.value?.events;
        void fetchMinimap();
      }),
      effect(() => {
        if (selectedProc.value !== null) revealLane(selectedProc.value);
      }),
      effect(() => {
        lanes.value.length;
        data.value?.columns;
        if (follows) untracked(fit);
      }),
    ];
    const forget = interactions(element, scene);
    return () => {
      stops.forEach((stop) => stop());
      watch.disconnect();
      forget();
    };
  }, []);
  return (
    <div class="pane-column">
      <DiagramTools />
      <div class="diagram">
        <canvas
          ref={canvas}
          tabIndex={0}
          role="application"
          aria-label="Space-time diagram. Arrow keys choose events, Enter opens the menu, plus and minus zoom."
          data-testid="diagram"
        />
        <p class="only-read" aria-live="polite">
          {spoken.value}
        </p>
        {tip.value && (
          <div class="tip" style={{ left: tip.value.x + 12, top: tip.value.y + 12 }}>
            {tip.value.text}
          </div>
        )}
      </div>
    </div>
  );
}

function DiagramTools() {
  const selected = data.value?.selected;
  return (
    <div class="tools">
      <select
        aria-label="Horizontal scale"
        title="Horizontal scale"
        value={scale.value}
        onChange={(e) => {
          scale.value = e.currentTarget.value as Scale;
          fit();
        }}
      >
        <option value="order">as it happened</option>
        <option value="messages">local events together</option>
        <option value="depth">by causal depth</option>
      </select>
      <button title="Zoom in (+)" onClick={() => zoom(0.6)}>
        +
      </button>
      <button title="Zoom out (−)" onClick={() => zoom(1.7)}>
        −
      </button>
      <button title="Show everything (f)" onClick={fit}>
        Fit
      </button>
      <button
        title="Show where the session is (c)"
        onClick={() => data.value && centre(data.value.frontier)}
      >
        Here
      </button>
      <LaneHeight />
      {selectedProc.value !== null && (
        <button
          title="Leave this process out; arrows through it become dashed"
          onClick={() => hide(selectedProc.value!)}
        >
          Hide process
        </button>
      )}
      {hidden.value.size > 0 && <button onClick={showAll}>Show {hidden.value.size} hidden</button>}
      <span class="grow" />
      {selected && (
        <span class="dim" data-testid="selected-counts">
          <span class="cause">▁ {selected.causes.toLocaleString("en")} causes</span>,{" "}
          <span class="consequence">▔ {selected.consequences.toLocaleString("en")} consequences</span>
        </span>
      )}
      {selectedEvent.value && (
        <button title="Select nothing (Esc)" onClick={() => selectEvent(null)}>
          Clear
        </button>
      )}
    </div>
  );
}

function LaneHeight() {
  return (
    <input
      type="range"
      min={3}
      max={56}
      value={view.value.laneHeight}
      aria-label="Height of a lane"
      title="Height of a lane"
      onInput={(e) => setView({ ...view.value, laneHeight: Number(e.currentTarget.value) })}
    />
  );
}

// -- Mouse and keys

function interactions(element: HTMLCanvasElement, scene: () => Scene): () => void {
  let drag: { x: number; y: number; from: number; top: number; moved: boolean; map: boolean } | null =
    null;
  const point = (e: MouseEvent) => {
    const box = element.getBoundingClientRect();
    return { x: e.clientX - box.left, y: e.clientY - box.top };
  };
  const slide = (x: number) => {
    const v = view.value;
    const column = ((x - GUTTER) / plotWidth(v)) * columnCount();
    follows = false;
    setView({ ...v, from: column - v.span / 2 });
  };
  const down = (e: PointerEvent) => {
    const { x, y } = point(e);
    if (e.button !== 0) return;
    const map = y > view.value.height - MINIMAP;
    drag = { x, y, from: view.value.from, top: view.value.top, moved: false, map };
    element.setPointerCapture(e.pointerId);
    tip.value = null;
    if (map) slide(x);
  };
  const move = (e: PointerEvent) => {
    const { x, y } = point(e);
    if (!drag) {
      hover(scene(), x, y, element);
      return;
    }
    if (Math.abs(x - drag.x) + Math.abs(y - drag.y) > 4) drag.moved = true;
    if (!drag.moved) return;
    if (drag.map) {
      slide(x);
      return;
    }
    follows = false;
    const v = view.value;
    const column = (drag.x - x) * (v.span / plotWidth(v));
    setView({ ...v, from: drag.from + column, top: drag.top + (drag.y - y) });
  };
  const up = (e: PointerEvent) => {
    const ended = drag;
    drag = null;
    if (!ended || ended.moved || ended.map) return;
    const { x, y } = point(e);
    choose(scene(), x, y);
  };
  const wheel = (e: WheelEvent) => {
    e.preventDefault();
    const { x, y } = point(e);
    const v = view.value;
    if (e.ctrlKey || e.metaKey || y > v.height - MINIMAP) {
      follows = false;
      setView(zoomed(v, Math.exp(e.deltaY * 0.004), Math.max(GUTTER, x)));
    } else if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) {
      follows = false;
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
      follows = false;
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
  const leave = () => (tip.value = null);
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
    selectProc(event[1]);
  } else if (s.data?.density) {
    // Too far away to see single events: go nearer.
    follows = false;
    setView(zoomed(s.view, 0.25, x));
  } else selectEvent(null);
}

let asked = "";

function hover(s: Scene, x: number, y: number, element: HTMLElement) {
  const event = x > GUTTER && y < s.view.height - MINIMAP ? hit(s, x, y) : null;
  element.style.cursor = event ? "pointer" : x < GUTTER ? "default" : "grab";
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
      .look<{ rows: { text: string; at: string; step: number }[] }>("events", { events: [name] })
      .then((seen) => {
        const row = seen.rows[0];
        if (asked === name && row) {
          tip.value = { x, y, text: `@${row.step} ${row.text}\n${row.at}` };
        }
      })
      .catch(() => (tip.value = null));
  }, 120);
}

function spot(s: Scene): { x: number; y: number } {
  const event = s.data?.events?.find((e) => eventName(e) === s.selectedEvent);
  if (!event) return { x: s.view.width / 2, y: s.view.height / 2 };
  return { x: xOf(s.view, event[0]), y: yOf(s.view, s.laneOf(event[1]) ?? 0) };
}

/** The next event of the lane, or the nearest one in the next lane. */
function neighbour(s: Scene, dx: number, dy: number) {
  const all = s.data?.events ?? [];
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
  selectProc(best[1]);
  centre(best[0]);
}
