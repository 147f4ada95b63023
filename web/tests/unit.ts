// The page's pure parts.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  GUTTER,
  clampView,
  columnAt,
  cutColumn,
  fetchRange,
  laneAt,
  tickStep,
  visibleLanes,
  xOf,
  yOf,
  zoomed,
  type View,
} from "../src/diagram/geometry";
import { sorted, tree, type Proc } from "../src/lanes";
import { inlineValues } from "../src/panes/inline";
import { readPlace, writePlace } from "../src/place";

const view: View = { from: 0, span: 100, top: 0, laneHeight: 30, width: 1000, height: 400 };

const proc = (id: number, parent: number | null, name: string | null = null): Proc => ({
  id,
  pid: `<0.${82 + id}.0>`,
  parent,
  name,
  label: name ?? "f/0",
  entry: "m:f/0",
  events: id,
  exited: false,
  crashed: false,
  system: false,
});

const options = { folded: new Set<number>(), hidden: new Set<number>(), search: "", library: false };

test("a place survives the address, and a foreign one is harmless", () => {
  const place = { session: 3, branch: "b 1&x", cut: "1.2.3~4.5.6", proc: 7, event: "7a12" };
  assert.deepEqual(readPlace(writePlace(place)), place);
  const strange = readPlace("#s=x&e=<script>&p=-1");
  assert.deepEqual(strange, { session: 1, branch: null, cut: null, proc: null, event: null });
});

test("children stand under their parents", () => {
  const all = [proc(1, null), proc(2, 1), proc(3, 1), proc(4, 2)];
  const rows = tree(all, options);
  assert.deepEqual(rows.map((r) => [r.id, r.depth, r.below]), [[1, 0, 3], [2, 1, 1], [4, 2, 0], [3, 1, 0]]);
});

test("a folded process takes its descendants in, a hidden one leaves them", () => {
  const all = [proc(1, null), proc(2, 1), proc(3, 1), proc(4, 2)];
  const folded = tree(all, { ...options, folded: new Set([2]) });
  assert.deepEqual(folded.map((r) => r.id), [1, 2, 3]);
  const hidden = tree(all, { ...options, hidden: new Set([2]) });
  assert.deepEqual(hidden.map((r) => r.id), [1, 4, 3]);
});

test("a search finds names, pids and functions wherever they are", () => {
  const all = [proc(1, null), proc(2, 1, "server"), proc(4, 2)];
  const found = (search: string) => tree(all, { ...options, folded: new Set([1]), search }).map((r) => r.id);
  assert.deepEqual(found("serv"), [2]);
  assert.deepEqual(found("<0.86.0>"), [4]);
  assert.deepEqual(found("M:F"), [1, 2, 4]);
});

test("orders other than the tree are flat", () => {
  const all = [proc(1, null), proc(2, 1, "b"), proc(3, 1, "a")];
  const by = (key: "events" | "name" | "mailbox", boxes = new Map<number, number>()) =>
    sorted(all, key, options, boxes).map((r) => r.id);
  assert.deepEqual(by("events"), [3, 2, 1]);
  assert.deepEqual(by("name"), [3, 2, 1]);
  assert.deepEqual(by("mailbox", new Map([[1, 5]])), [1, 2, 3]);
});

test("columns and lanes go to pixels and back", () => {
  for (const column of [0, 17, 99]) {
    assert.ok(Math.abs(columnAt(view, xOf(view, column)) - column) < 1e-9);
  }
  for (const lane of [0, 5, 300]) assert.equal(laneAt(view, yOf(view, lane)), lane);
});

test("zooming keeps what is under the pointer", () => {
  const x = GUTTER + 333;
  assert.ok(Math.abs(columnAt(zoomed(view, 0.5, x), x) - columnAt(view, x)) < 1e-9);
});

test("a view stays on the execution", () => {
  const far = clampView({ ...view, from: 1e9, top: 1e9 }, 1000, 50);
  assert.ok(far.from <= 1001 && far.top <= 50 * 30);
  assert.equal(clampView({ ...view, span: 1e9 }, 1000, 50).span, 1002);
});

test("the cut passes between what is done and what is to come", () => {
  assert.equal(cutColumn(10, 3, 20), 9.5);
  assert.equal(cutColumn(10, 15, 20), 15.5);
  assert.equal(cutColumn(10, null, 5), 4.5);
});

test("only what can be seen is fetched", () => {
  const [first, last] = visibleLanes({ ...view, top: 30_000 }, 100_000);
  assert.ok(first > 900 && last - first < 40);
  const [from, to] = fetchRange({ ...view, from: 5000 }, 1_000_000);
  assert.ok(from >= 4900 && to <= 5200);
});

test("ticks are round numbers", () => {
  assert.deepEqual([10, 1000, 1_000_000].map((span) => tickStep(span, 1000)), [1, 100, 100_000]);
});

test("values stand behind the line of the clause that names a variable first", () => {
  const source = [
    "f(X) -> X.", // 1
    "",
    "g(a, Y) -> Y;", // 3
    "g({take, Sku}, Items) -> % Sku is not N", // 4
    "    N = maps:get(Sku, Items),", // 5
    '    io:format("N"),', // 6
    "    N + Later.", // 7
  ].join("\n");
  const bound = [
    { name: "Sku", text: "cheese" },
    { name: "Items", text: "#{}" },
    { name: "N", text: "1" },
    { name: "X", text: "2" },
    { name: "Later", text: "3" },
  ];
  const seen = inlineValues(source, 6, bound);
  assert.deepEqual([...seen], [[4, "Sku = cheese   Items = #{}"], [5, "N = 1"]]);
  assert.equal(inlineValues(source, 4, [{ name: "Sku", text: "x".repeat(99) }]).get(4)?.length, 46);
});
