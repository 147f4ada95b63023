// The selected event: what it was, what it depends on, what can be done about it.

import { signal } from "@preact/signals";
import { itemsOf } from "../menu";
import { At, Empty, KIND_MARKS, Pid, Term } from "../parts";
import { selectEvent, selectedEvent, useView } from "../store";
import { NotesOf } from "./notes";

/** The event whose order with the selected one is asked for. */
const orderOf = signal<string | null>(null);

/** Why one event comes before another: both are chosen one after the other. */
function Order({ event }: { event: string }) {
  const other = orderOf.value;
  const isPair = other !== null && other !== event;
  const seen = useView("order", isPair ? { first: other, second: event } : null);
  if (!isPair) {
    return (
      <p>
        <button aria-pressed={other === event} onClick={() => (orderOf.value = other === event ? null : event)}>
          {other === event ? "Now choose the other event" : "Why before or after another event?"}
        </button>
      </p>
    );
  }
  if (!seen) return null;
  const head = {
    before: `${other} is a cause of this:`,
    after: `This is a cause of ${other}:`,
    same: "",
    concurrent: `Neither this nor ${other} is a cause of the other: they could have come in the other order.`,
  }[seen.order];
  return (
    <div data-testid="order">
      <p>
        {head} <button onClick={() => (orderOf.value = null)}>Close</button>
      </p>
      <ol class="plain">
        {seen.way.map((hop) => (
          <li key={hop.event}>
            {hop.because && (
              <span class="dim">
                {hop.because.rule}: {hop.because.text}{" "}
              </span>
            )}
            <button class="link" onClick={() => selectEvent(hop.event)}>
              {hop.called} {hop.text}
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}

export function EventPane() {
  const name = selectedEvent.value;
  const event = useView("event", name === null ? null : { event: name });
  if (name === null || !event) {
    return <Empty text="Choose an event in the diagram or in a list: its causes and consequences light up, and what can be done about it appears here." />;
  }
  return (
    <div class="scroll event-pane" data-testid="event">
      <p class="event-title">
        <span class={`mark kind-${event.kind}`}>{KIND_MARKS[event.kind] ?? "·"}</span>{" "}
        <Pid id={event.proc} /> <span class="dim">@{event.step}</span> <At at={event.at} />
      </p>
      <p class="event-text">{event.text}</p>
      {event.term && (
        <div class="message-term">
          {event.message_id && <span class="id">{event.message_id}</span>}
          <Term key={event.event} term={event.term} of={{ event: event.event }} />
        </div>
      )}
      <p class="counts">
        <span class="cause">▁ {event.causes.toLocaleString("en")} causes</span>
        {" · "}
        <span class="consequence">▔ {event.consequences.toLocaleString("en")} consequences</span>
      </p>
      <Order event={event.event} />
      <NotesOf event={event.event} />
      <ul class="choices">
        {itemsOf(event).map((item) => (
          <li key={item.label}>
            <button onClick={item.act}>
              <span>{item.label}</span>
              {item.detail && <span class="dim">{item.detail}</span>}
            </button>
          </li>
        ))}
      </ul>
      {event.racing.some((r) => !r.actual) && (
        <details>
          <summary>
            {event.racing.filter((r) => !r.actual).length} more could have arrived before, but do not
            match
          </summary>
          <ul class="plain">
            {event.racing
              .filter((r) => !r.actual)
              .map((r) => (
                <li key={r.id}>
                  <span class="id">{r.id}</span> <code>{r.text}</code> from <Pid id={r.from.proc} />
                </li>
              ))}
          </ul>
        </details>
      )}
    </div>
  );
}
