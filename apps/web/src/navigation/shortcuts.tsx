import { useEffect, useMemo } from 'react';
import { useLocation } from 'wouter';
import { Button } from '../design/button.js';
import { Dialog } from '../design/dialog.js';
import { useSession } from '../session/session.js';
import { isDialogOpen, isTyping } from './key-targets.js';
import { menuFor } from './menu.js';
import css from './shortcuts.module.css';

const KEYS: readonly { keys: readonly string[]; what: string }[] = [
  { keys: ['j', '→'], what: 'Next case' },
  { keys: ['k', '←'], what: 'Previous case' },
  { keys: ['Ctrl', 'K'], what: 'Go to a page, a run, a pack, or do something' },
  { keys: ['/'], what: 'Search on this screen' },
  { keys: ['?'], what: 'Show this list' },
];
const SEQUENCE_MS = 1_500;

/** Keys that open the links to what comes before and after. */
const ADJACENT: Readonly<Record<string, 'prev' | 'next'>> = {
  ...{ j: 'next', ArrowRight: 'next' },
  ...{ k: 'prev', ArrowLeft: 'prev' },
};

interface ShortcutsProps {
  /** True while the list of the shortcuts is open. */
  isListed: boolean;
  setListed: (isListed: boolean) => void;
}

/**
 * `g` and a letter opens a screen, `j` and `k` the next and the previous case, `/` focuses the search, `?` lists the
 * shortcuts.
 */
export function Shortcuts({ isListed, setListed }: ShortcutsProps) {
  const [, go] = useLocation();
  const { whoami } = useSession();
  const all = useMemo(() => menuFor(whoami).flatMap(({ items }) => items), [whoami]);
  const keys = [...all.map(({ key, name }) => ({ keys: ['g', key], what: name })), ...KEYS];
  useEffect(() => {
    let armedUntil = 0;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target) || isDialogOpen()) return;
      if (event.timeStamp < armedUntil) {
        armedUntil = 0;
        const item = all.find(({ key }) => key === event.key);
        if (item !== undefined) go(item.path);
      } else if (event.key === 'g') armedUntil = event.timeStamp + SEQUENCE_MS;
      else if (event.key === '?') setListed(true);
      else if (event.key === '/') focusSearch(event);
      else openAdjacent(event);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [go, all, setListed]);
  const close = () => setListed(false);
  return (
    <Dialog title="Keyboard shortcuts" isOpen={isListed} onClose={close}>
      <dl className={css.keys}>
        {keys.map(({ keys: pressed, what }) => (
          <div key={what}>
            <dt>
              {pressed.map((key, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a sequence may repeat a key, as `g g` does.
                <kbd key={index}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <Button onClick={close}>Close</Button>
    </Dialog>
  );
}

/** Arrows scroll whatever scrolls and has the focus. */
function openAdjacent({ key, target }: KeyboardEvent): void {
  const rel = ADJACENT[key];
  const isScrolling = target instanceof Element && target.closest('main [tabindex="0"]') !== null;
  if (rel === undefined || (key.startsWith('Arrow') && isScrolling)) return;
  document.querySelector<HTMLAnchorElement>(`main a[rel=${rel}]`)?.click();
}

function focusSearch(event: KeyboardEvent): void {
  const search = document.querySelector<HTMLInputElement>('main input[type=search]');
  if (search === null) return;
  event.preventDefault();
  search.focus();
}
