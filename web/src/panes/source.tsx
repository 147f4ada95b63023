// The source: where the selected process is, where the others are, breakpoints, values on hover.

import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { erlang } from "@codemirror/legacy-modes/mode/erlang";
import { EditorState, RangeSet, StateEffect, StateField, type Range } from "@codemirror/state";
import {
  Decoration,
  EditorView,
  GutterMarker,
  WidgetType,
  gutter,
  hoverTooltip,
  keymap,
  lineNumbers,
  type DecorationSet,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { breakpoints, command, pidOf, rows, selectedProc, shownLine, tell, useView } from "../store";
import type { ProcessView } from "../types";
import { inlineValues } from "./inline";
import { shownLevel, useProcess } from "./state";

const chosenFile = signal<string | null>(null);
/** The file that the selected process is in, or that was asked for. */
const wantedFile = signal<string | null>(null);

interface Marks {
  /** The line on which the selected process is, or the one that was asked for. */
  current: number | null;
  column: number | null;
  expression: string | null;
  isProcess: boolean;
  others: Map<number, string[]>;
  breaks: Set<number>;
  /** What is written behind lines: the values of what they name. */
  values: Map<number, string>;
}

const NO_MARKS: Marks = {
  current: null,
  column: null,
  expression: null,
  isProcess: true,
  others: new Map(),
  breaks: new Set(),
  values: new Map(),
};

const setMarks = StateEffect.define<Marks>();

const marksField = StateField.define<Marks>({
  create: () => NO_MARKS,
  update: (marks, change) => {
    for (const effect of change.effects) if (effect.is(setMarks)) return effect.value;
    return marks;
  },
});

const currentLine = Decoration.line({ class: "cm-here" });
const askedLine = Decoration.line({ class: "cm-asked" });
const nextExpression = Decoration.mark({ class: "cm-next" });

/** Values behind a line. */
class Values extends WidgetType {
  constructor(readonly text: string) {
    super();
  }
  override eq(other: Values) {
    return other.text === this.text;
  }
  override toDOM() {
    const span = document.createElement("span");
    span.textContent = this.text;
    span.className = "cm-values";
    return span;
  }
}

const lineValues = EditorView.decorations.compute([marksField, "doc"], (state): DecorationSet => {
  const { values } = state.field(marksField);
  const lines = [...values].filter(([n]) => n <= state.doc.lines).sort((a, b) => a[0] - b[0]);
  const widget = (text: string) => Decoration.widget({ widget: new Values(text), side: 1 });
  return Decoration.set(lines.map(([n, text]) => widget(text).range(state.doc.line(n).to)));
});

const decorations = EditorView.decorations.compute([marksField, "doc"], (state): DecorationSet => {
  const marks = state.field(marksField);
  if (marks.current === null || marks.current > state.doc.lines) return Decoration.none;
  const line = state.doc.line(marks.current);
  const found: Range<Decoration>[] = [
    (marks.isProcess ? currentLine : askedLine).range(line.from),
  ];
  if (marks.expression && marks.column && marks.isProcess) {
    const from = line.from + marks.column - 1;
    // Of a long expression, its first line shows where it is.
    const first = marks.expression.split("\n")[0];
    const to = Math.min(from + first.length, line.to);
    if (to > from && state.doc.sliceString(from, to) === first.slice(0, to - from)) {
      found.push(nextExpression.range(from, to));
    }
  }
  return Decoration.set(found, true);
});

class Mark extends GutterMarker {
  constructor(
    readonly text: string,
    readonly title: string,
    readonly kind: string,
  ) {
    super();
  }
  override eq(other: Mark) {
    return other.text === this.text && other.title === this.title;
  }
  override toDOM() {
    const span = document.createElement("span");
    span.textContent = this.text;
    span.title = this.title;
    span.className = `mark-${this.kind}`;
    return span;
  }
}

const breakGutter = gutter({
  class: "cm-breaks",
  markers: (view) => {
    const marks = view.state.field(marksField);
    const lines = [...marks.breaks].filter((n) => n <= view.state.doc.lines).sort((a, b) => a - b);
    const mark = new Mark("⬤", "a run stops here; click to remove", "break");
    return RangeSet.of(lines.map((n) => mark.range(view.state.doc.line(n).from)));
  },
  initialSpacer: () => new Mark("⬤", "", "break"),
  domEventHandlers: {
    mousedown: (view, block) => {
      void flipBreak(view.state.doc.lineAt(block.from).number);
      return true;
    },
  },
});

const placeGutter = gutter({
  class: "cm-places",
  markers: (view) => {
    const { others, current, isProcess } = view.state.field(marksField);
    const lines = new Map<number, Mark>();
    for (const [line, pids] of others) {
      const title = `${pids.slice(0, 12).join(", ")} ${pids.length > 1 ? "are" : "is"} here`;
      lines.set(line, new Mark(pids.length > 1 ? `◦${pids.length}` : "◦", title, "other"));
    }
    if (current !== null && isProcess) {
      lines.set(current, new Mark("▶", "the selected process is here", "current"));
    }
    const sorted = [...lines].filter(([n]) => n <= view.state.doc.lines).sort((a, b) => a[0] - b[0]);
    return RangeSet.of(sorted.map(([n, mark]) => mark.range(view.state.doc.line(n).from)));
  },
  initialSpacer: () => new Mark("◦9", "", "other"),
});

const colours = HighlightStyle.define([
  { tag: tags.keyword, class: "tok-keyword" },
  { tag: [tags.atom, tags.literal], class: "tok-atom" },
  { tag: [tags.string, tags.special(tags.string)], class: "tok-string" },
  { tag: tags.number, class: "tok-number" },
  { tag: tags.comment, class: "tok-comment" },
  { tag: [tags.variableName, tags.special(tags.variableName)], class: "tok-variable" },
  { tag: [tags.standard(tags.variableName), tags.propertyName, tags.attributeName], class: "tok-builtin" },
  { tag: [tags.operator, tags.operatorKeyword], class: "tok-operator" },
  { tag: [tags.meta, tags.macroName], class: "tok-meta" },
]);

/** The value of the variable under the pointer, in the call that is shown. */
const values = hoverTooltip((view, at) => {
  const line = view.state.doc.lineAt(at);
  const words = [...line.text.matchAll(/[\p{Lu}_][\w@]*/gu)];
  const word = words.find((w) => line.from + w.index <= at && at <= line.from + w.index + w[0].length);
  const bound = process?.calls[shownLevel(process)]?.bindings.find((b) => b.name === word?.[0]);
  if (!word || !bound) return null;
  return {
    pos: line.from + word.index,
    create: () => {
      const dom = document.createElement("div");
      dom.className = "cm-value";
      dom.textContent = `${bound.name} = ${bound.text}`;
      return { dom };
    },
  };
});

let process: ProcessView | null = null;

function breakText(file: string, line: number) {
  return `${file}:${line}`;
}

async function flipBreak(line: number) {
  const file = chosenFile.value;
  if (!file) return;
  const known = breakpoints.value.find((b) => b.text === breakText(file, line));
  const done = await command(
    known ? { delete: { id: known.id } } : { break: { at: { line: { file, line } } } },
  );
  if (!done.ok) tell(done.error ?? "there is no code on this line", true);
}

/** Brings a line to the middle of the editor; the page around it stays where it is. */
function showLine(shown: EditorView, line: number) {
  const block = shown.lineBlockAt(shown.state.doc.line(line).from);
  const room = shown.scrollDOM.clientHeight - block.height;
  shown.scrollDOM.scrollTop = block.top - Math.max(0, room / 2);
}

export function Source() {
  const box = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView | null>(null);
  const files = useView("files", {});
  const view = useProcess();
  process = view;
  const asked = shownLine.value;
  const own = view?.calls[shownLevel(view)];
  const wanted = asked?.file ?? own?.file ?? null;
  const known = files?.files.filter((f) => f.text) ?? [];
  useEffect(() => void (wantedFile.value = wanted), [wanted]);
  useEffect(() => {
    if (wanted && known.some((f) => f.name === wanted)) chosenFile.value = wanted;
    else if (!chosenFile.value && known.length > 0) chosenFile.value = known[0].name;
  }, [wanted, known.length]);
  const file = chosenFile.value;
  const text = useSource(file);
  useEffect(() => {
    const made = new EditorView({
      parent: box.current!,
      state: EditorState.create({
        extensions: [
          breakGutter,
          lineNumbers({
            domEventHandlers: {
              mousedown: (view, block) => {
                void flipBreak(view.state.doc.lineAt(block.from).number);
                return true;
              },
            },
          }),
          placeGutter,
          StreamLanguage.define(erlang),
          syntaxHighlighting(colours),
          marksField,
          decorations,
          lineValues,
          values,
          keymap.of([
            {
              key: "F9",
              run: (v) => {
                void flipBreak(v.state.doc.lineAt(v.state.selection.main.head).number);
                return true;
              },
            },
          ]),
          EditorState.readOnly.of(true),
          EditorView.contentAttributes.of({ "aria-label": "Source", tabindex: "0" }),
        ],
      }),
    });
    editor.current = made;
    return () => made.destroy();
  }, []);
  useEffect(() => {
    const shown = editor.current;
    if (shown && text !== null) {
      shown.dispatch({ changes: { from: 0, to: shown.state.doc.length, insert: text } });
    }
  }, [text]);
  const current = asked ? (asked.file === file ? asked.line : null) : own?.file === file ? own?.line ?? null : null;
  const selected = selectedProc.value;
  const seenRows = rows.value;
  const stops = breakpoints.value;
  useEffect(() => {
    const shown = editor.current;
    if (!shown || text === null) return;
    const others = new Map<number, string[]>();
    for (const row of seenRows.values()) {
      if (row.file !== file || row.line === null || row.proc === selected) continue;
      if (row.state !== "running" && row.state !== "waiting") continue;
      others.set(row.line, [...(others.get(row.line) ?? []), pidOf(row.proc)]);
    }
    const prefix = `${file}:`;
    const lines = stops
      .filter((b) => b.text.startsWith(prefix))
      .map((b) => parseInt(b.text.slice(prefix.length), 10));
    const marks: Marks = {
      current,
      column: view && shownLevel(view) === 0 ? (view.column ?? null) : null,
      expression: view?.expression && /[\w"$]/.test(view.expression) ? view.expression : null,
      isProcess: asked === null,
      others,
      breaks: new Set(lines),
      values: asked === null && current !== null && own ? inlineValues(text, current, own.bindings) : new Map(),
    };
    const line = current !== null && current <= shown.state.doc.lines ? current : null;
    shown.dispatch({ effects: setMarks.of(marks) });
    if (line) showLine(shown, line);
  }, [text, file, current, seenRows, stops, selected, view, asked]);
  return (
    <div class="pane-column">
      <div class="source" ref={box} data-testid="source" />
    </div>
  );
}

/** The file without its folders, then these. */
function fileTitle(name: string): string {
  const at = name.lastIndexOf("/");
  return at < 0 ? name : `${name.slice(at + 1)} (${name.slice(0, at)})`;
}

/** Which file is shown: the program's own first, then those of libraries. */
export function SourceTools() {
  const known = useView("files", {})?.files.filter((f) => f.text) ?? [];
  const wanted = wantedFile.value;
  const options = (files: typeof known) =>
    files.map((f) => (
      <option key={f.name} value={f.name}>
        {fileTitle(f.name)}
      </option>
    ));
  const libraries = known.filter((f) => !f.own);
  return (
    <div class="tools">
      <select
        aria-label="Source file"
        value={chosenFile.value ?? ""}
        onChange={(e) => (shownLine.value = { file: e.currentTarget.value, line: 1 })}
      >
        {options(known.filter((f) => f.own))}
        {libraries.length > 0 && <optgroup label="libraries">{options(libraries)}</optgroup>}
      </select>
      {wanted && !known.some((f) => f.name === wanted) && <span class="dim">no source for {wanted}</span>}
      {shownLine.value && (
        <button title="Back to where the process is" onClick={() => (shownLine.value = null)}>
          ▶ process
        </button>
      )}
      <span class="grow" />
    </div>
  );
}

function useSource(file: string | null): string | null {
  const seen = useView("source", file === null ? null : { file });
  return seen && seen.file === file ? seen.source : null;
}
