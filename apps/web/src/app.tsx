import { Redirect, Route, Switch, useLocation } from 'wouter';
import { ErrorBoundary } from './design/error-boundary.js';
import { NotFound } from './design/not-found.js';
import { LateScreen } from './navigation/late-screen.js';
import { homeFor } from './navigation/menu.js';
import { Shell } from './navigation/shell.js';
import { SCREENS } from './screens.js';
import { useSession } from './session/session.js';
import { SessionGate } from './session/session-gate.js';

/** The session gate, the shell and the screen of the address. */
export function App() {
  const [location] = useLocation();
  return (
    <SessionGate>
      <Shell>
        <ErrorBoundary location={location}>
          <Switch>
            <Route path="/">
              <ToHome />
            </Route>
            {SCREENS.map((screen) => (
              <Route key={screen.path} path={screen.path}>
                {(params: Record<string, string>) => <LateScreen screen={screen} params={params} />}
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
  return <Redirect to={homeFor(useSession().whoami.role)} replace />;
}
