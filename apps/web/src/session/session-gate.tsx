import { ApiError, type Client, createClient, routes, type Whoami } from '@agentclash/api';
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import { queryClient } from '../data/query-client.js';
import { Failure } from '../design/failure.js';
import { Loading } from '../design/loading.js';
import { earlyFetch } from './early-check.js';
import { inWorkspace } from './in-workspace.js';
import { SessionContext } from './session.js';
import { SignIn } from './sign-in.js';
import { findToken, findWorkspace, forgetToken, storeToken, storeWorkspace } from './token-store.js';

type State =
  | { kind: 'signed_out'; reason?: string }
  | { kind: 'checking'; token: string }
  | { kind: 'failed'; token: string; error: unknown }
  | { kind: 'signed_in'; token: string; whoami: Whoami };

const EXPIRED = 'Your token is no longer valid. Sign in with another one.';

/** Shows its children to whoever has signed in; everybody else is asked for a token. */
export function SessionGate({ children }: { children: ReactNode }) {
  const [state, setState] = useState<State>(() => {
    const token = findToken();
    return token === null ? { kind: 'signed_out' } : { kind: 'checking', token };
  });

  const [workspaceId, chooseWorkspace] = useState(findWorkspace);

  const signOut = useCallback((reason?: string) => {
    forgetToken();
    queryClient.clear();
    chooseWorkspace(null);
    setState({ kind: 'signed_out', ...(reason === undefined ? {} : { reason }) });
  }, []);

  const checked = state.kind === 'checking' ? state.token : null;
  useEffect(() => {
    if (checked === null) return;
    const abort = new AbortController();
    createClient({ baseUrl: location.origin, token: checked, fetch: earlyFetch(checked) })
      .call(routes.workspaces.whoami, { signal: abort.signal })
      .then((whoami) => setState({ kind: 'signed_in', token: checked, whoami }))
      .catch((error: unknown) => {
        if (abort.signal.aborted) return;
        if (isUnauthenticated(error)) signOut(EXPIRED);
        else setState({ kind: 'failed', token: checked, error });
      });
    return () => abort.abort();
  }, [checked, signOut]);

  useSignOutOnRefusal(signOut);

  const session = useMemo(() => {
    if (state.kind !== 'signed_in') return null;
    const { token } = state;
    const whoami = inWorkspace(state.whoami, workspaceId);
    const enter = (id: string) => {
      queryClient.clear();
      storeWorkspace(id);
      chooseWorkspace(id);
    };
    return { client: clientOf(token, whoami.workspace?.id), whoami, enter, signOut: () => signOut() };
  }, [state, workspaceId, signOut]);

  if (session !== null) {
    // Another workspace is another page: nothing on it stays.
    return (
      <SessionContext key={session.whoami.workspace?.id} value={session}>
        {children}
      </SessionContext>
    );
  }
  if (state.kind === 'checking') return <Loading what="your workspace" />;
  if (state.kind === 'failed') {
    const retry = () => setState({ kind: 'checking', token: state.token });
    return <Failure error={state.error} onRetry={retry} />;
  }
  const enter = async (token: string, keep: boolean) => {
    const whoami = await clientOf(token).call(routes.workspaces.whoami);
    storeToken(token, { keep });
    setState({ kind: 'signed_in', token, whoami });
  };
  return <SignIn onToken={enter} reason={state.kind === 'signed_out' ? state.reason : undefined} />;
}

function clientOf(token: string, workspace?: string): Client {
  return createClient({ baseUrl: location.origin, token, ...(workspace === undefined ? {} : { workspace }) });
}

/** A token that was revoked, or has expired, ends the session wherever that is noticed first. */
function useSignOutOnRefusal(signOut: (reason: string) => void): void {
  useEffect(() => {
    const judge = (error: unknown) => {
      if (isUnauthenticated(error)) signOut(EXPIRED);
    };
    const leaveQueries = queryClient.getQueryCache().subscribe(({ query }) => judge(query.state.error));
    const leaveChanges = queryClient
      .getMutationCache()
      .subscribe(({ mutation }) => judge(mutation?.state.error));
    return () => {
      leaveQueries();
      leaveChanges();
    };
  }, [signOut]);
}

function isUnauthenticated(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'unauthenticated';
}
