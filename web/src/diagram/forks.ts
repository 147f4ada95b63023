// Receives that could have taken another message: a fork, and its other arms when one looks at it.

import { signal } from "@preact/signals";
import { hovered, session } from "../store";
import type { DiagramWindow, Fork } from "../types";
import type { Colours, Scene } from "./draw";
import { GUTTER, xOf, yOf } from "./geometry";
import { askedColumns } from "./model";
import { line, tip } from "./shapes";

/** The forks of the window that is shown. */
export const forks = signal<Fork[]>([]);

let asked = 0;

/** Asks for the forks of a window whose events are drawn one by one. */
export async function fetchForks(seen: DiagramWindow) {
  const mine = ++asked;
  if (!("detail" in seen.drawn) || seen.lanes.length === 0) {
    forks.value = [];
    return;
  }
  const wanted = { ...askedColumns(), from: seen.from, to: seen.to, lanes: seen.lanes.map((l) => l.id) };
  const found = await session.look("forks", wanted).catch(() => null);
  if (found && mine === asked) forks.value = found.forks;
}

export function drawForks(g: CanvasRenderingContext2D, s: Scene, c: Colours) {
  const { view: v } = s;
  for (const fork of forks.value) {
    const lane = s.laneOf(fork.proc);
    if (lane === undefined) continue;
    const [x, y] = [xOf(v, fork.column), yOf(v, lane)];
    if (x < GUTTER || x > v.width) continue;
    g.strokeStyle = c.accent;
    g.lineWidth = 1.4;
    // Two ways lead here.
    const tall = Math.min(9, v.laneHeight * 0.4);
    line(g, x - 9, y - tall, x - 4, y);
    line(g, x - 9, y + tall, x - 4, y);
    if (fork.event !== hovered.value && fork.event !== s.selectedEvent) continue;
    g.fillStyle = c.accent;
    for (const arm of fork.arms) {
      const from = s.laneOf(arm.from);
      if (from === undefined) continue;
      const [x1, y1] = [xOf(v, arm.column), yOf(v, from)];
      g.setLineDash([5, 4]);
      line(g, x1, y1, x - 4, y);
      g.setLineDash([]);
      tip(g, x1, y1, x - 4, y);
      g.font = "11px ui-monospace, SFMono-Regular, Menlo, monospace";
      g.textAlign = "center";
      g.fillText(`or ${arm.message}`, (x1 + x) / 2, (y1 + y) / 2 - 6);
    }
  }
  g.lineWidth = 1;
}
