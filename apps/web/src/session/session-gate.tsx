import { ApiError, type Client, createClient, routes, SHARE_PATH, type Whoami } from '@agentclash/api';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import { Failure, Loading } from '../design/states.js';
import { earlyFetch } from './early-check.js';
import { openSession, signInWith } from './open-session.js';
import { inWorkspace, SessionContext } from './session.js';
import { ShareEnded } from './share-ended.js';
import { forgetShare, isShareToken, takeShare } from './share-link.js';
import { SignIn, SignInOption } from './sign-in.js';
import { isOwnMachine, takeCode } from './sign-in-code.js';
import {
  findToken,
  findWorkspace,
  forgetToken,
  onTokenChanged,
  storeToken,
  storeWorkspace,
} from './token-store.js';

type State =
  | { kind: 'signed_out'; reason?: string }
  /** The page was opened by a link to a run that is not valid. */
  | { kind: 'share_ended' }
  /** The address contains a code, which is used only after a confirmation. */
  | { kind: 'offered'; code: string }
  | { kind: 'opening'; code: string }
  | { kind: 'checking'; token: string }
  | { kind: 'failed'; token: string; error: unknown }
  | { kind: 'signed_in'; token: string; whoami: Whoami };

const EXPIRED = 'Your token is no longer valid. Sign in with another one.';

/** Renders its children for a valid session, otherwise the sign-in page. */
export function SessionGate({ children }: { children: ReactNode }) {
  const queries = useQueryClient();
  const [state, setState] = useState<State>(firstState);

  const [workspaceId, chooseWorkspace] = useState(findWorkspace);

  const signOut = useCallback(
    (reason?: string) => {
      // A session that was refused has ended already.
      if (reason === undefined) endSession();
      forgetToken();
      queries.clear();
      chooseWorkspace(null);
      setState({ kind: 'signed_out', ...(reason === undefined ? {} : { reason }) });
    },
    [queries],
  );

  const checked = state.kind === 'checking' ? state.token : null;
  useEffect(() => {
    if (checked === null) return;
    const abort = new AbortController();
    createClient({ baseUrl: location.origin, token: checked, fetch: earlyFetch(checked) })
      .call(routes.workspaces.whoami, { signal: abort.signal })
      .then((whoami) => setState({ kind: 'signed_in', token: checked, whoami }))
      .catch((error: unknown) => {
        if (abort.signal.aborted) return;
        if (isShareToken(checked) && error instanceof ApiError && error.code === 'not_found') {
          forgetShare();
          setState({ kind: 'share_ended' });
        } else if (isUnauthenticated(error)) signOut(EXPIRED);
        else setState({ kind: 'failed', token: checked, error });
      });
    return () => abort.abort();
  }, [checked, signOut]);

  const code = state.kind === 'opening' ? state.code : null;
  useEffect(() => {
    if (code === null) return;
    // Not aborted: the code can be used once, and the effect may be run twice.
    openOnce(code)
      .then(({ token }) => {
        storeToken(token, 'browser');
        setState({ kind: 'checking', token });
      })
      .catch((error: unknown) => {
        const reason = error instanceof ApiError ? error.detail : 'The server cannot be reached.';
        // A link that is opened again from the history: the browser may be signed in already.
        setState(findToken() === null ? { kind: 'signed_out', reason } : storedState());
      });
  }, [code]);

  useSignOutWhenUnauthenticated(queries, signOut);
  useOtherTabs(queries, setState);

  const session = useMemo(() => {
    if (state.kind !== 'signed_in') return null;
    const { token } = state;
    const whoami = inWorkspace(state.whoami, workspaceId);
    const enter = (id: string) => {
      queries.clear();
      storeWorkspace(id);
      chooseWorkspace(id);
    };
    return { client: clientOf(token, whoami.workspace?.id), whoami, enter, signOut: () => signOut() };
  }, [queries, state, workspaceId, signOut]);

  if (session !== null) {
    // Another workspace resets the page.
    return (
      <SessionContext key={session.whoami.workspace?.id} value={session}>
        {children}
      </SessionContext>
    );
  }
  if (state.kind === 'share_ended') return <ShareEnded />;
  if (state.kind === 'checking') return <Loading what="your workspace" />;
  if (state.kind === 'opening') return <Loading what="your session" />;
  if (state.kind === 'offered') {
    return (
      <SignInOption
        onAccept={() => setState({ kind: 'opening', code: state.code })}
        onRefuse={() => setState(storedState())}
      />
    );
  }
  if (state.kind === 'failed') {
    const retry = () => setState({ kind: 'checking', token: state.token });
    return <Failure error={state.error} onRetry={retry} />;
  }
  const enter = async (token: string, keep: boolean) => {
    const whoami = await clientOf(token).call(routes.workspaces.whoami);
    const stored = await signInWith(clientOf(token, whoami.workspace?.id), { token, whoami, keep });
    setState({ kind: 'signed_in', token: stored, whoami });
  };
  return <SignIn onToken={enter} reason={state.kind === 'signed_out' ? state.reason : undefined} />;
}

function firstState(): State {
  const isShare = location.pathname === SHARE_PATH;
  const share = takeShare();
  if (isShare) return share === null ? { kind: 'share_ended' } : { kind: 'checking', token: share };
  const code = takeCode();
  if (code === null) return storedState();
  return { kind: isOwnMachine(location.hostname) ? 'opening' : 'offered', code };
}

function storedState(): State {
  const token = findToken();
  return token === null ? { kind: 'signed_out' } : { kind: 'checking', token };
}

const opened = new Map<string, ReturnType<typeof openSession>>();

/** Returns the same session for repeated calls with one code. */
function openOnce(code: string): ReturnType<typeof openSession> {
  const session = opened.get(code) ?? openSession(code);
  opened.set(code, session);
  return session;
}

/** Revokes the session on the server too, if it is reachable. */
function endSession(): void {
  const token = findToken();
  if (token !== null)
    void clientOf(token)
      .call(routes.sessions.close)
      .catch(() => undefined);
}

/** A sign-in or sign-out in one tab applies to all tabs. */
function useOtherTabs(queries: QueryClient, setState: (change: (state: State) => State) => void): void {
  useEffect(
    () =>
      onTokenChanged((token) => {
        queries.clear();
        setState((state) => {
          if (token === null) return state.kind === 'signed_in' ? { kind: 'signed_out' } : state;
          return { kind: 'checking', token };
        });
      }),
    [queries, setState],
  );
}

function clientOf(token: string, workspace?: string): Client {
  return createClient({ baseUrl: location.origin, token, ...(workspace === undefined ? {} : { workspace }) });
}

/** A response of `unauthenticated` to any request ends the session. */
function useSignOutWhenUnauthenticated(queries: QueryClient, signOut: (reason: string) => void): void {
  useEffect(() => {
    const check = (error: unknown) => {
      if (isUnauthenticated(error)) signOut(EXPIRED);
    };
    const leaveQueries = queries.getQueryCache().subscribe(({ query }) => check(query.state.error));
    const leaveChanges = queries.getMutationCache().subscribe(({ mutation }) => check(mutation?.state.error));
    return () => {
      leaveQueries();
      leaveChanges();
    };
  }, [queries, signOut]);
}

function isUnauthenticated(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'unauthenticated';
}
