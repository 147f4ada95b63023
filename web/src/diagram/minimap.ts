// The strip below the diagram.

import type { Colours, Scene } from "./draw";
import { GUTTER, MINIMAP, plotHeight, plotWidth } from "./geometry";
import { fitted, line } from "./shapes";

/** All of the execution at a glance; dragging in it moves along time and lanes. */
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
  const inner = MINIMAP - 8;
  if (map && map.rows.length > 0) {
    const tall = inner / map.rows.length;
    const each = width / map.rows[0].length;
    g.fillStyle = c.density;
    map.rows.forEach((row, r) => {
      for (let b = 0; b < row.length; b++) {
        const level = row.charCodeAt(b) - 48;
        if (level === 0) continue;
        g.globalAlpha = Math.min(1, 0.25 + level / 10);
        g.fillRect(GUTTER + b * each, top + 4 + r * tall, Math.max(1, each - 0.5), Math.max(1, tall - 1));
      }
    });
    g.globalAlpha = 1;
    g.fillStyle = c.bad;
    g.font = "bold 9px system-ui, sans-serif";
    g.textAlign = "center";
    for (const crash of map.crashes) g.fillText("✖", at(crash.column), top + 4 + (crash.row + 0.5) * tall);
  }
  if (s.data) {
    g.fillStyle = c.cut;
    g.fillRect(at(s.data.frontier) - 1, top + 1, 2, MINIMAP - 1);
  }
  const left = at(Math.max(0, v.from));
  const right = at(Math.min(columns, v.from + v.span));
  g.strokeStyle = c.accent;
  g.lineWidth = 1.5;
  const whole = Math.max(1, s.labels.length * v.laneHeight);
  const above = top + 4 + (v.top / whole) * inner;
  const seen = Math.min(1, plotHeight(v) / whole) * inner;
  g.strokeRect(left, above, Math.max(4, right - left), Math.max(4, seen));
  g.lineWidth = 1;
  g.fillStyle = c.dim;
  g.font = "11px system-ui, sans-serif";
  g.textAlign = "left";
  const lanes = s.labels.length === 1 ? "1 lane" : `${s.labels.length.toLocaleString("en")} lanes`;
  const text = `${s.columns.toLocaleString("en")} columns, ${lanes}`;
  g.fillText(fitted(g, text, GUTTER - 12), 8, top + MINIMAP / 2);
}
