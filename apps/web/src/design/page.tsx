import { type ReactNode, useEffect, useRef } from 'react';
import css from './page.module.css';

interface PageProps {
  /** Title of the document while the screen is shown. */
  title: string;
  /** Instead of the title as a heading. */
  heading?: ReactNode;
  /** One line below the heading. */
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** The frame of a screen: its heading, which takes the focus on arrival so that it is announced, and its content. */
export function Page({ title, heading = title, lead, actions, children }: PageProps) {
  const ref = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · AgentClash`;
  }, [title]);
  useEffect(() => ref.current?.focus({ preventScroll: true }), []);
  return (
    <div className={css.page}>
      <header className={css.header}>
        <div className={css.titles}>
          <h1 ref={ref} tabIndex={-1}>
            {heading}
          </h1>
          {lead !== undefined && <div className={css.lead}>{lead}</div>}
        </div>
        {actions !== undefined && <div className={css.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}
