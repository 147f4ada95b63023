// Two executions as one picture: what both have once, what only one has beside it, and where they
// part.

import { signal } from "@preact/signals";
import { command, procName, selectEvent, useView } from "../store";
import type { ComparedPicture, PictureSide, PicturedEvent } from "../types";

const COLUMN = 26;
const LANE = 46;
const NAMES = 150;
const TOP = 34;

const x = (column: number) => NAMES + (column + 0.5) * COLUMN;

/** What only the other execution has stands a little lower. */
const y = (event: PicturedEvent) => TOP + event.lane * LANE + (event.side === "there" ? 14 : 0);

const SHAPES: Record<PictureSide, (px: number, py: number) => preact.JSX.Element> = {
  both: (px, py) => <circle cx={px} cy={py} r={4} />,
  here: (px, py) => <circle cx={px} cy={py} r={5.5} />,
  there: (px, py) => <rect x={px - 5} y={py - 5} width={10} height={10} />,
};

/** The branch that is shown with this one in the place of the diagram. */
export const pictured = signal<string | null>(null);

/** Two executions in the place of the diagram. */
export function PictureView({ other }: { other: string }) {
  return (
    <section class="dock guide" aria-label="Two executions as one picture">
      <div class="tabs">
        <h2>Two executions as one picture</h2>
        <span class="grow" />
        <button onClick={() => (pictured.value = null)}>Back to the diagram</button>
      </div>
      <div class="scroll guide-body">
        <Picture other={other} />
      </div>
    </section>
  );
}

export function Picture({ other }: { other: string }) {
  const seen = useView("picture", { with: other });
  if (!seen) return null;
  if (seen.lanes.length === 0) return <p class="none">Every process does the same in both.</p>;
  const width = NAMES + seen.columns * COLUMN + 40;
  const height = TOP + seen.lanes.length * LANE;
  return (
    <div class="picture" data-testid="picture">
      <p class="dim">
        ● in both <span class="side-here">● only in {seen.here}</span>{" "}
        <span class="side-there">■ only in {seen.there}</span>
        {seen.more_lanes > 0 && `; ${seen.more_lanes.toLocaleString("en")} more processes differ`}
        {seen.has_more && "; it goes on to the right"}
      </p>
      <First seen={seen} />
      <div class="scroll" tabIndex={0} role="region" aria-label={`${seen.here} and ${seen.there} as one picture`}>
        <svg width={width} height={height} role="group" aria-label="Both executions">
          <Parting seen={seen} height={height} />
          {seen.lanes.map((lane, i) => (
            <g key={lane.proc}>
              <text x={6} y={TOP + i * LANE + 4}>
                {lane.called.length > 20 ? `${lane.called.slice(0, 19)}…` : lane.called}
                <title>
                  {lane.called} {lane.pid}
                </title>
              </text>
              <line class="lane" x1={NAMES} x2={width} y1={TOP + i * LANE} y2={TOP + i * LANE} />
            </g>
          ))}
          {seen.messages.map((m) => (
            <line
              key={`${m.from}-${m.to}-${m.side}`}
              class={`message side-${m.side}`}
              x1={x(m.from)}
              y1={y(seen.events[m.from])}
              x2={x(m.to)}
              y2={y(seen.events[m.to])}
            />
          ))}
          {seen.events.map((e) => (
            <Mark key={`${e.side}${e.event}`} event={e} seen={seen} />
          ))}
        </svg>
      </div>
    </div>
  );
}

/** From here on they differ. */
function Parting({ seen, height }: { seen: ComparedPicture; height: number }) {
  if (seen.first.length === 0) return null;
  const at = x(Math.min(...seen.first)) - COLUMN / 2;
  return (
    <g class="parting">
      <line x1={at} x2={at} y1={16} y2={height} />
      <text x={at + 4} y={14}>
        first difference
      </text>
    </g>
  );
}

/** The first thing that each of them did otherwise, in words. */
function First({ seen }: { seen: ComparedPicture }) {
  return (
    <ul class="plain" data-testid="first-difference">
      {seen.first.map((i) => {
        const event = seen.events[i];
        return (
          <li key={event.side} class={`side-${event.side}`}>
            {event.side === "there" ? "■" : "●"} {event.side === "there" ? seen.there : seen.here}:{" "}
            {event.called} {event.text}
          </li>
        );
      })}
    </ul>
  );
}

function Mark({ event, seen }: { event: PicturedEvent; seen: ComparedPicture }) {
  const where = event.side === "both" ? "both" : event.side === "here" ? seen.here : seen.there;
  const name = `${procName(event.proc)} ${event.text}, in ${where}`;
  // What only the other branch has can be looked at there.
  const open = async () => {
    if (event.side === "there") await command({ branch: { name: seen.there } });
    selectEvent(event.event);
  };
  const key = (e: KeyboardEvent) => e.key === "Enter" && void open();
  return (
    <g
      class={`deed side-${event.side}`}
      role="button"
      tabIndex={0}
      aria-label={name}
      onClick={() => void open()}
      onKeyDown={key}
    >
      {SHAPES[event.side](x(event.column), y(event))}
      <title>{name}</title>
    </g>
  );
}
