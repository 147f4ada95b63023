// A button that opens a small box below it.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

export function Popover({ label, children }: { label: string; children: ComponentChildren }) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return;
    const away = (e: Event) => {
      if (!root.current?.contains(e.target as Node)) setOpen(false);
    };
    addEventListener("pointerdown", away);
    return () => removeEventListener("pointerdown", away);
  }, [open]);
  const key = (e: KeyboardEvent) => {
    if (e.key === "Escape" && open) {
      e.stopPropagation();
      setOpen(false);
    }
  };
  // Who has chosen a pane wants to see it.
  const chosen = (e: MouseEvent) => {
    if ((e.target as HTMLElement).closest("[data-pane]")) setOpen(false);
  };
  return (
    <div class="popover" ref={root} onKeyDown={key}>
      <button aria-expanded={open} onClick={() => setOpen(!open)}>
        {label} ▾
      </button>
      {open && (
        <div class="popover-box" onClick={chosen}>
          {children}
        </div>
      )}
    </div>
  );
}
