import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { Button } from '../design/button.js';
import css from './palette-key.module.css';

/** Opens the command palette by its button or Ctrl-K; its code is loaded with the first use. */
export function PaletteKey({ onListShortcuts }: { onListShortcuts: () => void }) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key !== 'k') return;
      event.preventDefault();
      const others = document.querySelector('dialog[open]');
      setOpen((was) => !was && others === null);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  const { data: Palette, isError } = useQuery({
    queryKey: ['code of the palette'],
    queryFn: async () => (await import('./palette.js')).default,
    enabled: isOpen,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  const close = () => setOpen(false);
  return (
    <>
      <Button className={css.search ?? ''} aria-keyshortcuts="Control+K" onClick={() => setOpen(true)}>
        <Search size={14} aria-hidden="true" />
        Go to
        <kbd>Ctrl K</kbd>
      </Button>
      {/* Not inside of the navigation, which is hidden on narrow screens. */}
      {isOpen &&
        Palette &&
        createPortal(<Palette onClose={close} onListShortcuts={onListShortcuts} />, document.body)}
      {isOpen && isError && <p role="alert">The palette could not be loaded.</p>}
    </>
  );
}
