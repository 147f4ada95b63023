// Where there are several nodes: a band for each, with its name.

import type { Colours, Scene } from "./draw";
import { GUTTER, HEADER, plotHeight, yOf } from "./geometry";
import { line } from "./shapes";

/** How broad the band of a node is beside the names of its lanes. */
const BAND = 4;

export function drawNodes(g: CanvasRenderingContext2D, s: Scene, c: Colours) {
  const { view: v, labels } = s;
  if (!labels.some((lane) => lane.node !== null)) return;
  const shades = [c.accent, c.consequence, c.cause, c.density];
  const names = [...new Set(labels.map((lane) => lane.node))];
  const edge = (i: number) => yOf(v, i) - v.laneHeight / 2;
  let first = 0;
  for (let i = 1; i <= labels.length; i++) {
    if (i < labels.length && labels[i].node === labels[first].node) continue;
    const [top, bottom] = [Math.max(HEADER, edge(first)), Math.min(HEADER + plotHeight(v), edge(i))];
    if (bottom > top) {
      g.fillStyle = shades[names.indexOf(labels[first].node) % shades.length];
      g.fillRect(0, top, BAND, bottom - top);
      g.strokeStyle = c.dim;
      g.lineWidth = 1;
      if (first > 0) line(g, 0, Math.round(top) + 0.5, v.width, Math.round(top) + 0.5);
      g.font = "bold 11px system-ui, sans-serif";
      g.textAlign = "left";
      g.fillText(`node ${labels[first].node ?? ""}`, GUTTER + 6, top + 9);
    }
    first = i;
  }
}
