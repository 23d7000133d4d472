import type { ReactNode } from 'react';
import css from './filters.module.css';

/** The controls that narrow a list, side by side where there is room. */
export function Filters({ children }: { children: ReactNode }) {
  return (
    <search className={css.filters} aria-label="Filters">
      {children}
    </search>
  );
}
