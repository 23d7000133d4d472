import { ApiError } from '@agentclash/api';
import { useQuery } from '@tanstack/react-query';
import { Component, type ReactNode } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { refreshOf } from './data/refresh.js';
import { ButtonLink } from './design/button.js';
import { Page } from './design/page.js';
import { Empty, Failure, Loading } from './design/states.js';
import { Breadcrumbs } from './navigation/breadcrumbs.js';
import { homeFor } from './navigation/menu.js';
import { isPartOfId, RunByPart } from './navigation/run-by-part.js';
import type { ScreenRoute } from './navigation/screen-route.js';
import { Shell } from './navigation/shell.js';
import { PaletteKey } from './palette/palette-key.js';
import { SCREENS } from './screens.js';
import { useSession } from './session/session.js';
import { SessionGate } from './session/session-gate.js';

/** The session gate, the shell and the screen of the address. */
export function App() {
  const [location] = useLocation();
  return (
    <SessionGate>
      <Shell finder={(onListShortcuts) => <PaletteKey onListShortcuts={onListShortcuts} />}>
        <ErrorBoundary location={location}>
          <Switch>
            <Route path="/">
              <ToHome />
            </Route>
            {SCREENS.map((screen) => (
              <Route key={screen.path} path={screen.path}>
                {(params: Record<string, string>) =>
                  isPartOfId(params.runId) ? (
                    <RunByPart part={params.runId} />
                  ) : (
                    <>
                      <Breadcrumbs path={screen.path} params={params} />
                      <LateScreen screen={screen} params={params} />
                    </>
                  )
                }
              </Route>
            ))}
            <Route>
              <NotFound />
            </Route>
          </Switch>
        </ErrorBoundary>
      </Shell>
    </SessionGate>
  );
}

function ToHome() {
  return <Redirect to={homeFor(useSession().whoami)} replace />;
}

interface LateScreenProps {
  screen: ScreenRoute;
  params: Record<string, string>;
}

/**
 * A lazily loaded screen with a loading state. Not React's `lazy`: it shows a suspended screen at least 0.3 s after its
 * fallback, although the code may have been loaded sooner.
 */
function LateScreen({ screen, params }: LateScreenProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['code of a screen', screen.path],
    queryFn: () => load(screen),
    enabled: screen.Screen === undefined,
    refetchInterval: refreshOf(false),
  });
  const Screen = screen.Screen ?? data;
  if (Screen !== undefined) return <Screen params={params} />;
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  return <Loading what="the screen" />;
}

/** The code comes from the same server: a failed load is a temporary `unavailable`. */
async function load(screen: ScreenRoute) {
  try {
    return await screen.load();
  } catch (cause) {
    throw new ApiError({ code: 'unavailable', detail: 'This screen could not be loaded.' }, null, { cause });
  }
}

function NotFound() {
  return (
    <Page title="Page not found">
      <Empty title="No page has this address.">
        <ButtonLink to="/runs">Runs</ButtonLink>
      </Empty>
    </Page>
  );
}

interface ErrorBoundaryProps {
  /** Address of the children; another address resets the error. */
  location: string;
  children: ReactNode;
}

/** Limits a rendering error to one screen. */
class ErrorBoundary extends Component<ErrorBoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidUpdate({ location }: ErrorBoundaryProps) {
    if (location !== this.props.location && this.state.error !== undefined)
      this.setState({ error: undefined });
  }

  override render() {
    if (this.state.error === undefined) return this.props.children;
    return <Failure error={this.state.error} onRetry={() => location.reload()} />;
  }
}
