// What the page remembers from one visit to the next: layout and looks, never the program's data.

import { effect, signal, type Signal } from "@preact/signals";

export function remembered<T>(name: string, first: T): Signal<T> {
  const key = `reverl.${name}`;
  let value = first;
  try {
    const kept = localStorage.getItem(key);
    if (kept !== null) value = JSON.parse(kept) as T;
  } catch {
    // Storage that is full, forbidden or damaged: the page begins as new.
  }
  const made = signal(value);
  effect(() => {
    const text = JSON.stringify(made.value);
    try {
      localStorage.setItem(key, text);
    } catch {
      // See above.
    }
  });
  return made;
}

export type Theme = "system" | "light" | "dark";
export const theme = remembered<Theme>("theme", "system");

const darkSystem = matchMedia("(prefers-color-scheme: dark)");
/** Counts changes of colours: what is drawn on a canvas must be drawn again. */
export const painted = signal(0);

function paint() {
  const dark = theme.value === "dark" || (theme.value === "system" && darkSystem.matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  painted.value = painted.peek() + 1;
}
effect(paint);
darkSystem.addEventListener("change", paint);

export interface Sizes {
  left: number;
  right: number;
  bottom: number;
  source: number;
  details: number;
}
export const FIRST_SIZES: Sizes = { left: 270, right: 330, bottom: 132, source: 0.4, details: 0.55 };
export const sizes = remembered<Sizes>("sizes", FIRST_SIZES);
export const hiddenPanes = remembered<string[]>("hidden", []);
/** Whether calls, events and processes of the libraries are shown too. */
export const libraryShown = remembered("library", false);
/** Whether the diagram shows only the processes that have to do with the selected event. */
export const nearOnly = remembered("near", true);
/** The width of the names beside the lanes. */
export const gutterWidth = remembered("gutter", 168);
export const activeTabs = remembered<Record<string, string>>("tabs", {});
