import { Link } from 'wouter';
import css from './tab-links.module.css';

export interface TabLink {
  key: string;
  to: string;
  name: string;
}

/** Links between the views of one thing, the current one marked. */
export function TabLinks({
  label,
  tabs,
  current,
}: {
  label: string;
  tabs: readonly TabLink[];
  current: string;
}) {
  return (
    <nav aria-label={label} className={css.tabs}>
      {tabs.map(({ key, to, name }) => (
        <Link key={key} to={to} className={css.tab} aria-current={key === current ? 'page' : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  );
}
