// The space-time diagram: a canvas that is drawn again whenever something that it shows changes.

import { effect, untracked } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Popover } from "../popover";
import { gutterWidth, nearOnly, painted } from "../settings";
import { setGutter } from "./geometry";
import { hovered, moment, procs, selectEvent, selectedEvent, selectedProc, summary, version } from "../store";
import { colours, detail, draw, type Colours, type LaneLabel, type Scene } from "./draw";
import { forks } from "./forks";
import { interactions, tip } from "./interact";
import { allLanes, chosenScale, hidden, hide, laneIndex, lanes, near, scale, showAll, type ShownScale } from "./model";
import {
  centre,
  columnCount,
  data,
  fetchMinimap,
  fetchWindow,
  fit,
  follow,
  minimap,
  revealLane,
  setView,
  spoken,
  view,
  zoom,
} from "./window";

function labels(): LaneLabel[] {
  return lanes.value.map((lane) => {
    const p = procs.value.get(lane.id)!;
    return { ...lane, text: `${p.label} ${p.pid}`, crashed: p.crashed, node: p.node };
  });
}

/** Its tools stand beside its name. */
export { DiagramTools };

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
        element.dataset.events = String(detail(data.value)?.events.length ?? 0);
        element.dataset.columns = String(columnCount());
        element.dataset.lanes = lanes.value.slice(0, 8).map((lane) => procs.value.get(lane.id)?.label ?? "").join(",");
        element.dataset.nodes = [...new Set(names.map((lane) => lane.node ?? ""))].join(",");
        element.dataset.density = String(data.value !== null && "density" in data.value.drawn);
        element.dataset.forks = String(forks.value.length);
        element.dataset.through = String(detail(data.value)?.through.length ?? 0);
      });
    };
    const resize = () => {
      const { width, height } = element.parentElement!.getBoundingClientRect();
      const ratio = devicePixelRatio || 1;
      element.width = Math.round(width * ratio);
      element.height = Math.round(height * ratio);
      g.setTransform(ratio, 0, 0, ratio, 0, 0);
      setView({ ...view.value, width, height });
      follow();
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
        forks.value;
        hovered.value;
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
        lanes.value;
        summary.value?.events;
        void fetchMinimap();
      }),
      effect(() => {
        setGutter(gutterWidth.value);
        untracked(() => setView({ ...view.value }));
        redraw();
      }),
      effect(() => {
        if (selectedEvent.value === null) near.value = null;
      }),
      effect(() => {
        const proc = selectedProc.value;
        lanes.value;
        // Scrolling there is no reason to scroll there again.
        if (proc !== null) untracked(() => revealLane(proc));
      }),
      effect(() => {
        lanes.value.length;
        data.value?.columns;
        untracked(follow);
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

/** How much led to the selected event, and how much came of it. */
export function SelectedCounts() {
  const selected = data.value?.selected;
  if (!selected) return null;
  return (
    <span class="dim" data-testid="selected-counts">
      <span class="cause">▁ {selected.causes.toLocaleString("en")} causes</span>,{" "}
      <span class="consequence">▔ {selected.consequences.toLocaleString("en")} consequences</span>
    </span>
  );
}

function DiagramTools() {
  return (
    <div class="tools">
      <select
        aria-label="Horizontal scale"
        title="Horizontal scale"
        value={scale.value}
        onChange={(e) => {
          chosenScale.value = e.currentTarget.value as ShownScale;
          fit();
        }}
      >
        <option value="telling">what matters</option>
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
      {selectedProc.value !== null && (
        <button
          title="Leave this process out; arrows through it become dashed"
          aria-label="Hide process"
          onClick={() => hide(selectedProc.value!)}
        >
          Hide
        </button>
      )}
      {hidden.value.size > 0 && <button onClick={showAll}>Show {hidden.value.size} hidden</button>}
      {lanes.value.length < allLanes.value.length ? (
        <button
          title="Only the processes that have to do with the selected event have a lane"
          data-testid="more-lanes"
          onClick={() => (nearOnly.value = false)}
        >
          +{(allLanes.value.length - lanes.value.length).toLocaleString("en")} lanes
        </button>
      ) : (
        near.value !== null &&
        !nearOnly.value && (
          <button title="Only those that have to do with the selected event" onClick={() => (nearOnly.value = true)}>
            Fewer lanes
          </button>
        )
      )}
      <Legend />
      <span class="grow" />
      {moment.value === null && <SelectedCounts />}
      {selectedEvent.value && moment.value === null && (
        <button title="Select nothing (Esc)" onClick={() => selectEvent(null)}>
          Clear
        </button>
      )}
    </div>
  );
}

const LEGEND: [string, string][] = [
  ["▷", "sends"],
  ["◁", "receives"],
  ["╷", "arrives"],
  ["◆", "spawns"],
  ["■", "ends"],
  ["✖", "crashes"],
  ["⋈", "times out"],
  ["▤", "prints"],
  [">", "before a receive: it could have taken another message, shown when you point at it"],
  ["▭", "a call, until its reply"],
  ["▬", "far away: how much happens; a broad line: many messages together"],
  ["▁", "below: a cause of the selected event"],
  ["▔", "above: a consequence of it"],
  ["│", "the cut: where the session is"],
];

function Legend() {
  return (
    <Popover label="Legend">
      <dl class="legend">
        {LEGEND.map(([mark, meaning]) => (
          <div key={mark}>
            <dt>{mark}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <label>
        height of a lane <LaneHeight />
      </label>
    </Popover>
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
