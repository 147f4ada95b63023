// The controls: the selected process back and forward, the whole system, the person's own moves.

import { report } from "./panes/notes";
import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { movesText } from "./menu";
import { paletteOpen } from "./palette";
import { Popover } from "./popover";
import { remembered } from "./settings";
import {
  busy,
  cancel,
  breakpoints,
  command,
  lost,
  moves,
  procName,
  question,
  redoMove,
  selectedProc,
  summary,
  title,
  typeLine,
  undoMove,
  useView,
} from "./store";
import type { CodeScope, Command, DeliveryMode, ScheduleName } from "./types";
import { openTab } from "./panes/system";

interface Control {
  label: string;
  title: string;
  key: string;
  run: () => void;
}

/** How often the buttons do what they say. */
export const times = signal(1);

/** A command as a button carries it out. */
const of = (make: () => Command) => () => void command(make());

/** How often the field beside the buttons says. */
const count = () => times.value;

export const BACKWARD: Control[] = [
  { label: "|◀", title: "Undo everything", key: "Shift+Home", run: of(() => ({ undo: { target: "all" } })) },
  { label: "◀ stop", title: "Back to the last breakpoint", key: "Shift+F5", run: of(() => ({ "reverse-continue": {} })) },
  { label: "◀ call", title: "Back to the call of the current function", key: "Shift+F11", run: of(() => ({ "reverse-finish": {} })) },
  { label: "◀ event", title: "Undo the last event of this process, with its consequences", key: "[", run: of(() => ({ "reverse-step": { count: count(), unit: "event" } })) },
  { label: "◀ line", title: "Back one line, over calls", key: "Shift+F10", run: of(() => ({ "reverse-next": { count: count() } })) },
  { label: "◀ step", title: "Back one step", key: ",", run: of(() => ({ "reverse-step": { count: count() } })) },
];

export const FORWARD: Control[] = [
  { label: "step ▶", title: "Forward one step", key: ".", run: of(() => ({ step: { count: count() } })) },
  { label: "line ▶", title: "Forward one line, over calls", key: "F10", run: of(() => ({ next: { count: count() } })) },
  { label: "into ▶", title: "Forward one line, into calls", key: "F11", run: of(() => ({ step: { count: count(), unit: "line" } })) },
  { label: "out ▶", title: "Forward until the current function returns", key: "F12", run: of(() => ({ finish: {} })) },
  { label: "event ▶", title: "Forward to the next event of this process, with its causes", key: "]", run: of(() => ({ step: { count: count(), unit: "event" } })) },
  { label: "run ▶|", title: "Let everything run: to a breakpoint, or until nothing can happen", key: "F5", run: of(() => ({ run: {} })) },
];

export const OWN_MOVES: Control[] = [
  { label: "↶", title: "Take back my last move", key: "Ctrl+Z", run: () => void undoMove() },
  { label: "↷", title: "Make it again", key: "Ctrl+Shift+Z", run: () => void redoMove() },
];

/** Everything that the buttons do, to be found by its name. */
export const COMMANDS: Control[] = [...FORWARD, ...BACKWARD, ...OWN_MOVES];

const speed = signal(4);
const playing = signal(false);
const choices = signal(10);

/** Automatic: so many choices of the schedule a second, until nothing can happen. */
async function play() {
  playing.value = !playing.value;
  while (playing.value) {
    const before = summary.value?.events;
    const done = await command(
      summary.value?.at_end ? { run: { choices: 1 } } : { redo: { target: "all" } },
      null,
    );
    if (!done.ok || (summary.value?.at_end && summary.value.events === before)) playing.value = false;
    await new Promise((resolve) => setTimeout(resolve, 1000 / speed.value));
  }
}

type UnitName = "line" | "into" | "call" | "step" | "event" | "stop";

/** What the two buttons go back and forward by: chosen once. */
const unit = remembered<UnitName>("unit", "line");

const BY_UNIT: Record<UnitName, { back: Control; forward: Control }> = {
  line: { back: BACKWARD[4], forward: FORWARD[1] },
  into: {
    back: { label: "", title: "Back one line, into calls", key: "", run: of(() => ({ "reverse-step": { count: count(), unit: "line" } })) },
    forward: FORWARD[2],
  },
  call: { back: BACKWARD[2], forward: FORWARD[3] },
  step: { back: BACKWARD[5], forward: FORWARD[0] },
  event: { back: BACKWARD[3], forward: FORWARD[4] },
  stop: { back: BACKWARD[1], forward: { label: "", title: "On to the next breakpoint", key: "F5", run: of(() => ({ continue: {} })) } },
};

/** One of the two buttons, for the unit that is chosen. */
function byUnit(direction: "back" | "forward"): Control {
  const chosen = BY_UNIT[unit.value][direction];
  return { ...chosen, label: direction === "back" ? "◀ back" : "forward ▶" };
}

/** What a button is called by those who do not see it: what it shows, and what it does. */
function named(c: Control): string {
  const word = c.label.replace(/[^a-z ]/gi, "").trim();
  return word ? `${word}: ${c.title}` : c.title;
}

export function Toolbar() {
  const idle = busy.value === null && lost.value === null;
  const button = (c: Control, enabled = true) => (
    <button
      key={c.label}
      disabled={!idle || !enabled}
      title={`${c.title} (${c.key})`}
      aria-label={named(c)}
      onClick={c.run}
    >
      {c.label}
    </button>
  );
  return (
    <header class="toolbar">
      <h1 class="brand">
        <img src="icon.svg" alt="" width="18" height="18" /> Reverl
      </h1>
      <span class="title" title={title.value}>
        {title.value}
      </span>
      <div class="group" role="group" aria-label="My moves">
        {button(OWN_MOVES[0], moves.value.back > 0)}
        {button(OWN_MOVES[1], moves.value.forward > 0)}
      </div>
      <div class="group" role="group" aria-label="Time">
        {button(BACKWARD[0])}
        {button(byUnit("back"), unit.value !== "stop" || breakpoints.value.length > 0)}
        <select
          aria-label="By what back and forward go"
          title="By what back and forward go"
          value={unit.value}
          onChange={(e) => (unit.value = e.currentTarget.value as UnitName)}
        >
          <option value="line">by line</option>
          <option value="into">by line, into calls</option>
          <option value="call">by call</option>
          <option value="step">by step</option>
          <option value="event">by event</option>
          <option value="stop">by breakpoint</option>
        </select>
        {button(byUnit("forward"))}
        {button(FORWARD[FORWARD.length - 1])}
      </div>
      <span class="about" title="Back and forward are about the selected process">
        {selectedProc.value === null ? "" : procName(selectedProc.value)}
        <input
          type="number"
          min={1}
          value={times.value}
          aria-label="How many steps, lines or events"
          title="How many steps, lines or events"
          onInput={(e) => (times.value = Math.max(1, Number(e.currentTarget.value) || 1))}
        />
      </span>
      <div class="group" role="group" aria-label="Everything">
        <button
          title="Replay all that is known"
          aria-label="all: Replay all that is known"
          disabled={!idle || summary.value?.at_end !== false}
          onClick={() => void command({ redo: { target: "all" } })}
        >
          all ▶▶
        </button>
      </div>
      <span class="grow" />
      <button onClick={() => (paletteOpen.value = true)} title="Find processes, events and commands (Ctrl+K)">
        Find <kbd>Ctrl K</kbd>
      </button>
      <GoTo />
      <Automatic />
      <Files />
    </header>
  );
}

const TARGETS: [string, string][] = [
  ["", "steps: a number"],
  ["send", "send of a message: #84.2"],
  ["deliver", "delivery of a message: #84.2"],
  ["receive", "receive of a message: #84.2"],
  ["spawn", "spawn of a process: <0.85.0>"],
  ["start", "start of a process: <0.85.0>"],
  ["exit", "end of a process: <0.85.0>"],
  ["variable", "binding of a variable: X"],
  ["line", "line: 12 or file.erl:12"],
  ["register", "registration of a name"],
];

/** Rollback and replay to every kind of target, with what would move. */
function GoTo() {
  const [kind, setKind] = useState("receive");
  const [what, setWhat] = useState("");
  const target = `${kind} ${what.trim()}`.trim();
  const about = selectedProc.value;
  const plan = useView("plan", what.trim() ? { target, proc: about } : null);
  const side = (name: "undo" | "redo", label: string) => {
    const planned = plan?.[name];
    const size = planned && "moves" in planned ? planned.moves : null;
    const why = planned && "error" in planned ? planned.error : "";
    return (
      <div class="row">
        <button disabled={!size} onClick={() => void command(`${name} ${target}`)}>
          {label}
        </button>
        <span class="dim">{size ? movesText(size) : why}</span>
      </div>
    );
  };
  return (
    <Popover label="Go to">
      <fieldset>
        <legend>Undo or replay to something</legend>
        <select
          aria-label="Kind of target"
          value={kind}
          onChange={(e) => setKind(e.currentTarget.value)}
        >
          {TARGETS.map(([name, text]) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
        </select>
        <input
          class="mono"
          aria-label="Target"
          placeholder="#84.2"
          value={what}
          onInput={(e) => setWhat(e.currentTarget.value)}
        />
        {side("undo", "Undo, with all consequences")}
        {side("redo", "Replay, with all causes")}
      </fieldset>
      <Place />
    </Popover>
  );
}

/** A position as it is written everywhere: `<0.84.0>@17`. */
function Place() {
  const field = useRef<HTMLInputElement>(null);
  return (
    <form
      onSubmit={(e) => {
        e.preventDefault();
        const where = field.current?.value.trim();
        if (where) void command(`goto ${where}`);
      }}
    >
      <label>
        A step of a process{" "}
        <input ref={field} class="mono" placeholder="<0.84.0>@17" aria-label="Step to go to" />
      </label>
      <button type="submit">Go</button>
    </form>
  );
}

const setSchedule = (name: ScheduleName) => command({ set: { schedule: { name, seed: 1 } } });
const setCode = (scope: CodeScope) => command({ set: { code: scope } });
const setDelivery = (mode: DeliveryMode) => command({ set: { delivery: mode } });

function Automatic() {
  return (
    <Popover label="Automatic">
      <fieldset>
        <legend>Let the schedule choose</legend>
        <div class="row">
          <button aria-pressed={playing.value} onClick={() => void play()}>
            {playing.value ? "❚❚ pause" : "▷ play"}
          </button>
          <label>
            <input
              type="range"
              min={1}
              max={20}
              value={speed.value}
              aria-label="Speed of automatic running"
              onInput={(e) => (speed.value = Number(e.currentTarget.value))}
            />{" "}
            {speed.value} choices a second
          </label>
        </div>
        <div class="row">
          <button onClick={() => void command({ run: { choices: choices.value } })}>Run</button>
          <label>
            <input
              type="number"
              min={1}
              value={choices.value}
              aria-label="Number of choices"
              onInput={(e) => (choices.value = Math.max(1, Number(e.currentTarget.value) || 1))}
            />{" "}
            choices
          </label>
        </div>
      </fieldset>
      <fieldset>
        <legend>How it runs</legend>
        <label>
          schedule{" "}
          <select onChange={(e) => void setSchedule(e.currentTarget.value as ScheduleName)}>
            <option value="round-robin">round robin, as one BEAM scheduler</option>
            <option value="random">random, messages arrive at once</option>
            <option value="random-delivery">random, also the arrivals</option>
            <option value="processes-first">processes before arrivals</option>
            <option value="deliveries-first">arrivals before processes</option>
          </select>
        </label>
        <label>
          delivery{" "}
          <select
            value={summary.value?.delivery}
            onChange={(e) => void setDelivery(e.currentTarget.value as DeliveryMode)}>
            <option value="instant">by the schedule</option>
            <option value="manual">by hand</option>
          </select>
        </label>
        <label>
          steps by lines{" "}
          <select
            value={summary.value?.code}
            onChange={(e) => void setCode(e.currentTarget.value as CodeScope)}>
            <option value="own">stay in your own code</option>
            <option value="all">also end in OTP's</option>
          </select>
        </label>
        <button onClick={() => void command("restart", null)}>Begin a fresh execution</button>
      </fieldset>
    </Popover>
  );
}

function Files() {
  const save = useRef<HTMLInputElement>(null);
  const open = useRef<HTMLInputElement>(null);
  return (
    <Popover label="File">
      <form
        onSubmit={(e) => {
          e.preventDefault();
          const name = save.current?.value.trim();
          if (name) void command({ save: { file: name } });
        }}
      >
        <label>
          Save everything to <input ref={save} placeholder="bug.reverl" aria-label="Save to file" />
        </label>
        <button type="submit">Save</button>
      </form>
      <form
        onSubmit={(e) => {
          e.preventDefault();
          const name = open.current?.value.trim();
          if (name) void openTab(name);
        }}
      >
        <label>
          Open a recording{" "}
          <input ref={open} placeholder="bug.reverl" aria-label="Recording to open" />
        </label>
        <button type="submit">Open in a tab</button>
      </form>
      <button onClick={() => void report()}>Report of what went wrong and was noted</button>
      <button onClick={() => void openTab(null)}>New session of this program in a tab</button>
      <button
        onClick={() => void navigator.clipboard?.writeText(location.href)}
        title="The address names this branch, cut and selection"
      >
        Copy the address of this place
      </button>
    </Popover>
  );
}

/** The program reads standard input: what it asks, and a line to answer with. */
function InputLine() {
  const asked = question.value;
  const line = useRef<HTMLInputElement>(null);
  useEffect(() => line.current?.focus(), [asked]);
  if (asked === null) return null;
  return (
    <form
      class="busy"
      onSubmit={(event) => {
        event.preventDefault();
        void typeLine(line.current?.value ?? "");
      }}
    >
      <label>
        The program waits for a line: <b>{asked}</b>{" "}
        <input ref={line} aria-label="Line for the program" />
      </label>
      <button type="submit">Enter</button>
      <button type="button" onClick={() => void typeLine(null)} title="No more lines will come">
        End of input
      </button>
    </form>
  );
}

export function BusyBar() {
  const now = busy.value;
  if (question.value !== null) return <InputLine />;
  if (!now) return null;
  return (
    <div class="busy" role="status">
      <span class="spinner" aria-hidden="true" />
      <b>{now.what}</b>
      <span>
        {now.seconds.toFixed(1)} s, {now.events.toLocaleString("en")} events
      </span>
      <button onClick={() => void cancel()}>Cancel</button>
    </div>
  );
}
