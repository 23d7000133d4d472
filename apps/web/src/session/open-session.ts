import {
  ApiError,
  type BrowserSession,
  type Client,
  createClient,
  routes,
  type Whoami,
} from '@agentclash/api';
import { storeToken } from './token-store.js';

/** The session that a sign-in code opens. */
export async function openSession(code: string): Promise<BrowserSession> {
  return await createClient({ baseUrl: location.origin }).call(routes.sessions.open, { body: { code } });
}

const HOURS = { usual: 12, kept: 720 };

/**
 * Signs this browser in with a typed token. All tabs share a browser session, which expires; the token itself is not stored.
 * A token that cannot have a session, such as the operator's, is stored for this tab only.
 */
export async function signInWith(
  client: Client,
  { token, whoami, keep }: { token: string; whoami: Whoami; keep: boolean },
): Promise<string> {
  const session = whoami.token.id === null ? undefined : await sessionFor(client, keep);
  storeToken(session?.token ?? token, session === undefined ? 'tab' : 'browser');
  return session?.token ?? token;
}

/** Undefined where the server is of an earlier release, which has no sessions. */
async function sessionFor(client: Client, keep: boolean): Promise<BrowserSession | undefined> {
  try {
    const body = { session_hours: keep ? HOURS.kept : HOURS.usual };
    return await openSession((await client.call(routes.sessions.createCode, { body })).code);
  } catch (error) {
    if (error instanceof ApiError && (error.code === 'not_found' || error.code === 'forbidden'))
      return undefined;
    throw error;
  }
}
