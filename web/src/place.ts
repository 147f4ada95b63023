// A place in the address: which session, branch, cut, process and event.

export interface Place {
  session: number;
  branch: string | null;
  cut: string | null;
  proc: number | null;
  event: string | null;
}

export function readPlace(fragment: string): Place {
  const part = new URLSearchParams(fragment.replace(/^#/, ""));
  const numeric = (name: string) => {
    const text = part.get(name);
    return text !== null && /^\d+$/.test(text) ? Number(text) : null;
  };
  const event = part.get("e");
  return {
    session: numeric("s") ?? 1,
    branch: part.get("b"),
    cut: part.get("c"),
    proc: numeric("p"),
    event: event !== null && /^\d+[ad]\d+$/.test(event) ? event : null,
  };
}

export function writePlace(place: Place): string {
  const part = new URLSearchParams();
  part.set("s", String(place.session));
  if (place.branch !== null) part.set("b", place.branch);
  if (place.cut !== null) part.set("c", place.cut);
  if (place.proc !== null) part.set("p", String(place.proc));
  if (place.event !== null) part.set("e", place.event);
  return "#" + part.toString();
}
