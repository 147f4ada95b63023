// What went wrong, as a card to begin with; and the moment that is looked at.

import { signal } from "@preact/signals";
import { SelectedCounts } from "./diagram/diagram";
import { beginAsking } from "./guide";
import { At, Pid } from "./parts";
import { beginExploring } from "./panes/explore";
import { hopText, isTelling } from "./panes/state";
import {
  backToNow,
  command,
  failure,
  loadFailure,
  lookAt,
  moment,
  selectEvent,
  showFailure,
  summary,
  useView,
  whichFailure,
} from "./store";
import type { FailureCard, MomentSpec, ProcRef, Reason, WaitRow } from "./types";

const folded = signal(false);

/** The failure that the page opens on. */
export function Failure() {
  const report = failure.value;
  if (!report || (report.card === null && report.departed === null && report.notices.length === 0)) return null;
  const card = report.card;
  return (
    <section class={`card ${card ? `card-${card.kind}` : ""}`} aria-label="What went wrong" data-testid="failure">
      {report.departed !== null && <Departed text={report.departed} />}
      {report.notices.map((notice) => (
        <div class="departed" role="alert" data-testid="notice" key={notice}>
          <pre>{notice}</pre>
        </div>
      ))}
      {card && (
        <>
          <div class="card-head">
            <h2>
              <span aria-hidden="true">✖ </span>
              {card.headline}
            </h2>
            <At at={card.at} />
            <span class="grow" />
            {report.count > 1 && <Others count={report.count} />}
            <button aria-expanded={!folded.value} onClick={() => (folded.value = !folded.value)}>
              {folded.value ? "More" : "Less"}
            </button>
          </div>
          {!folded.value && <Told card={card} />}
        </>
      )}
    </section>
  );
}

function Departed({ text }: { text: string }) {
  return (
    <div class="departed" role="alert" data-testid="departed">
      <b>The replay departs from what was recorded:</b>
      <pre>{text}</pre>
    </div>
  );
}

/** Goes through the failures, the worst first. */
function Others({ count }: { count: number }) {
  const at = whichFailure.value;
  const go = async (to: number) => {
    await loadFailure(to);
    showFailure();
  };
  return (
    <span class="row">
      <button aria-label="Failure before" disabled={at === 0} onClick={() => void go(at - 1)}>
        ‹
      </button>
      <span>
        {at + 1} of {count.toLocaleString("en")}
      </span>
      <button aria-label="Next failure" disabled={at + 1 >= count} onClick={() => void go(at + 1)}>
        ›
      </button>
    </span>
  );
}

function Told({ card }: { card: FailureCard }) {
  return (
    <div class="card-body">
      <div class="grow">
        {card.serving && (
          <p>
            while serving{" "}
            <button class="link" onClick={() => selectEvent(card.serving!.event)}>
              <code>{card.serving.what}</code>
            </button>{" "}
            of <Pid id={card.serving.from.proc} />{" "}
            {card.serving.at && <At at={card.serving.at} />}
          </p>
        )}
        {card.why && <WhyChips why={card.why} isTest={card.test !== null} />}
        {card.test && (
          <dl class="test">
            <Field name="expression" value={card.test.expression} />
            <Field name="expected" value={card.test.expected} />
            <Field name="got" value={card.test.got} />
          </dl>
        )}
        <p class="after">
          <Procs text="restarted as" procs={card.after.restarted_as} />
          <Procs text="ended with it:" procs={card.after.ended_with_it} />
        </p>
        {card.waits.length > 0 && (
          <>
            <Waits waits={card.waits.slice(0, FIRST)} />
            {card.waits.length > FIRST && (
              <details>
                <summary>{card.waits.length - FIRST} more wait</summary>
                <Waits waits={card.waits.slice(FIRST)} />
              </details>
            )}
          </>
        )}
      </div>
      <div class="card-deeds">
        <button onClick={showFailure}>Show it</button>
        {card.kind !== "deadlock" && card.moment && (
          <button class="main" onClick={() => void goThere(card.moment!)}>
            Undo to before it
          </button>
        )}
        <button onClick={() => void beginAsking({ process: card.proc })}>Find the wrong line…</button>
        <button onClick={beginExploring}>Can it end otherwise?</button>
      </div>
    </div>
  );
}

/** Where the value came from that the failure is about: every hop is a place to look at. */
function WhyChips({ why, isTest }: { why: Reason; isTest: boolean }) {
  const hops = why.chain.filter(isTelling).slice(0, 8);
  return (
    <p class="chips" data-testid="why-chips">
      why{" "}
      {/* The variable of a failed assertion is one of its macro. */}
      <code>{isTest ? why.value : `${why.variable} = ${why.value}`}</code>
      {hops.map((hop, i) => (
        <span key={i}>
          {" ← "}
          <button
            class="chip"
            title={hopText(hop)}
            onClick={() => {
              if (hop.event) selectEvent(hop.event.event);
              else lookAt({ proc: hop.proc, step: hop.step });
            }}
          >
            {hop.event ? hop.event.text : (hop.variable ?? hop.kind)}, {base(hop.own_at ?? hop.at)}
          </button>
        </span>
      ))}
    </p>
  );
}

/** The file without its folders. */
const base = (at: string) => at.split("/").pop();

/** Those that wait which are always shown: who waits for whom. */
const FIRST = 3;

function Waits({ waits }: { waits: WaitRow[] }) {
  return (
    <ol class="waits">
      {waits.map((wait) => (
        <li key={wait.proc}>
          <Pid id={wait.proc} />{" "}
          <button class="link" onClick={() => wait.event && selectEvent(wait.event)}>
            {wait.text}
          </button>{" "}
          <At at={wait.at} />
        </li>
      ))}
    </ol>
  );
}

function Field({ name, value }: { name: string; value: string | null }) {
  if (value === null) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <code>{value}</code>
      </dd>
    </>
  );
}

function Procs({ text, procs }: { text: string; procs: ProcRef[] }) {
  if (procs.length === 0) return null;
  return (
    <span>
      {text}{" "}
      {procs.slice(0, 5).map((p) => (
        <Pid key={p.proc} id={p.proc} />
      ))}
      {procs.length > 5 && <span class="dim"> and {procs.length - 5} more</span>}
    </span>
  );
}

/** Moves the session to a moment. */
function goThere(at: MomentSpec) {
  return "event" in at
    ? command({ undo: { target: { event: at.event } } })
    : command({ goto: { process: at.proc, step: at.step } });
}

/** Above what is shown of a moment that the session is not at. */
export function MomentBar() {
  const at = moment.value;
  const name = at !== null && "event" in at ? at.event : null;
  const event = useView("event", name === null ? null : { event: name });
  if (at === null) return null;
  const undo = event?.choices[0];
  return (
    <div class="moment" role="status" data-testid="moment">
      <span class="grow what" title={event?.text ?? ""}>
        <b>Looking</b> at the moment {event ? <>before: {event.text}</> : <>of the failure</>}
      </span>
      <SelectedCounts />
      {event && undo ? (
        <button title={undo.label} onClick={() => void command(undo.command, event.proc)}>
          {"undo" in Object(undo.command) ? "Undo to here" : "Replay to after it"}
        </button>
      ) : (
        "step" in at && <button onClick={() => void goThere(at)}>Undo to here</button>
      )}
      <button onClick={backToNow} title={`Show where the session is: ${summary.value?.branch ?? ""}`}>
        Back to now
      </button>
    </div>
  );
}
