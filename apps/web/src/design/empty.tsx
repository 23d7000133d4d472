import type { ReactNode } from 'react';
import css from './states.module.css';

/** There is nothing to show, and what to do about it. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={css.empty}>
      <p className={css.stateTitle}>{title}</p>
      {children}
    </div>
  );
}
