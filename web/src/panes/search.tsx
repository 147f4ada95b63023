// Searching all events of the execution, a slice at a time.

import { signal } from "@preact/signals";
import { useRef, useState } from "preact/hooks";
import { EventList } from "../parts";
import { session, tell } from "../store";
import type { EventRow, FoundEvents, SearchBy } from "../types";

type By = Exclude<SearchBy, "any">;
const by = signal<By>("text");
const text = signal("");

const HINTS: Record<By, string> = {
  text: "any text of an event",
  process: "<0.84.0>, a name or P.1",
  function: "module:function",
  message: "{data, _}",
  kind: "send, receive, spawn, exit, timeout, output …",
};

export function Search() {
  const [found, setFound] = useState<EventRow[]>([]);
  const [progress, setProgress] = useState("");
  const turn = useRef(0);
  const run = async () => {
    const own = ++turn.current;
    let [all, from]: [EventRow[], number | null] = [[], 0];
    setFound([]);
    try {
      while (from !== null && all.length < 300 && own === turn.current) {
        const page: FoundEvents = await session.look("search", {
          by: by.value,
          text: text.value,
          from,
        });
        if (own !== turn.current) return;
        all = [...all, ...page.events];
        from = page.next;
        setFound(all);
        const share = page.of ? Math.round((100 * page.looked_at) / page.of) : 100;
        setProgress(`${all.length} found${from === null ? "" : `, ${share}% searched`}`);
      }
    } catch (why) {
      setProgress("");
      tell((why as Error).message, true);
    }
  };
  return (
    <div class="pane-column">
      <form
        class="tools"
        onSubmit={(e) => {
          e.preventDefault();
          void run();
        }}
      >
        <select
          aria-label="Search by"
          value={by.value}
          onChange={(e) => (by.value = e.currentTarget.value as By)}
        >
          <option value="text">text</option>
          <option value="message">message pattern</option>
          <option value="process">process</option>
          <option value="function">function</option>
          <option value="kind">kind</option>
        </select>
        <input
          id="search-events"
          type="search"
          class="grow"
          aria-label="Search events"
          placeholder={HINTS[by.value]}
          value={text.value}
          onInput={(e) => (text.value = e.currentTarget.value)}
        />
        <button type="submit">Search</button>
        {progress.includes("searched") && (
          <button type="button" onClick={() => void turn.current++}>
            Stop
          </button>
        )}
        <span class="dim">{progress}</span>
      </form>
      <div class="scroll" data-testid="search">
        <EventList events={found} withProc none="" />
      </div>
    </div>
  );
}
