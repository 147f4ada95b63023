// The strip below the diagram.

import type { Colours, Scene } from "./draw";
import { GUTTER, MINIMAP, plotWidth } from "./geometry";
import { fitted, line } from "./shapes";

/** All of the execution at a glance; dragging in it is the time slider. */
export function drawMinimap(g: CanvasRenderingContext2D, s: Scene, c: Colours) {
  const { view: v } = s;
  const top = v.height - MINIMAP;
  g.fillStyle = c.panel;
  g.fillRect(0, top, v.width, MINIMAP);
  g.strokeStyle = c.line;
  line(g, 0, top + 0.5, v.width, top + 0.5);
  const map = s.minimap;
  const width = plotWidth(v);
  const columns = Math.max(1, s.columns);
  const at = (column: number) => GUTTER + (column / columns) * width;
  if (map && map.counts.length > 0) {
    const most = Math.max(1, ...map.counts);
    const each = width / map.counts.length;
    map.counts.forEach((n, i) => {
      if (n === 0) return;
      const tall = Math.max(1, (MINIMAP - 8) * (Math.log2(n + 1) / Math.log2(most + 1)));
      g.fillStyle = c.density;
      g.globalAlpha = 0.55;
      g.fillRect(GUTTER + i * each, v.height - 3 - tall, Math.max(1, each - 0.5), tall);
    });
    g.globalAlpha = 1;
    for (const crash of map.crashes) {
      g.fillStyle = c.bad;
      g.font = "bold 9px system-ui, sans-serif";
      g.textAlign = "center";
      g.fillText("✖", at(crash), top + 7);
    }
  }
  if (s.data) {
    g.fillStyle = c.cut;
    g.fillRect(at(s.data.frontier) - 1, top + 1, 2, MINIMAP - 1);
  }
  const left = at(Math.max(0, v.from));
  const right = at(Math.min(columns, v.from + v.span));
  g.strokeStyle = c.accent;
  g.lineWidth = 1.5;
  g.strokeRect(left, top + 2, Math.max(4, right - left), MINIMAP - 4);
  g.lineWidth = 1;
  g.fillStyle = c.dim;
  g.font = "11px system-ui, sans-serif";
  g.textAlign = "left";
  const lanes = s.labels.length === 1 ? "1 lane" : `${s.labels.length.toLocaleString("en")} lanes`;
  const text = `${s.columns.toLocaleString("en")} columns, ${lanes}`;
  g.fillText(fitted(g, text, GUTTER - 12), 8, top + MINIMAP / 2);
}
