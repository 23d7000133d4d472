import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { Button } from '../design/button.js';
import { PLACES } from './places.js';
import css from './shortcuts.module.css';

const ALL = PLACES.flatMap(({ places }) => places);
const SEQUENCE_MS = 1_500;

/** `g` and a letter goes to a place, `/` to the screen's search, `?` shows which keys there are. */
export function Shortcuts() {
  const [, go] = useLocation();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    let armedUntil = 0;
    const hear = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.timeStamp < armedUntil) {
        armedUntil = 0;
        const place = ALL.find(({ key }) => key === event.key);
        if (place !== undefined) go(place.path);
      } else if (event.key === 'g') armedUntil = event.timeStamp + SEQUENCE_MS;
      else if (event.key === '?') dialog.current?.showModal();
      else if (event.key === '/') focusSearch(event);
    };
    document.addEventListener('keydown', hear);
    return () => document.removeEventListener('keydown', hear);
  }, [go]);
  return (
    <dialog ref={dialog} className={css.dialog} aria-labelledby="shortcuts-title">
      <h2 id="shortcuts-title">Keys</h2>
      <dl className={css.keys}>
        {ALL.map(({ key, name }) => (
          <div key={key}>
            <dt>
              <kbd>g</kbd> <kbd>{key}</kbd>
            </dt>
            <dd>{name}</dd>
          </div>
        ))}
        <div>
          <dt>
            <kbd>/</kbd>
          </dt>
          <dd>Search on this screen</dd>
        </div>
        <div>
          <dt>
            <kbd>?</kbd>
          </dt>
          <dd>This list</dd>
        </div>
      </dl>
      <form method="dialog">
        <Button type="submit">Close</Button>
      </form>
    </dialog>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
  );
}

function focusSearch(event: KeyboardEvent): void {
  const search = document.querySelector<HTMLInputElement>('input[type=search]');
  if (search === null) return;
  event.preventDefault();
  search.focus();
}
