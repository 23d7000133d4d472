import { type ReactNode, useId } from 'react';
import { classes } from './classes.js';
import css from './panel.module.css';

interface PanelProps {
  title?: ReactNode;
  /** Beside the title. */
  actions?: ReactNode;
  /** Without padding: for tables and lists that reach the edge. */
  isFlush?: boolean;
  children: ReactNode;
}

/** A titled part of a screen. */
export function Panel({ title, actions, isFlush = false, children }: PanelProps) {
  const id = useId();
  return (
    <section className={css.panel} aria-labelledby={title === undefined ? undefined : id}>
      {title !== undefined && (
        <header className={css.header}>
          <h2 id={id} className={css.title}>
            {title}
          </h2>
          {actions !== undefined && <div className={css.actions}>{actions}</div>}
        </header>
      )}
      <div className={classes(css.body, isFlush && css.flush)}>{children}</div>
    </section>
  );
}
