// Docks with tabs, and the bars between them that can be dragged (or moved with the arrow keys).

import { signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useRef } from "preact/hooks";
import { Popover } from "./popover";
import { activeTabs, hiddenPanes, sizes, type Sizes } from "./settings";

export interface Pane {
  id: string;
  title: string;
  /** A number beside the title, if it says something. */
  badge?: () => string | null;
  body: ComponentType;
  /** What stands beside its name. */
  tools?: ComponentType;
  /** It is rarely needed: one finds it behind *More*. */
  rare?: boolean;
}

/** A pane, with the dock that it is in. */
export interface PlacedPane extends Pane {
  dock: string;
}

/** All panes that there are. */
export const allPanes = signal<PlacedPane[]>([]);

export const isHidden = (id: string) => hiddenPanes.value.includes(id);

export function toggle(id: string) {
  hiddenPanes.value = isHidden(id)
    ? hiddenPanes.value.filter((p) => p !== id)
    : [...hiddenPanes.value, id];
}

/** Brings a pane to the front of its dock. */
export function show(dock: string, id: string) {
  hiddenPanes.value = hiddenPanes.value.filter((p) => p !== id);
  activeTabs.value = { ...activeTabs.value, [dock]: id };
}

export function visible(panes: Pane[]): Pane[] {
  return panes.filter((p) => !isHidden(p.id));
}

export function Dock({ name, panes }: { name: string; panes: Pane[] }) {
  const all = visible(panes);
  if (all.length === 0) return null;
  const active = all.find((p) => p.id === activeTabs.value[name]) ?? all[0];
  const shown = all.filter((p) => !p.rare || p === active);
  const rare = all.filter((p) => p.rare && p !== active);
  const Body = active.body;
  const Tools = active.tools;
  const tabs = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const next = shown[(shown.indexOf(active) + step + shown.length) % shown.length];
    show(name, next.id);
    requestAnimationFrame(() => {
      tabs.current?.querySelector<HTMLElement>("[aria-selected=true]")?.focus();
    });
  };
  return (
    <section class="dock" data-dock={name} aria-label={active.title}>
      <div class="tabs">
        <div class="tab-list" role="tablist" aria-label={`Panes beside ${active.title}`} ref={tabs} onKeyDown={move}>
        {shown.map((pane) => {
          const badge = pane.badge?.() ?? null;
          return (
            <button
              key={pane.id}
              role="tab"
              class="tab"
              data-pane={pane.id}
              aria-selected={pane === active}
              tabIndex={pane === active ? 0 : -1}
              onClick={() => show(name, pane.id)}
            >
              {pane.title}
              {badge !== null && <span class="badge">{badge}</span>}
            </button>
          );
        })}
        </div>
        {rare.length > 0 && (
          <Popover label="More">
            {rare.map((pane) => (
              <button key={pane.id} data-pane={pane.id} onClick={() => show(name, pane.id)}>
                {pane.title}
              </button>
            ))}
          </Popover>
        )}
        {Tools ? <Tools /> : <span class="grow" />}
        <button
          class="hide"
          title={`Hide ${active.title}`}
          aria-label={`Hide ${active.title}`}
          onClick={() => toggle(active.id)}
        >
          ×
        </button>
      </div>
      <div class="body" role="tabpanel" aria-label={active.title} tabIndex={0} data-body={active.id}>
        <Body />
      </div>
    </section>
  );
}

interface BarProps {
  of: keyof Sizes;
  /** Along which axis it is dragged. */
  axis: "x" | "y";
  /** -1 if dragging towards the greater side makes the part smaller. */
  sign?: 1 | -1;
  /** The size is a share of the parent, not pixels. */
  share?: boolean;
  label: string;
}

export function Bar({ of, axis, sign = 1, share = false, label }: BarProps) {
  const bar = useRef<HTMLDivElement>(null);
  const set = (value: number) => {
    const kept = share ? Math.min(0.9, Math.max(0.1, value)) : Math.min(1400, Math.max(90, value));
    sizes.value = { ...sizes.value, [of]: kept };
  };
  const unit = () => {
    const parent = bar.current?.parentElement;
    if (!share || !parent) return 1;
    return axis === "x" ? parent.clientWidth : parent.clientHeight;
  };
  const drag = (event: PointerEvent) => {
    event.preventDefault();
    const start = axis === "x" ? event.clientX : event.clientY;
    const first = sizes.value[of];
    const target = event.currentTarget as HTMLElement;
    target.setPointerCapture(event.pointerId);
    const moved = (e: PointerEvent) => {
      const now = axis === "x" ? e.clientX : e.clientY;
      set(first + (sign * (now - start)) / unit());
    };
    const done = () => {
      target.removeEventListener("pointermove", moved);
      target.removeEventListener("pointerup", done);
    };
    target.addEventListener("pointermove", moved);
    target.addEventListener("pointerup", done);
  };
  const key = (event: KeyboardEvent) => {
    const [less, more] = axis === "x" ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
    const step = event.key === more ? 1 : event.key === less ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    set(sizes.value[of] + (sign * step * 16) / unit());
  };
  return (
    <div
      ref={bar}
      class={`bar bar-${axis}`}
      role="separator"
      aria-orientation={axis === "x" ? "vertical" : "horizontal"}
      aria-label={label}
      aria-valuenow={Math.round(share ? sizes.value[of] * 100 : sizes.value[of])}
      aria-valuemin={share ? 10 : 90}
      aria-valuemax={share ? 90 : 1400}
      tabIndex={0}
      onPointerDown={drag}
      onKeyDown={key}
    />
  );
}
