// Lines, tips, texts, and one shape for each kind of event.

export function line(g: CanvasRenderingContext2D, x1: number, y1: number, x2: number, y2: number) {
  g.beginPath();
  g.moveTo(x1, y1);
  g.lineTo(x2, y2);
  g.stroke();
}

export function ring(g: CanvasRenderingContext2D, x: number, y: number, r: number) {
  g.beginPath();
  g.arc(x, y, r, 0, 7);
  g.stroke();
}

export function tip(g: CanvasRenderingContext2D, x1: number, y1: number, x2: number, y2: number) {
  const angle = Math.atan2(y2 - y1, x2 - x1);
  const at = (turn: number, far: number) =>
    [x2 - far * Math.cos(angle + turn), y2 - far * Math.sin(angle + turn)] as const;
  g.beginPath();
  g.moveTo(x2, y2);
  g.lineTo(...at(0.4, 7));
  g.lineTo(...at(-0.4, 7));
  g.closePath();
  g.fill();
}

export function fitted(g: CanvasRenderingContext2D, text: string, width: number): string {
  if (g.measureText(text).width <= width) return text;
  let end = Math.min(text.length, 40);
  while (end > 1 && g.measureText(text.slice(0, end) + "…").width > width) end--;
  return text.slice(0, end) + "…";
}

export function shape(g: CanvasRenderingContext2D, kind: string, x: number, y: number, r: number) {
  g.beginPath();
  switch (kind) {
    case "s":
      g.moveTo(x - r * 0.8, y - r);
      g.lineTo(x + r, y);
      g.lineTo(x - r * 0.8, y + r);
      g.closePath();
      break;
    case "r":
      g.moveTo(x + r * 0.8, y - r);
      g.lineTo(x - r, y);
      g.lineTo(x + r * 0.8, y + r);
      g.closePath();
      break;
    case "a":
      g.moveTo(x - r, y - r);
      g.lineTo(x + r, y + r);
      g.moveTo(x - r, y + r);
      g.lineTo(x + r, y - r);
      g.stroke();
      return;
    case "d":
      g.moveTo(x, y - r);
      g.lineTo(x, y + r);
      g.stroke();
      return;
    case "p":
      g.moveTo(x, y - r * 1.1);
      g.lineTo(x + r * 1.1, y);
      g.lineTo(x, y + r * 1.1);
      g.lineTo(x - r * 1.1, y);
      g.closePath();
      break;
    case "x":
      g.rect(x - r * 0.8, y - r * 0.8, r * 1.6, r * 1.6);
      break;
    case "X":
      g.lineWidth = 2.4;
      g.moveTo(x - r, y - r);
      g.lineTo(x + r, y + r);
      g.moveTo(x + r, y - r);
      g.lineTo(x - r, y + r);
      g.stroke();
      return;
    case "t":
      g.moveTo(x - r, y - r);
      g.lineTo(x + r, y - r);
      g.lineTo(x - r, y + r);
      g.lineTo(x + r, y + r);
      g.closePath();
      break;
    case "o":
      g.rect(x - r * 0.9, y - r * 0.6, r * 1.8, r * 1.2);
      break;
    default:
      g.arc(x, y, r * 0.5, 0, 7);
  }
  g.fill();
  g.stroke();
}
