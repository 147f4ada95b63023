// The page: which panes there are and where they stand.

import { render } from "preact";
import { useEffect } from "preact/hooks";
import "./style.css";
import { Difference } from "./difference";
import { Diagram, DiagramTools } from "./diagram/diagram";
import { Guide, asking } from "./guide";
import { Help, helpOpen, listenToKeys } from "./help";
import { Failure, MomentBar } from "./card";
import { Bar, Dock, allPanes, isHidden, toggle, visible, type Pane } from "./layout";
import { Menu } from "./menu";
import { Palette } from "./palette";
import { Notes } from "./panes/notes";
import { AskPane } from "./panes/ask";
import { Breakpoints } from "./panes/breaks";
import { Console } from "./panes/console";
import { EventPane } from "./panes/event";
import { Explore } from "./panes/explore";
import { Manual } from "./panes/manual";
import { Processes } from "./panes/processes";
import { PictureView, pictured } from "./panes/picture";
import { Search } from "./panes/search";
import { Source, SourceTools } from "./panes/source";
import { History, Log, Mailbox, Stack, Variables } from "./panes/state";
import { Branches } from "./panes/branches";
import { Notation, Output, Problems, Races, RollLog, Trace } from "./panes/system";
import { Popover } from "./popover";
import { FIRST_SIZES, sizes, theme, type Theme } from "./settings";
import { begin, breakpoints, lost, note, own, summary } from "./store";
import { BusyBar, Toolbar } from "./toolbar";
import type { OutcomeKind } from "./types";

const many = (n: number | undefined) => (n === undefined ? null : n.toLocaleString("en"));

const DOCKS: Record<string, Pane[]> = {
  left: [{ id: "processes", title: "Processes", badge: () => many(own.value.length), body: Processes }],
  diagram: [{ id: "diagram", title: "Diagram", badge: () => many(summary.value?.events), body: Diagram, tools: DiagramTools }],
  source: [{ id: "source", title: "Source", body: Source, tools: SourceTools }],
  details: [
    { id: "variables", title: "Variables", body: Variables },
    { id: "stack", title: "Stack", body: Stack },
    { id: "event", title: "Event", body: EventPane },
  ],
  messages: [
    { id: "mailbox", title: "Messages", body: Mailbox },
    { id: "manual", title: "One by one", body: Manual, rare: true },
    { id: "history", title: "History", body: History },
    { id: "log", title: "To come", body: Log, rare: true },
  ],
  bottom: [
    { id: "problems", title: "Problems", body: Problems },
    { id: "output", title: "Output", body: Output },
    { id: "trace", title: "Events", body: Trace },
    { id: "rolllog", title: "Undone", rare: true, badge: () => many(summary.value?.rolled || undefined), body: RollLog },
    { id: "races", title: "Races", body: Races },
    { id: "notation", title: "Logs and traces", body: Notation, rare: true },
    { id: "branches", title: "Branches", badge: () => many(summary.value?.branches.length), body: Branches },
    { id: "breakpoints", title: "Breakpoints", badge: () => many(breakpoints.value.length || undefined), body: Breakpoints },
    { id: "notes", title: "Notes", body: Notes, rare: true },
    { id: "ask", title: "Ask", body: AskPane, rare: true },
    { id: "search", title: "Search", body: Search, rare: true },
    { id: "explore", title: "Explore", body: Explore, rare: true },
    { id: "console", title: "Console", body: Console },
  ],
};

allPanes.value = Object.entries(DOCKS).flatMap(([dock, panes]) => panes.map((pane) => ({ ...pane, dock })));

function App() {
  useEffect(listenToKeys, []);
  const s = sizes.value;
  const has = (dock: string) => visible(DOCKS[dock]).length > 0;
  const middle = has("diagram") || has("source");
  const right = has("details") || has("messages");
  const share = (part: number, both: boolean) => (both ? { flex: `${part} 1 0` } : { flex: "1 1 0" });
  return (
    <>
      <Toolbar />
      <BusyBar />
      <Lost />
      <Failure />
      <Difference />
      <main>
        <div class="upper">
          {has("left") && (
            <>
              <div class="column" style={{ width: s.left }}>
                <Dock name="left" panes={DOCKS.left} />
              </div>
              <Bar of="left" axis="x" label="Width of the processes" />
            </>
          )}
          {middle && (
            <div class="column middle">
              <MomentBar />
              {has("diagram") && (
                <div class="cell" style={share(1 - s.source, has("source"))}>
                  <Upper />
                </div>
              )}
              {has("diagram") && has("source") && (
                <Bar of="source" axis="y" sign={-1} share label="Height of the source" />
              )}
              {has("source") && (
                <div class="cell" style={share(s.source, has("diagram"))}>
                  <Dock name="source" panes={DOCKS.source} />
                </div>
              )}
            </div>
          )}
          {right && (
            <>
              <Bar of="right" axis="x" sign={-1} label="Width of the details" />
              <div class="column" style={{ width: s.right, flex: middle ? undefined : "1" }}>
                {has("details") && (
                  <div class="cell" style={share(s.details, has("messages"))}>
                    <Dock name="details" panes={DOCKS.details} />
                  </div>
                )}
                {has("details") && has("messages") && (
                  <Bar of="details" axis="y" share label="Height of the variables" />
                )}
                {has("messages") && (
                  <div class="cell" style={share(1 - s.details, has("details"))}>
                    <Dock name="messages" panes={DOCKS.messages} />
                  </div>
                )}
              </div>
            </>
          )}
        </div>
        {has("bottom") && (
          <>
            <Bar of="bottom" axis="y" sign={-1} label="Height of the lower panes" />
            <div class="lower" style={{ height: s.bottom }}>
              <Dock name="bottom" panes={DOCKS.bottom} />
            </div>
          </>
        )}
      </main>
      <Status />
      <Menu />
      <Help />
      <Palette />
    </>
  );
}

/** The diagram, or what has taken its place: the questions, or two executions as one picture. */
function Upper() {
  const other = pictured.value;
  if (asking.value) return <Guide />;
  if (other !== null && summary.value?.branches.some((b) => b.name === other && !b.current)) {
    return <PictureView other={other} />;
  }
  return <Dock name="diagram" panes={DOCKS.diagram} />;
}

/** The server has gone: nothing that is clicked has an effect. */
function Lost() {
  if (lost.value === null) return null;
  return (
    <div class="departed lost" role="alert">
      <b>⚠ {lost.value}</b>
    </div>
  );
}

const OUTCOMES: Record<OutcomeKind, string> = {
  finished: "✔ the program has finished",
  deadlock: "❚❚ the main process waits for ever",
  crashed: "✖ the main process has crashed",
  failed: "✖ not all tests have passed",
  limit: "… there is more to run",
};

function Status() {
  const seen = summary.value;
  const told = note.value;
  return (
    <footer class="status">
      {lost.value === null && (
        <span class={told?.bad ? "bad failed" : ""} role="status" data-testid="note">
          {told ? `${told.bad ? "⚠ " : ""}${told.text}` : ""}
        </span>
      )}
      <span class="grow" />
      {seen && (
        <>
          <span data-testid="outcome">{OUTCOMES[seen.outcome]}</span>
          <span title="events up to the cut, of all that are known">
            {seen.events_here.toLocaleString("en")} / {seen.events.toLocaleString("en")} events
          </span>
          <span title="steps up to the cut">{seen.steps_here.toLocaleString("en")} steps</span>
          <span title="branch">branch {seen.branch}</span>
        </>
      )}
      <Popover label="Looks">
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
        <button onClick={() => (sizes.value = FIRST_SIZES)}>Sizes as at first</button>
        <div class="pane-list">
          {Object.values(DOCKS)
            .flat()
            .map((pane) => (
              <label key={pane.id}>
                <input
                  type="checkbox"
                  checked={!isHidden(pane.id)}
                  onChange={() => toggle(pane.id)}
                />{" "}
                {pane.title}
              </label>
            ))}
        </div>
      </Popover>
      <button onClick={() => (helpOpen.value = true)} title="Keys and marks (?)">
        ?
      </button>
    </footer>
  );
}

const root = document.getElementById("app")!;
root.textContent = "";
render(<App />, root);
void begin();
