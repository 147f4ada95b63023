// The source: where the selected process is, where the others are, breakpoints, values on hover.

import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { erlang } from "@codemirror/legacy-modes/mode/erlang";
import { EditorState, RangeSet, StateEffect, StateField, type Range } from "@codemirror/state";
import {
  Decoration,
  EditorView,
  GutterMarker,
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
import { shownLevel, useProcess } from "./state";

const chosenFile = signal<string | null>(null);

interface Marks {
  /** The line on which the selected process is, or the one that was asked for. */
  current: number | null;
  column: number | null;
  expression: string | null;
  isProcess: boolean;
  others: Map<number, string[]>;
  breaks: Set<number>;
}

const NO_MARKS: Marks = {
  current: null,
  column: null,
  expression: null,
  isProcess: true,
  others: new Map(),
  breaks: new Set(),
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
      expression: view?.expression ?? null,
      isProcess: asked === null,
      others,
      breaks: new Set(lines),
    };
    const line = current !== null && current <= shown.state.doc.lines ? current : null;
    shown.dispatch({
      effects: [
        setMarks.of(marks),
        ...(line ? [EditorView.scrollIntoView(shown.state.doc.line(line).from, { y: "center" })] : []),
      ],
    });
  }, [text, file, current, seenRows, stops, selected, view, asked]);
  return (
    <div class="pane-column">
      <div class="tools">
        <select
          aria-label="Source file"
          class="grow"
          value={file ?? ""}
          onChange={(e) => (shownLine.value = { file: e.currentTarget.value, line: 1 })}
        >
          {known.map((f) => (
            <option key={f.name} value={f.name}>
              {f.name}
            </option>
          ))}
        </select>
        {wanted && !known.some((f) => f.name === wanted) && (
          <span class="dim">no source for {wanted}</span>
        )}
        {asked && (
          <button title="Back to where the process is" onClick={() => (shownLine.value = null)}>
            ▶ process
          </button>
        )}
      </div>
      <div class="source" ref={box} data-testid="source" />
    </div>
  );
}

function useSource(file: string | null): string | null {
  const seen = useView("source", file === null ? null : { file });
  return seen && seen.file === file ? seen.source : null;
}
