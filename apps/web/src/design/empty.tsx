import type { ReactNode } from 'react';
import css from './states.module.css';

/** An empty state: its title, and what to do next. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={css.empty}>
      <p className={css.stateTitle}>{title}</p>
      {children}
    </div>
  );
}
