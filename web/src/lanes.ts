// Which processes have a lane or a row, and in what order.

import type { ProcessTable } from "./types";

/** What never changes of a process. */
export interface Proc {
  id: number;
  pid: string;
  parent: number | null;
  name: string | null;
  /** The registered name, or the function that it is about. */
  label: string;
  entry: string;
  events: number;
  exited: boolean;
  crashed: boolean;
  system: boolean;
  /** Only a library runs in it. */
  runtime: boolean;
  /** The node that it runs on, where there are several. */
  node: string | null;
}

export function readProcs({ texts, processes }: ProcessTable): Map<number, Proc> {
  const all = new Map<number, Proc>();
  for (const [id, pid, parent, name, label, entry, events, flags, node] of processes) {
    all.set(id, {
      id,
      pid,
      parent,
      name,
      label: texts[label],
      entry: texts[entry],
      events,
      exited: (flags & 1) !== 0,
      crashed: (flags & 2) !== 0,
      system: (flags & 4) !== 0,
      runtime: (flags & 8) !== 0,
      node: node === null ? null : texts[node],
    });
  }
  return all;
}

export interface LaneOptions {
  folded: ReadonlySet<number>;
  hidden: ReadonlySet<number>;
  search: string;
  /** Processes of the runtime have a place too. */
  library: boolean;
  /** One that has a place in any case. */
  always?: number | null;
}

export interface LaneRow {
  id: number;
  depth: number;
  /** How many processes it spawned, also those spawned by its children. */
  below: number;
  folded: boolean;
}

export function matches(p: Proc, search: string): boolean {
  const wanted = search.trim().toLowerCase();
  if (!wanted) return true;
  return [p.pid, p.name ?? "", p.label, p.entry].some((text) => text.toLowerCase().includes(wanted));
}

function hasPlace(p: Proc, options: LaneOptions): boolean {
  return !p.system && (options.library || !p.runtime || p.id === options.always);
}

/** Children under their parents, in order of spawning. */
export function tree(procs: Iterable<Proc>, options: LaneOptions): LaneRow[] {
  const all = [...procs].filter((p) => hasPlace(p, options));
  const known = new Set(all.map((p) => p.id));
  const children = new Map<number | null, Proc[]>();
  for (const p of all) {
    const parent = p.parent !== null && known.has(p.parent) ? p.parent : null;
    const list = children.get(parent);
    if (list) list.push(p);
    else children.set(parent, [p]);
  }
  const below = new Map<number, number>();
  // Children have greater numbers than their parents.
  for (const p of [...all].sort((a, b) => b.id - a.id)) {
    const list = children.get(p.id) ?? [];
    below.set(p.id, list.reduce((sum, c) => sum + 1 + (below.get(c.id) ?? 0), 0));
  }
  const rows: LaneRow[] = [];
  const searching = options.search.trim() !== "";
  const work = (children.get(null) ?? []).map((p) => ({ p, depth: 0 })).reverse();
  while (work.length > 0) {
    const { p, depth } = work.pop()!;
    const folded = options.folded.has(p.id) && !searching;
    if (!options.hidden.has(p.id) && matches(p, options.search)) {
      rows.push({ id: p.id, depth: searching ? 0 : depth, below: below.get(p.id) ?? 0, folded });
    }
    if (folded) continue;
    const list = children.get(p.id) ?? [];
    for (let i = list.length - 1; i >= 0; i--) work.push({ p: list[i], depth: depth + 1 });
  }
  return rows;
}

export type SortKey = "tree" | "pid" | "name" | "events" | "mailbox";

export function sorted(
  procs: Iterable<Proc>,
  key: SortKey,
  options: LaneOptions,
  mailboxes: ReadonlyMap<number, number>,
): LaneRow[] {
  if (key === "tree") return tree(procs, options);
  const shown = [...procs].filter(
    (p) =>
      hasPlace(p, options) &&
      !options.hidden.has(p.id) &&
      matches(p, options.search),
  );
  const mailbox = (p: Proc) => mailboxes.get(p.id) ?? 0;
  const orders: Record<Exclude<SortKey, "tree">, (a: Proc, b: Proc) => number> = {
    pid: (a, b) => a.id - b.id,
    name: (a, b) => a.label.localeCompare(b.label) || a.id - b.id,
    events: (a, b) => b.events - a.events || a.id - b.id,
    mailbox: (a, b) => mailbox(b) - mailbox(a) || a.id - b.id,
  };
  shown.sort(orders[key]);
  return shown.map((p) => ({ id: p.id, depth: 0, below: 0, folded: false }));
}
