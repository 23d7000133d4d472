import { type ReactNode, useId } from 'react';
import css from './section.module.css';

interface SectionProps {
  /** For links to it. */
  id?: string;
  title: string;
  /** Beside the title. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A titled part of a screen that contains panels. */
export function Section({ id, title, actions, children }: SectionProps) {
  const titleId = useId();
  return (
    <section id={id} className={css.section} aria-labelledby={titleId}>
      <header className={css.header}>
        <h2 id={titleId}>{title}</h2>
        {actions}
      </header>
      {children}
    </section>
  );
}
