import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';
import css from './tabs.module.css';

interface Tab<Key extends string> {
  key: Key;
  name: string;
}

interface TabsProps<Key extends string> {
  /** Accessible name of the list. */
  label: string;
  tabs: readonly Tab<Key>[];
  current: Key;
  onChange: (key: Key) => void;
  /** The content of a tab. Tabs that are not current stay mounted, hidden. */
  children: (key: Key) => ReactNode;
}

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

/** Views of one thing on one page, of which one is shown; the arrow keys change it. */
export function Tabs<Key extends string>({ label, tabs, current, onChange, children }: TabsProps<Key>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    const at = tabs.findIndex(({ key }) => key === current);
    const next = (at + step + tabs.length) % tabs.length;
    const tab = tabs[next];
    if (tab === undefined) return;
    event.preventDefault();
    onChange(tab.key);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
  };
  return (
    <div className={css.tabs}>
      <div role="tablist" aria-label={label} className={css.list} ref={list} onKeyDown={move}>
        {tabs.map(({ key, name }) => (
          <button
            key={key}
            type="button"
            role="tab"
            id={`${id}-${key}`}
            aria-selected={key === current}
            aria-controls={`${id}-${key}-panel`}
            tabIndex={key === current ? 0 : -1}
            className={css.tab}
            onClick={() => onChange(key)}
          >
            {name}
          </button>
        ))}
      </div>
      {tabs.map(({ key }) => (
        <div
          key={key}
          role="tabpanel"
          id={`${id}-${key}-panel`}
          aria-labelledby={`${id}-${key}`}
          hidden={key !== current}
          className={css.panel}
        >
          {children(key)}
        </div>
      ))}
    </div>
  );
}
