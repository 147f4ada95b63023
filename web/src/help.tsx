// Keys, and the page that lists them. One table for both, so they cannot disagree.

import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { centre, fit, zoom } from "./diagram/window";
import { show } from "./layout";
import { paletteOpen } from "./palette";
import { KIND_MARKS } from "./parts";
import { cancel, selectEvent, summary } from "./store";
import { BACKWARD, FORWARD, OWN_MOVES } from "./toolbar";

export const helpOpen = signal(false);

interface Key {
  key: string;
  title: string;
  run: () => void;
}

/** At once, so that the next key goes there; what is only being shown gets it when it is. */
const focus = (selector: string) => () => {
  const find = () => document.querySelector<HTMLElement>(selector);
  if (find()) find()?.focus();
  else requestAnimationFrame(() => find()?.focus());
};

export const KEYS: { about: string; keys: Key[] }[] = [
  { about: "Back", keys: BACKWARD },
  { about: "Forward", keys: FORWARD },
  { about: "My moves", keys: OWN_MOVES },
  {
    about: "Looking",
    keys: [
      { key: "f", title: "Show the whole diagram", run: fit },
      { key: "c", title: "Show where the session is", run: () => summary.value && centre(summary.value.events_here) },
      { key: "+", title: "Zoom in", run: () => zoom(0.6) },
      { key: "-", title: "Zoom out", run: () => zoom(1.7) },
      { key: "g", title: "To the diagram: arrows choose events, Enter opens their menu", run: focus("canvas") },
      { key: "p", title: "To the processes: arrows choose one", run: focus(".rows") },
      { key: "s", title: "To the source: F9 sets a breakpoint", run: focus(".cm-content") },
      { key: "Ctrl+K", title: "Find processes, events and commands", run: () => (paletteOpen.value = true) },
      {
        key: "/",
        title: "Search events",
        run: () => {
          show("bottom", "search");
          focus("#search-events")();
        },
      },
      {
        key: ":",
        title: "Type a command",
        run: () => {
          show("bottom", "console");
          focus("#console-line")();
        },
      },
      { key: "Escape", title: "Select nothing; cancel what is going on", run: () => (helpOpen.value ? (helpOpen.value = false) : (selectEvent(null), void cancel())) },
      { key: "?", title: "This help", run: () => (helpOpen.value = !helpOpen.value) },
    ],
  },
];

/** `Ctrl+Shift+Z` of a key press. */
export function keyName(e: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "shiftKey">): string {
  const letter = e.key.length === 1;
  const name = letter && (e.ctrlKey || e.metaKey) ? e.key.toUpperCase() : e.key;
  const shift = e.shiftKey && (!letter || e.ctrlKey || e.metaKey);
  return `${e.ctrlKey || e.metaKey ? "Ctrl+" : ""}${shift ? "Shift+" : ""}${name}`;
}

export function listenToKeys(): () => void {
  const pressed = (e: KeyboardEvent) => {
    const target = e.target as HTMLElement;
    const typing = target.matches("input:not([type=checkbox]):not([type=range]), select, textarea");
    if (typing && e.key === "Escape") target.blur();
    const isText = !/^F\d+$/.test(e.key);
    if ((typing && isText && !e.ctrlKey) || e.altKey) return;
    const name = keyName(e);
    // One letter says something only to the diagram: elsewhere it may be meant otherwise.
    if (name.length === 1 && !target.matches("canvas")) return;
    const found = KEYS.flatMap((part) => part.keys).find((k) => k.key === name);
    if (!found) return;
    e.preventDefault();
    found.run();
  };
  addEventListener("keydown", pressed);
  return () => removeEventListener("keydown", pressed);
}

export function Help() {
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (helpOpen.value) close.current?.focus();
  }, [helpOpen.value]);
  if (!helpOpen.value) return null;
  return (
    <div class="veil" onClick={() => (helpOpen.value = false)}>
      <div class="help" role="dialog" aria-label="Help" onClick={(e) => e.stopPropagation()}>
        <div class="row">
          <h2>Keys</h2>
          <span class="grow" />
          <button ref={close} onClick={() => (helpOpen.value = false)}>
            Close
          </button>
        </div>
        <div class="help-columns">
          {KEYS.map((part) => (
            <section key={part.about}>
              <h3>{part.about}</h3>
              <dl>
                {part.keys.map((k) => (
                  <div key={k.key}>
                    <dt>
                      <kbd>{k.key}</kbd>
                    </dt>
                    <dd>{k.title}</dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
          <section>
            <h3>Marks</h3>
            <dl>
              {["send", "receive", "deliver", "spawn", "exit", "timeout", "output"].map((kind) => (
                <div key={kind}>
                  <dt>{KIND_MARKS[kind]}</dt>
                  <dd>{kind}</dd>
                </div>
              ))}
              <div>
                <dt>✖</dt>
                <dd>crash</dd>
              </div>
              <div>
                <dt>▁</dt>
                <dd>below an event: a cause of the selected one</dd>
              </div>
              <div>
                <dt>▔</dt>
                <dd>above an event: a consequence of it</dd>
              </div>
              <div>
                <dt>hollow</dt>
                <dd>after the cut: undone, or not yet replayed</dd>
              </div>
            </dl>
          </section>
          <section>
            <h3>Diagram</h3>
            <p>
              Keys of one letter are for the diagram: click in it, or go there with Tab. All others hold
              everywhere. Drag to pan, Ctrl+wheel to zoom, Shift+wheel to go along time, drag in the strip below
              to go anywhere. Click an event to see its causes and consequences; right-click for what
              can be done. Click ▾ beside a process to draw its children in its lane.
            </p>
          </section>
        </div>
      </div>
    </div>
  );
}
