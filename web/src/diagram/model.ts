// What the person has made of the diagram: folded, hidden, scale.

import { computed, signal } from "@preact/signals";
import { tree } from "../lanes";
import { libraryShown, nearOnly, remembered } from "../settings";
import { procs } from "../store";
import type { Scale } from "../types";

/** Processes whose children are drawn in their own lane. */
export const folded = signal<ReadonlySet<number>>(new Set());
/** Processes without a lane; arrows through them are dashed. */
export const hidden = signal<ReadonlySet<number>>(new Set());

export const scale = remembered<Scale>("scale", "order");

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

/** The lanes that are drawn: all, or those that have to do with the selected event. */
export const lanes = computed(() => {
  const all = allLanes.value;
  const wanted = near.value;
  if (wanted === null || !nearOnly.value || all.length <= FEW) return all;
  const set = new Set(wanted);
  const some = all.filter((lane) => set.has(lane.id));
  return some.length > 0 ? some : all;
});

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
