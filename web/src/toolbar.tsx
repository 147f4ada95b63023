// The controls: the selected process back and forward, the whole system, the person's own moves.

import { signal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { Popover } from "./popover";
import {
  busy,
  cancel,
  command,
  moves,
  pidOf,
  redoMove,
  selectedProc,
  summary,
  title,
  undoMove,
} from "./store";
import { theme, type Theme } from "./settings";
import { openTab } from "./panes/system";

interface Control {
  label: string;
  title: string;
  key: string;
  run: () => void;
}

const of = (text: string) => () => void command(text);

export const BACKWARD: Control[] = [
  { label: "|◀", title: "Undo everything", key: "Shift+Home", run: of("undo all") },
  { label: "◀ stop", title: "Back to the last breakpoint of this process", key: "Shift+F5", run: of("reverse-continue") },
  { label: "◀ call", title: "Back to the call of the current function", key: "Shift+F11", run: of("reverse-finish") },
  { label: "◀ event", title: "Undo the last event of this process, with its consequences", key: "[", run: of("reverse-step event") },
  { label: "◀ line", title: "Back one line, over calls", key: "Shift+F10", run: of("reverse-next") },
  { label: "◀ step", title: "Back one step", key: ",", run: of("reverse-step") },
];

export const FORWARD: Control[] = [
  { label: "step ▶", title: "Forward one step", key: ".", run: of("step") },
  { label: "line ▶", title: "Forward one line, over calls", key: "F10", run: of("next") },
  { label: "into ▶", title: "Forward one line, into calls", key: "F11", run: of("step line") },
  { label: "out ▶", title: "Forward until the current function returns", key: "F12", run: of("finish") },
  { label: "event ▶", title: "Forward to the next event of this process, with its causes", key: "]", run: of("step event") },
  { label: "run ▶|", title: "Let everything run: to a breakpoint, or until nothing can happen", key: "F5", run: of("run") },
];

export const OWN_MOVES: Control[] = [
  { label: "↶", title: "Take back my last move", key: "Ctrl+Z", run: () => void undoMove() },
  { label: "↷", title: "Make it again", key: "Ctrl+Shift+Z", run: () => void redoMove() },
];

const speed = signal(4);
const playing = signal(false);

/** Automatic: so many choices of the schedule a second, until nothing can happen. */
async function play() {
  playing.value = !playing.value;
  while (playing.value) {
    const before = summary.value?.events;
    const done = await command(summary.value?.at_end ? "run 1" : "redo all", null);
    if (!done.ok || (summary.value?.at_end && summary.value.events === before)) playing.value = false;
    await new Promise((resolve) => setTimeout(resolve, 1000 / speed.value));
  }
}

export function Toolbar() {
  const idle = busy.value === null;
  const button = (c: Control, enabled = true) => (
    <button
      key={c.label}
      disabled={!idle || !enabled}
      title={`${c.title} (${c.key})`}
      aria-label={c.title}
      onClick={c.run}
    >
      {c.label}
    </button>
  );
  return (
    <header class="toolbar">
      <span class="brand">
        <img src="icon.svg" alt="" width="18" height="18" /> Reverl
      </span>
      <span class="title" title={title.value}>
        {title.value}
      </span>
      <div class="group" role="group" aria-label="My moves">
        {button(OWN_MOVES[0], moves.value.back > 0)}
        {button(OWN_MOVES[1], moves.value.forward > 0)}
      </div>
      <div class="group" role="group" aria-label="Back">
        {BACKWARD.map((c) => button(c))}
      </div>
      <span class="about" title="These buttons are about the selected process">
        {selectedProc.value === null ? "" : pidOf(selectedProc.value)}
      </span>
      <div class="group" role="group" aria-label="Forward">
        {FORWARD.map((c) => button(c))}
        <button
          title="Replay all that is known"
          disabled={!idle || summary.value?.at_end !== false}
          onClick={() => void command("redo all")}
        >
          replay all ▶▶
        </button>
      </div>
      <div class="group">
        <button
          aria-pressed={playing.value}
          title="Automatic: let the schedule choose, step after step"
          onClick={() => void play()}
        >
          {playing.value ? "❚❚ pause" : "▷ play"}
        </button>
        <input
          type="range"
          min={1}
          max={20}
          value={speed.value}
          aria-label="Speed of automatic running"
          title={`${speed.value} choices a second`}
          onInput={(e) => (speed.value = Number(e.currentTarget.value))}
        />
      </div>
      <span class="grow" />
      <Settings />
      <Files />
    </header>
  );
}

function Settings() {
  return (
    <Popover label="Settings">
      <fieldset>
        <legend>How it runs</legend>
        <label>
          schedule{" "}
          <select onChange={(e) => void command(`set schedule ${e.currentTarget.value}`)}>
            <option value="round-robin">round robin, as one BEAM scheduler</option>
            <option value="random 1">random, messages arrive at once</option>
            <option value="random-delivery 1">random, also the arrivals</option>
            <option value="processes-first 1">processes before arrivals</option>
            <option value="deliveries-first 1">arrivals before processes</option>
          </select>
        </label>
        <label>
          delivery{" "}
          <select onChange={(e) => void command(`set delivery ${e.currentTarget.value}`)}>
            <option value="instant">by the schedule</option>
            <option value="manual">by hand</option>
          </select>
        </label>
        <button onClick={() => void command("restart", null)}>Begin a fresh execution</button>
      </fieldset>
      <fieldset>
        <legend>How it looks</legend>
        <label>
          theme{" "}
          <select
            value={theme.value}
            onChange={(e) => (theme.value = e.currentTarget.value as Theme)}
          >
            <option value="system">as the system</option>
            <option value="light">light</option>
            <option value="dark">dark</option>
          </select>
        </label>
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
          if (name) void command(`save "${name.replaceAll('"', "")}"`);
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

export function BusyBar() {
  const now = busy.value;
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
