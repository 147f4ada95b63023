// What the person has made of the diagram: folded, hidden, scale; which lanes it has, in what order.

import { computed, signal } from "@preact/signals";
import { tree, type LaneRow } from "../lanes";
import { libraryShown, nearOnly, remembered } from "../settings";
import { procs, summary } from "../store";
import type { Scale, Views } from "../types";

/** Processes whose children are drawn in their own lane. */
export const folded = signal<ReadonlySet<number>>(new Set());
/** Processes without a lane; arrows through them are dashed. */
export const hidden = signal<ReadonlySet<number>>(new Set());

/** What the horizontal axis shows: what tells something, or everything on one of the scales. */
export type ShownScale = "telling" | Scale;

/** What the person has chosen; null: what suits the length of the execution. */
export const chosenScale = remembered<ShownScale | null>("shown-scale", null);

/** Of a longer execution not everything can be told apart. */
const SHORT = 600;

export const scale = computed<ShownScale>(
  () => chosenScale.value ?? ((summary.value?.events ?? 0) > SHORT ? "telling" : "order"),
);

/** More lanes than these are not named to the server. */
const MOST_NAMED = 300;

/** The columns that the diagram has: what is not drawn needs none. */
export function askedColumns(): Pick<Views["diagram"]["asked"], "scale" | "among" | "telling"> {
  if (scale.value !== "telling") return { scale: scale.value };
  const named = lanes.value.length <= MOST_NAMED && folded.value.size === 0;
  const among = named && lanes.value.length > 0 ? lanes.value.map((l) => l.id) : null;
  return { scale: "order", among, telling: !libraryShown.value };
}

/** The processes that have to do with the selected event; null if none is selected. */
export const near = signal<number[] | null>(null);

/** With so few lanes there is room for all. */
const FEW = 12;

/** All lanes that there could be. */
export const allLanes = computed(() =>
  tree(procs.value.values(), {
    folded: folded.value,
    hidden: hidden.value,
    search: "",
    library: libraryShown.value,
  }),
);

/** The lanes that are drawn: all, or those that have to do with the selected event, the nearest
 *  first. Those of one node are together. */
export const lanes = computed(() => byNode(nearest(allLanes.value)));

function nearest(all: LaneRow[]): LaneRow[] {
  const wanted = near.value;
  if (wanted === null || !nearOnly.value || all.length <= FEW) return all;
  const byId = new Map(all.map((lane) => [lane.id, lane]));
  // What is selected has a lane, also where only a library runs in it.
  const itself: LaneRow = { id: wanted[0], depth: 0, below: 0, folded: false };
  const some = wanted.flatMap((id, i) => byId.get(id) ?? (i === 0 && procs.value.has(id) ? itself : []));
  return some.length > 0 ? some.map((lane) => ({ ...lane, depth: 0 })) : all;
}

/** In the order of the nodes' first lanes; within a node as before. */
function byNode(all: LaneRow[]): LaneRow[] {
  const nodeOf = (lane: LaneRow) => procs.value.get(lane.id)?.node ?? "";
  const nodes = [...new Set(all.map(nodeOf))];
  if (nodes.length < 2) return all;
  return nodes.flatMap((node) => all.filter((lane) => nodeOf(lane) === node));
}

/** The lane in which a process is drawn: its own, or that of a folded ancestor. */
export const laneIndex = computed(() => {
  const index = new Map<number, number>();
  lanes.value.forEach((lane, i) => index.set(lane.id, i));
  for (const p of procs.value.values()) {
    if (p.parent === null || index.has(p.id) || hidden.value.has(p.id)) continue;
    const above = index.get(p.parent);
    if (above !== undefined && lanes.value[above].folded) index.set(p.id, above);
  }
  return index;
});

export function hide(id: number) {
  hidden.value = new Set([...hidden.value, id]);
}

export function showAll() {
  hidden.value = new Set();
}
