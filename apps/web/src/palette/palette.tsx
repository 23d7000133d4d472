import { routes } from '@agentclash/api';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useAll } from '../data/use-all.js';
import { useRead } from '../data/use-read.js';
import { useSettled } from '../data/use-settled.js';
import { Dialog } from '../design/dialog.js';
import { storeTheme } from '../design/theme.js';
import { useSession } from '../session/session.js';
import { useCases } from './open-run.js';
import css from './palette.module.css';
import {
  deploymentItem,
  FOUND_MAX,
  fixedItems,
  matching,
  type PaletteItem,
  packItem,
  runItem,
} from './palette-items.js';

interface PaletteProps {
  onClose: () => void;
  onListShortcuts: () => void;
}

/**
 * Finds pages, actions, runs by number or name, cases of the run that is open, packs and deployments; for the keyboard
 * alone, as well as the mouse.
 */
export default function Palette({ onClose, onListShortcuts }: PaletteProps) {
  const [text, setText] = useState('');
  /** The key of the item that the arrows have chosen; without one, the first is chosen. */
  const [chosenKey, setChosenKey] = useState<string>();
  const [, go] = useLocation();
  const { signOut } = useSession();
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const { items, isPending } = useItems(text.trim());
  // By its key: items that are found later come before it, too.
  const chosen = items.find(({ key }) => key === chosenKey) ?? items[0];
  const move = (to: number) => setChosenKey(items.at(to % Math.max(1, items.length))?.key);
  const perform = ({ does }: PaletteItem) => {
    onClose();
    if (does === 'sign out') signOut();
    else if (does === 'list shortcuts') onListShortcuts();
    else if ('theme' in does) storeTheme(does.theme);
    else go(does.to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const index = chosen === undefined ? 0 : items.indexOf(chosen);
    if (event.key === 'ArrowDown') move(index + 1);
    else if (event.key === 'ArrowUp') move(index - 1);
    else if (event.key === 'Enter' && chosen !== undefined) perform(chosen);
    else return;
    event.preventDefault();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: another choice comes into view.
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView?.({ block: 'nearest' });
  }, [chosen?.key]);
  const groups = [...new Set(items.map(({ group }) => group))];
  return (
    <Dialog title="Go to or do" isOpen onClose={onClose}>
      <input
        className={css.input}
        role="combobox"
        aria-label="Page, run, pack, deployment or action"
        aria-expanded={items.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={chosen && `${id}-${chosen.key}`}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        placeholder="A page, #42, a name …"
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setChosenKey(undefined);
        }}
        onKeyDown={onKeyDown}
      />
      <div ref={list} id={`${id}-list`} role="listbox" aria-label="Results" className={css.list}>
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: groups of a list box are no fieldsets.
          <div key={group} role="group" aria-label={group}>
            <p className={css.group} aria-hidden="true">
              {group}
            </p>
            {items
              .filter((item) => item.group === group)
              .map((item) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the text box.
                <div
                  key={item.key}
                  id={`${id}-${item.key}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={item === chosen}
                  className={css.option}
                  onClick={() => perform(item)}
                >
                  <span>{item.name}</span>
                  {item.note && <span className={css.note}>{item.note}</span>}
                </div>
              ))}
          </div>
        ))}
      </div>
      <p role="status" className={css.status}>
        {items.length === 0 ? (isPending ? 'Searching' : 'Nothing matches') : `${items.length} results`}
      </p>
    </Dialog>
  );
}

/** The items that match: runs and cases are searched by the server, packs and deployments are few. */
function useItems(text: string): { items: PaletteItem[]; isPending: boolean } {
  const { whoami } = useSession();
  const fixed = useMemo(() => fixedItems(whoami), [whoami]);
  const isInWorkspace = whoami.role !== 'operator';
  const hasResources = isInWorkspace && whoami.results_only !== true;
  const q = useSettled(text);
  const runs = useRead(
    routes.runs.list,
    { query: { limit: FOUND_MAX, ...(q !== '' && { q }) } },
    { enabled: isInWorkspace },
  );
  const cases = useCases(q);
  const packs = useAll(routes.packs.list, { query: {} }, { enabled: hasResources });
  const deployments = useAll(
    routes.deployments.list,
    { query: { status: 'active' } },
    { enabled: hasResources },
  );
  const of = (items: PaletteItem[]) => (text === '' ? [] : matching(items, text).slice(0, FOUND_MAX));
  // A number is that of a run before anything else.
  const found = q === text ? (runs.data?.items ?? []).map(runItem) : [];
  const isNumber = /^#?\d+$/.test(text);
  const others = [
    ...matching(fixed, text),
    ...(q === text ? cases.items : []),
    ...of((packs.data ?? []).map(packItem)),
    ...of((deployments.data ?? []).map(deploymentItem)),
  ];
  return {
    items: isNumber ? [...found, ...others] : [...others, ...found],
    isPending: q !== text || (isInWorkspace && runs.isPending) || cases.isPending,
  };
}
