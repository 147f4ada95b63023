// Ctrl+K: everything by name. Processes, commands, functions, lines, events and values, as one types.

import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { matches } from "./lanes";
import { allPanes, show } from "./layout";
import { showPlace } from "./parts";
import { COMMANDS } from "./toolbar";
import { command, procs, selectEvent, selectProc, session, useView } from "./store";
import type { EventRow, FoundEvents } from "./types";

export const paletteOpen = signal(false);

interface Item {
  kind: string;
  text: string;
  act: () => void;
}

/** Items of each kind that are shown. */
const MOST = 8;
/** How long one waits for the next letter before events are searched. */
const PAUSE = 120;

export function Palette() {
  if (!paletteOpen.value) return null;
  return <Open />;
}

function Open() {
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const events = useEvents(text);
  const help = useView("help", {});
  const functions = useView("functions", text.trim().length > 1 ? { text, count: MOST } : null);
  const field = useRef<HTMLInputElement>(null);
  const opener = useRef(document.activeElement);
  useEffect(() => field.current?.focus(), []);
  const close = () => {
    paletteOpen.value = false;
    if (opener.current instanceof HTMLElement) opener.current.focus();
  };
  const wanted = text.trim().toLowerCase();
  const named = [...procs.value.values()].filter((p) => !p.system && wanted && matches(p, text));
  const items: Item[] = [
    ...named.slice(0, MOST).map((p) => ({
      kind: "process",
      text: `${p.label} ${p.pid}`,
      act: () => selectProc(p.id),
    })),
    ...COMMANDS.filter((c) => c.title.toLowerCase().includes(wanted))
      .slice(0, wanted ? MOST : 14)
      .map((c) => ({ kind: "do", text: `${c.title} (${c.key})`, act: c.run })),
    ...allPanes.value
      .filter((pane) => wanted && pane.title.toLowerCase().includes(wanted))
      .slice(0, MOST)
      .map((pane) => ({ kind: "pane", text: pane.title, act: () => show(pane.dock, pane.id) })),
    ...(/^[^\s:]+:\d+$/.test(text.trim())
      ? [{ kind: "line", text: text.trim(), act: () => showPlace(text.trim()) }]
      : []),
    ...(functions?.functions ?? []).map((f) => ({
      kind: "function",
      text: `${f.function} ${f.at.split("/").pop()}`,
      act: () => showPlace(f.at),
    })),
    ...events.map((e) => ({
      kind: "event",
      text: `${e.called} ${e.text}`,
      act: () => selectEvent(e.event),
    })),
    ...(wanted
      ? [
          {
            kind: "value",
            text: `where ${text.trim()} occurs in messages and variables`,
            act: () => {
              show("bottom", "console");
              void command({ find: { value: text.trim() } });
            },
          },
        ]
      : []),
    ...(help?.commands ?? [])
      .filter((c) => wanted && text.trim().split(" ")[0] === c.name)
      .map((c) => ({
        kind: "command",
        text: `${text.trim()}: ${c.help}`,
        act: () => void command(text.trim()),
      })),
  ];
  const at = Math.min(chosen, Math.max(0, items.length - 1));
  const key = (e: KeyboardEvent) => {
    e.stopPropagation();
    const step = e.key === "ArrowDown" ? 1 : e.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) setChosen((at + step + items.length) % Math.max(1, items.length));
    else if (e.key === "Escape") close();
    else if (e.key === "Enter" && items[at]) {
      close();
      items[at].act();
    } else return;
    e.preventDefault();
  };
  return (
    <div class="veil" onClick={close}>
      <div class="palette" role="dialog" aria-label="Find" onClick={(e) => e.stopPropagation()} onKeyDown={key}>
        <input
          ref={field}
          class="mono"
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-items"
          aria-activedescendant={items[at] ? `palette-${at}` : undefined}
          aria-label="Find processes, events and commands"
          placeholder="a process, message, function, file.erl:12, value or command"
          value={text}
          onInput={(e) => {
            setText(e.currentTarget.value);
            setChosen(0);
          }}
        />
        <ul id="palette-items" role="listbox" aria-label="Found" data-testid="found">
          {items.map((item, i) => (
            <li
              key={`${item.kind}${item.text}${i}`}
              id={`palette-${i}`}
              role="option"
              aria-selected={i === at}
              class={i === at ? "chosen" : ""}
              onClick={() => {
                close();
                item.act();
              }}
            >
              <span class="dim">{item.kind}</span> {item.text}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/** Events whose text has what was typed. */
function useEvents(text: string): EventRow[] {
  const [found, setFound] = useState<EventRow[]>([]);
  useEffect(() => {
    if (text.trim().length < 2) {
      setFound([]);
      return;
    }
    let alive = true;
    // A long execution is searched in parts; what was found so far is shown meanwhile.
    const search = async () => {
      let all: EventRow[] = [];
      let from: number | null = 0;
      while (alive && from !== null && all.length < MOST) {
        const asked = { text: text.trim(), by: "any" as const, count: MOST, from };
        const seen: FoundEvents = await session.look("search", asked);
        if (!alive) return;
        all = [...all, ...seen.events].slice(0, MOST);
        from = seen.next;
        setFound(all);
      }
    };
    const timer = setTimeout(() => void search().catch(() => alive && setFound([])), PAUSE);
    return () => {
      alive = false;
      clearTimeout(timer);
    };
  }, [text]);
  return found;
}
