// Values beside the lines that name them, as of the moment that is shown. Pure, so that it can be
// tested without a screen.

/** A variable with its value in one line. */
export interface Bound {
  name: string;
  text: string;
}

/** So much of a value is written, and of all values of a line. */
const MOST_VALUE = 40;
const MOST_LINE = 110;

const shortened = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/** The first line of the form that a line belongs to: what comes after the last one that ends in a
 *  full stop. */
export function formStart(lines: string[], line: number): number {
  let first = line;
  while (first > 1 && !/\.\s*(%.*)?$/.test(lines[first - 2])) first--;
  return first;
}

/** The line of the clause's head: of the nearest line above that begins a clause of a function. */
function clauseStart(lines: string[], line: number): number {
  const start = formStart(lines, line);
  let first = line;
  while (first > start && !/^[a-z'].*/.test(lines[first - 1])) first--;
  return first;
}

const withoutComment = (text: string) => text.replace(/%.*$/, "").replace(/"(\\.|[^"\\])*"/g, "");

/** Which lines, from the head of the clause to the current one, have which values beside them: each
 *  variable at the line that names it first. */
export function inlineValues(source: string, line: number, bound: Bound[]): Map<number, string> {
  const lines = source.split("\n");
  const left = new Map(bound.map((b) => [b.name, b.text]));
  const found = new Map<number, string>();
  for (let n = clauseStart(lines, line); n <= line && left.size > 0; n++) {
    const said: string[] = [];
    for (const [name] of withoutComment(lines[n - 1] ?? "").matchAll(/(?<![\w@])[\p{Lu}_][\w@]*/gu)) {
      const value = left.get(name);
      if (value === undefined) continue;
      left.delete(name);
      said.push(`${name} = ${shortened(value, MOST_VALUE)}`);
    }
    if (said.length > 0) found.set(n, shortened(said.join("   "), MOST_LINE));
  }
  return found;
}
