import { ApiError } from '@agentclash/api';
import { notifyManager, useQueryClient } from '@tanstack/react-query';
import { Menu } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { Link, useLocation } from 'wouter';
import { Brand } from '../design/brand.js';
import { Button } from '../design/button.js';
import { classes } from '../design/classes.js';
import { useSession } from '../session/session.js';
import { Account } from './account.js';
import { homeFor, menuFor } from './menu.js';
import css from './shell.module.css';
import { Shortcuts } from './shortcuts.js';
import { ToastRegion } from './toast-region.js';

interface ShellProps {
  /** Finds what the navigation leads to, and more; receives what shows the list of the shortcuts. */
  finder: (onListShortcuts: () => void) => ReactNode;
  children: ReactNode;
}

/** The navigation around every screen: a column on wide screens, otherwise behind a button. */
export function Shell({ finder, children }: ShellProps) {
  const [isListed, setListed] = useState(false);
  const [location] = useLocation();
  const { whoami } = useSession();
  const [isOpen, setOpen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address closes the navigation.
  useEffect(() => setOpen(false), [location]);
  return (
    <div className={css.shell}>
      <a className={css.skip} href="#content">
        Skip to content
      </a>
      <header className={css.bar}>
        <Link to={homeFor(whoami)} className={css.home} aria-label="AgentClash, home">
          <Brand />
        </Link>
        <Button
          kind="quiet"
          className={css.toggle ?? ''}
          aria-expanded={isOpen}
          aria-controls="navigation"
          onClick={() => setOpen(!isOpen)}
        >
          <Menu size={18} aria-hidden="true" />
          Menu
        </Button>
      </header>
      <div id="navigation" className={classes(css.side, isOpen && css.open)}>
        {whoami.shared_run_id === undefined && finder(() => setListed(true))}
        <nav aria-label="Main" className={css.nav}>
          {menuFor(whoami).map(({ title, items }) => (
            <div key={title} className={css.group}>
              <p className={css.groupTitle}>{title}</p>
              {items.map(({ path, name, Icon }) => (
                <Link
                  key={path}
                  to={path}
                  className={css.item}
                  aria-current={isAt(location, path) ? 'page' : undefined}
                >
                  <Icon size={16} aria-hidden="true" />
                  {name}
                </Link>
              ))}
            </div>
          ))}
        </nav>
        <Account />
      </div>
      <main id="content" className={css.content} tabIndex={-1}>
        <ServerUnavailable />
        {children}
      </main>
      <Shortcuts isListed={isListed} setListed={setListed} />
      <ToastRegion />
    </div>
  );
}

/** Attempts and comparisons have addresses of their own, and belong to other screens. */
const WITHIN: readonly (readonly [address: string, path: string])[] = [
  ['/attempts/', '/runs'],
  ['/comparisons/', '/compare'],
  ['/versions/', '/packs'],
];

function isAt(location: string, path: string): boolean {
  if (WITHIN.some(([address, owner]) => owner === path && location.startsWith(address))) return true;
  return location === path || location.startsWith(`${path}/`);
}

/** A notice that the screen may be out of date while the server is unavailable. */
function ServerUnavailable() {
  const isUnavailable = useIsServerUnavailable();
  return (
    <div role="status">
      {isUnavailable && (
        <p className={css.unavailable}>
          The server is unavailable; retrying. This screen may be out of date.
        </p>
      )}
    </div>
  );
}

/** True when a request of the current screen failed because the server is unavailable. */
function useIsServerUnavailable(): boolean {
  const queries = useQueryClient().getQueryCache();
  const subscribe = useCallback(
    (listener: () => void) => queries.subscribe(notifyManager.batchCalls(listener)),
    [queries],
  );
  return useSyncExternalStore(subscribe, () =>
    queries
      .getAll()
      .some(
        (query) => query.isActive() && isUnavailable(query.state.fetchFailureReason ?? query.state.error),
      ),
  );
}

function isUnavailable(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'unavailable';
}
