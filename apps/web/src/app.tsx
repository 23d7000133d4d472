import { Suspense } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { ErrorBoundary } from './design/error-boundary.js';
import { Loading } from './design/loading.js';
import { NotFound } from './design/not-found.js';
import { Shell } from './navigation/shell.js';
import { HOME, SCREENS } from './screens.js';
import { SessionGate } from './session/session-gate.js';

/** Everything: signed in or not, then the screen of the address. */
export function App() {
  return (
    <SessionGate>
      <Shell>
        <ErrorBoundary>
          <Suspense fallback={<Loading what="the screen" />}>
            <Switch>
              <Route path="/">
                <Redirect to={HOME} replace />
              </Route>
              {SCREENS.map(({ path, Screen }) => (
                <Route key={path} path={path} component={Screen} />
              ))}
              <Route>
                <NotFound />
              </Route>
            </Switch>
          </Suspense>
        </ErrorBoundary>
      </Shell>
    </SessionGate>
  );
}
