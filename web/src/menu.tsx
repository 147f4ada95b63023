// The menu of an event: everything that can be done about it, with what would move.

import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { beginAsking } from "./guide";
import { show } from "./layout";
import { tryOut } from "./difference";
import { command, selectEvent, session, tell } from "./store";
import type { EventView, Size } from "./types";

interface Item {
  label: string;
  detail: string;
  act: () => void;
}

const open = signal<{ x: number; y: number; title: string; items: Item[] } | null>(null);

export function movesText(moves: Size | null): string {
  if (!moves) return "";
  const many = (n: number, word: string) => `${n.toLocaleString("en")} ${word}${n === 1 ? "" : "s"}`;
  const processes = moves.processes === 1 ? "1 process" : `${moves.processes} processes`;
  return `${many(moves.steps, "step")}, ${many(moves.events, "event")} in ${processes}`;
}

/** What can be done about an event. */
export function itemsOf(event: EventView): Item[] {
  const items: Item[] = event.choices.map((choice) => ({
    label: choice.label,
    detail: movesText(choice.moves),
    act: () => void command(choice.command, event.proc),
  }));
  for (const { label, detail, chosen } of event.what_ifs) {
    items.push({ label, detail, act: () => void tryOut(chosen, event.proc) });
  }
  items.push({
    label: "Ask what is wrong here",
    detail: "questions that lead to the wrong line",
    act: () => {
      void beginAsking({ event: event.event });
    },
  });
  for (const other of event.related) {
    items.push({
      label: `Show where it was ${other.how}`,
      detail: "",
      act: () => selectEvent(other.event),
    });
  }
  return items;
}

/** What had the focus before the menu took it. */
let opener: Element | null = null;

export async function openMenu(event: string, x: number, y: number) {
  try {
    opener = document.activeElement;
    const seen = await session.look("event", { event });
    show("details", "event");
    open.value = { x, y, title: seen.text, items: itemsOf(seen) };
  } catch (why) {
    tell((why as Error).message, true);
  }
}

export function Menu() {
  const list = useRef<HTMLDivElement>(null);
  const shown = open.value;
  useEffect(() => {
    if (!shown) return;
    list.current?.querySelector("button")?.focus();
    const away = (e: Event) => {
      if (!list.current?.contains(e.target as Node)) open.value = null;
    };
    addEventListener("pointerdown", away);
    return () => removeEventListener("pointerdown", away);
  }, [shown]);
  if (!shown) return null;
  const key = (e: KeyboardEvent) => {
    e.stopPropagation();
    const buttons = [...(list.current?.querySelectorAll("button") ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const step = e.key === "ArrowDown" ? 1 : e.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) buttons[(at + step + buttons.length) % buttons.length]?.focus();
    else if (e.key === "Escape" || e.key === "Tab") {
      open.value = null;
      if (opener instanceof HTMLElement) opener.focus();
    }
    else return;
    e.preventDefault();
  };
  const x = Math.min(shown.x, innerWidth - 340);
  const y = Math.min(shown.y, innerHeight - 60 - shown.items.length * 34);
  return (
    <div class="menu" role="menu" ref={list} style={{ left: x, top: Math.max(8, y) }} onKeyDown={key}>
      <p class="menu-title">{shown.title}</p>
      {shown.items.map((item) => (
        <button
          key={item.label}
          role="menuitem"
          onClick={() => {
            open.value = null;
            item.act();
          }}
        >
          <span>{item.label}</span>
          <span class="dim">{item.detail}</span>
        </button>
      ))}
    </div>
  );
}
