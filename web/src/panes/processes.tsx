// All processes: search, order, spawn tree, and where each of those on the screen is.

import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { folded, hidden } from "../diagram/model";
import { sorted, type SortKey } from "../lanes";
import { StateMark } from "../parts";
import { libraryShown, remembered } from "../settings";
import { procs, rows, selectProc, selectedProc, useView } from "../store";
import type { ProcessRow } from "../types";

const HEIGHT = 24;
const search = signal("");
const order = remembered<SortKey>("order", "tree");

export function Processes() {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(400);
  const counts = useView("mailboxes", order.value === "mailbox" ? {} : null);
  const library = libraryShown.value;
  const options = { folded: folded.value, hidden: new Set<number>(), search: search.value, library, always: selectedProc.value };
  const runtime = [...procs.value.values()].filter((p) => p.runtime && !p.system).length;
  const list = sorted(procs.value.values(), order.value, options, new Map(counts?.mailboxes ?? []));
  const first = Math.max(0, Math.floor(top / HEIGHT) - 4);
  const shown = list.slice(first, first + Math.ceil(height / HEIGHT) + 8);
  const seen = useView("rows", { ids: shown.map((r) => r.id) });
  useEffect(() => {
    if (seen) rows.value = new Map(seen.processes.map((r) => [r.proc, r]));
  }, [seen]);
  useEffect(() => {
    if (!box.current) return;
    const watch = new ResizeObserver(() => setHeight(box.current?.clientHeight ?? 400));
    watch.observe(box.current);
    return () => watch.disconnect();
  }, []);
  // The selected process is brought into sight when it changes.
  const selected = selectedProc.value;
  useEffect(() => {
    const at = list.findIndex((r) => r.id === selected);
    const view = box.current;
    if (at < 0 || !view) return;
    if (at * HEIGHT < view.scrollTop || (at + 1) * HEIGHT > view.scrollTop + view.clientHeight) {
      view.scrollTop = Math.max(0, at * HEIGHT - view.clientHeight / 2);
    }
  }, [selected, list.length]);
  const key = (event: KeyboardEvent) => {
    const at = list.findIndex((r) => r.id === selected);
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const row = list[at];
    if (step !== 0 && list[at + step]) {
      event.preventDefault();
      selectProc(list[at + step].id);
    } else if (row && event.key === "ArrowLeft" && row.below > 0) fold(row.id, true);
    else if (row && event.key === "ArrowRight") fold(row.id, false);
  };
  return (
    <div class="pane-column">
      <div class="tools">
        <input
          type="search"
          placeholder="pid, name, function"
          aria-label="Search processes"
          value={search.value}
          onInput={(e) => (search.value = e.currentTarget.value)}
        />
        <select
          aria-label="Order of processes"
          value={order.value}
          onChange={(e) => (order.value = e.currentTarget.value as SortKey)}
        >
          <option value="tree">family tree</option>
          <option value="pid">pid</option>
          <option value="name">name</option>
          <option value="events">most events</option>
          <option value="mailbox">fullest mailbox</option>
        </select>
        {runtime > 0 && (
          <label title="Processes in which only a library runs">
            <input
              type="checkbox"
              checked={library}
              onChange={(e) => (libraryShown.value = e.currentTarget.checked)}
            />{" "}
            {runtime} of the runtime
          </label>
        )}
      </div>
      <div
        class="rows"
        ref={box}
        tabIndex={0}
        role="listbox"
        aria-label="Processes"
        onKeyDown={key}
        onScroll={(e) => setTop(e.currentTarget.scrollTop)}
      >
        <div style={{ height: list.length * HEIGHT, position: "relative" }}>
          {shown.map((item, i) => {
            const p = procs.value.get(item.id)!;
            const row = rows.value.get(item.id);
            return (
              <div
                key={item.id}
                class={`proc ${item.id === selected ? "chosen" : ""} ${row?.state ?? ""}`}
                role="option"
                aria-selected={item.id === selected}
                data-proc={item.id}
                title={`${p.pid} ${p.entry}, ${p.events} events`}
                style={{ top: (first + i) * HEIGHT, paddingLeft: 6 + Math.min(item.depth, 8) * 10 }}
                onClick={() => selectProc(item.id)}
              >
                {item.below > 0 ? (
                  <span
                    class="fold"
                    aria-hidden="true"
                    onClick={(e) => {
                      e.stopPropagation();
                      fold(item.id, !item.folded);
                    }}
                  >
                    {item.folded ? "▸" : "▾"}
                  </span>
                ) : (
                  <span class="fold" />
                )}
                <span class="who">
                  <b>{p.label}</b> <span class="dim">{p.pid}</span>
                </span>
                {hidden.value.has(item.id) && <span title="hidden in the diagram">⊘</span>}
                {item.folded && <span class="badge">+{item.below}</span>}
                <span class="where">{row ? whereabouts(row) : ""}</span>
                {row && row.mailbox > 0 && (
                  <span class="mail" title="messages in the mailbox">
                    ✉{row.mailbox}
                  </span>
                )}
                {row && <StateMark state={row.state} said={row.about === "idle" ? "idle" : undefined} />}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** The file without its folders. */
const base = (at: string) => at.split("/").pop() ?? at;

/** What a process is about: its line in the program's own code, or what it is. */
function whereabouts(row: ProcessRow): string {
  if (row.state === "crashed") return row.about.replace("crashed: ", "");
  if (row.state === "exited") return "";
  if (row.own_at) return base(row.own_at);
  if (row.owner === "own" && row.file && row.line) return `${base(row.file)}:${row.line}`;
  return row.behaviour === "supervisor" ? row.behaviour : "";
}

function fold(id: number, closed: boolean) {
  const next = new Set(folded.value);
  if (closed) next.add(id);
  else next.delete(id);
  folded.value = next;
}
