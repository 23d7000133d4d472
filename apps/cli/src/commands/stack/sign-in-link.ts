import { type Client, createClient, routes, SESSION_HOURS_MAX } from '@agentclash/api';

/** How long a browser stays signed in: on one's own machine longer than through a network. */
const HOURS_ELSEWHERE = 12;

/** A link that signs one browser in, once, within ten minutes. The code is in a part that browsers do not send. */
export async function signInLink(client: Client, baseUrl: string, path = '/'): Promise<string> {
  const url = new URL(path, baseUrl);
  const hours = isLoopback(url.hostname) ? SESSION_HOURS_MAX : HOURS_ELSEWHERE;
  const { code } = await client.call(routes.sessions.createCode, { body: { session_hours: hours } });
  url.hash = `code=${code}`;
  return url.href;
}

/** Of the embedded stack on this folder; undefined where its credentials are not ours to read, or it does not answer. */
export async function ownSignInLink(folder: string, baseUrl: string): Promise<string | undefined> {
  const { loadCredentials, openLayout } = await import('@agentclash/local-stack');
  try {
    const { adminToken } = await loadCredentials(await openLayout(folder), false);
    return await signInLink(createClient({ baseUrl, token: adminToken }), baseUrl);
  } catch {
    return undefined;
  }
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
