// What the server answers with; docs/api.md describes each.

export interface Summary {
  branch: string;
  branches: { name: string; events: number; current: boolean }[];
  current: number;
  main: number;
  events: number;
  events_here: number;
  steps_here: number;
  processes: number;
  at_end: boolean;
  more: boolean;
  outcome: "finished" | "deadlock" | "crashed" | "limit";
  place: string;
  rolled: number;
}

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
}

export type State = "unspawned" | "running" | "waiting" | "exited" | "crashed";

export interface Row {
  id: number;
  state: State;
  step: number;
  function: string | null;
  file: string | null;
  line: number | null;
  mailbox: number;
}

export interface Folded {
  text: string;
  kind: "leaf" | "tuple" | "list" | "map";
  opens: boolean;
}

export interface Binding extends Folded {
  name: string;
}

export interface Call {
  function: string;
  file: string | null;
  line: number | null;
  bindings: Binding[];
}

export interface Message extends Folded {
  id: string;
  from: number;
  to: number | null;
  sent: string;
  at: string;
}

export interface ProcessView extends Row {
  pid: string;
  expression?: string | null;
  column?: number;
  rule?: string | null;
  depth?: number;
  calls?: Call[];
  exit?: string | null;
  result?: string | null;
  messages?: Message[];
}

export interface EventRow {
  event: string;
  proc: number;
  step: number;
  kind: string;
  text: string;
  at: string;
  message: string | null;
}

export interface Racing {
  id: string;
  from: number;
  text: string;
  actual: boolean;
}

export interface RaceRow extends EventRow {
  racing: Racing[];
}

export interface Moves {
  steps: number;
  events: number;
  processes: number;
}

export interface Choice {
  label: string;
  command: string;
  moves: Moves | null;
}

export interface EventView extends EventRow {
  pid: string;
  order: number;
  causes: number;
  consequences: number;
  term: Folded | null;
  related: { how: string; event: string; proc: number }[];
  choices: Choice[];
  racing: Racing[];
}

/** Column, process, kind, flags, chain (0 actions, 1 deliveries), number in the chain. */
export type DrawnEvent = [number, number, string, number, number, number];

export interface Arrow {
  kind: "message" | "spawn";
  id?: string;
  from: [number, number];
  to: [number | null, number];
  delivered?: number | null;
  received?: boolean;
  flags: number;
  end?: number;
}

export interface Lane {
  id: number;
  start: number | null;
  end: number | null;
  last: number | null;
  next: number | null;
}

export interface Window {
  columns: number;
  from: number;
  to: number;
  lanes: Lane[];
  frontier: number;
  selected: { event: string; column: number; causes: number; consequences: number } | null;
  events?: DrawnEvent[];
  labels?: string[];
  arrows?: Arrow[];
  through?: { from: [number, number]; to: [number, number]; flags: number }[];
  density?: { buckets: number; rows: string[] };
}

export const IN_CUT = 1;
export const CAUSE = 2;
export const CONSEQUENCE = 4;

export interface Problem {
  kind: "blocked" | "crashed" | "lost" | "orphan";
  proc: number;
  to?: number | null;
  at: string;
  text: string;
  message?: string;
  event: string | null;
}

export interface Failure {
  kind: string;
  count: number;
  at: string;
  reason: string;
  story: string[];
  recording: string | null;
}

export interface Exploration {
  running: boolean;
  visited: number;
  executions: number;
  complete: boolean;
  seconds: number;
  results: { value: string; count: number }[];
  failures: Failure[];
  trouble: string | null;
}

export interface Busy {
  ticket: number;
  what: string;
  seconds: number;
  events: number;
}

export interface Done {
  ok: boolean;
  text?: string;
  error?: string;
  data?: unknown;
}

export interface Progress {
  version: number;
  ticket: number | null;
  done: Done | null;
  busy: Busy | null;
  exploration: Exploration | null;
  /** What the program printed before it began to wait for a line, while it waits. */
  input: string | null;
}
