/** Tabs after the ARIA pattern: arrow keys move, one tab stop, each panel labelled by its tab. */
import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';

/** One tab and its panel. */
export interface Tab {
  id: string;
  label: string;
  /** A number beside the label. */
  count: number;
  panel: ReactNode;
}

export function Tabs({ label, tabs }: { label: string; tabs: readonly [Tab, ...Tab[]] }) {
  const [chosen, setChosen] = useState(tabs[0].id);
  const base = useId();
  const strip = useRef<HTMLDivElement>(null);
  const current = tabs.find(({ id }) => id === chosen) ?? tabs[0];

  const keys = (event: KeyboardEvent): void => {
    const at = tabs.indexOf(current);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1 + tabs.length, Home: 0, End: tabs.length - 1 }[event.key];
    const next = to === undefined ? undefined : tabs[to % tabs.length];
    if (!next) return;
    event.preventDefault();
    setChosen(next.id);
    strip.current?.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus();
  };

  return (
    <div className="tabs">
      <div className="tab-strip" role="tablist" aria-label={label} ref={strip} onKeyDown={keys}>
        {tabs.map(({ id, label: name, count }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${base}-${id}-tab`}
            data-tab={id}
            aria-selected={id === current.id}
            aria-controls={`${base}-panel`}
            tabIndex={id === current.id ? 0 : -1}
            onClick={() => setChosen(id)}
          >
            {name}
            {count > 0 ? <span className="count">{count}</span> : null}
          </button>
        ))}
      </div>
      <div
        className="tab-panel"
        role="tabpanel"
        id={`${base}-panel`}
        aria-labelledby={`${base}-${current.id}-tab`}
        tabIndex={0}
      >
        {current.panel}
      </div>
    </div>
  );
}
