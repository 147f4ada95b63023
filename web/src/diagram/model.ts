// What the person has made of the diagram: folded, hidden, scale.

import { computed, signal } from "@preact/signals";
import { tree } from "../lanes";
import { remembered } from "../settings";
import { procs } from "../store";
import type { Scale } from "../types";

/** Processes whose children are drawn in their own lane. */
export const folded = signal<ReadonlySet<number>>(new Set());
/** Processes without a lane; arrows through them are dashed. */
export const hidden = signal<ReadonlySet<number>>(new Set());

export const scale = remembered<Scale>("scale", "order");

export const lanes = computed(() =>
  tree(procs.value.values(), { folded: folded.value, hidden: hidden.value, search: "" }),
);

/** The lane in which a process is drawn: its own, or that of a folded ancestor. */
export const laneIndex = computed(() => {
  const index = new Map<number, number>();
  lanes.value.forEach((lane, i) => index.set(lane.id, i));
  for (const p of procs.value.values()) {
    if (p.parent === null || index.has(p.id) || hidden.value.has(p.id)) continue;
    const above = index.get(p.parent);
    if (above !== undefined) index.set(p.id, above);
  }
  return index;
});

export function hide(id: number) {
  hidden.value = new Set([...hidden.value, id]);
}

export function showAll() {
  hidden.value = new Set();
}
