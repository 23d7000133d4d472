import type { ReactNode } from 'react';
import css from './filters.module.css';

/** The filter controls of a list, in one row on wide screens. */
export function Filters({ children }: { children: ReactNode }) {
  return (
    <search className={css.filters} aria-label="Filters">
      {children}
    </search>
  );
}
