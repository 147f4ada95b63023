// Notes on events: what somebody has to say about them, and the report that they become a part of.

import { useState } from "preact/hooks";
import { Empty } from "../parts";
import { command, selectEvent, session, tell, title, useView } from "../store";
import type { NoteRow } from "../types";

function Note({ note }: { note: NoteRow }) {
  const { event } = note;
  return (
    <li>
      <span class="noted">✎ {note.text}</span>{" "}
      {event ? (
        <button class="link" onClick={() => selectEvent(event.event)}>
          {event.called} {event.text}
        </button>
      ) : (
        <span class="dim">on branch {note.branch}</span>
      )}{" "}
      <button title="Forget this note" onClick={() => void command({ unnote: { number: note.number } })}>
        ×
      </button>
    </li>
  );
}

/** All notes. */
export function Notes() {
  const seen = useView("notes", {});
  if (!seen) return null;
  return (
    <div class="pane-column">
      <div class="tools">
        <span class="dim">Notes are saved with the session.</span>
        <span class="grow" />
        <button onClick={() => void report()}>Report</button>
      </div>
      <div class="scroll" data-testid="notes">
        {seen.notes.length === 0 && <Empty text="Select an event and write a note about it in the pane Event." />}
        <ol class="plain">
          {seen.notes.map((note) => (
            <Note key={note.number} note={note} />
          ))}
        </ol>
      </div>
    </div>
  );
}

/** The notes of one event, and a line for another one. */
export function NotesOf({ event }: { event: string }) {
  const seen = useView("notes", {});
  const [text, setText] = useState("");
  const own = seen?.notes.filter((note) => note.event?.event === event) ?? [];
  return (
    <form
      class="note-form"
      onSubmit={(e) => {
        e.preventDefault();
        if (text.trim()) void command({ note: { event, text: text.trim() } });
        setText("");
      }}
    >
      {own.map((note) => (
        <p key={note.number} class="noted">
          ✎ {note.text}
        </p>
      ))}
      <input
        aria-label="Note about this event"
        placeholder="a note about this event"
        value={text}
        onInput={(e) => setText(e.currentTarget.value)}
      />
    </form>
  );
}

/** The report as a file. */
export async function report() {
  try {
    const { markdown, svg } = await session.look("report", {});
    const name = title.value.split(/[ /]/).filter(Boolean).at(0) ?? "report";
    download(`${name}.md`, "text/markdown", markdown);
    if (svg) download(`${name}.svg`, "image/svg+xml", svg);
  } catch (why) {
    tell((why as Error).message, true);
  }
}

function download(name: string, type: string, text: string) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
