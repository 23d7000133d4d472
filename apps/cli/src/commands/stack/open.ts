import { spawn } from 'node:child_process';
import { type Client, createClient, routes, SESSION_HOURS_MAX } from '@agentclash/api';
import { CommandError } from '../../command-error.js';
import { environment } from '../../config.js';
import { getRun } from '../../lookup/runs.js';
import { isLoopbackHost } from '../../session/loopback-host.js';
import type { Session } from '../../session/session.js';
import { publicUrlOf, webAddress } from './web-address.js';

interface Input {
  run?: string;
  print?: boolean;
}

/** Opens the web app, signed in; on a machine without a browser the link is what is wanted. */
export async function openWebApp(session: Session, { run: reference, print }: Input): Promise<undefined> {
  const { out } = session;
  const client = await session.client();
  const { apiUrl } = await session.settings();
  if (apiUrl === undefined) throw new CommandError('unavailable', 'No server is configured');
  const path = reference === undefined ? '/' : `/runs/${(await getRun(client, reference)).id}`;
  const url = await signInLink(client, await webAddress(apiUrl), path);
  out.result({ url }, () => url);
  const isShown = !print && session.canPrompt && environment.hasDisplay && (await openBrowser(url));
  out.note(
    out.paint.dim(
      isShown
        ? 'Opened in the browser.'
        : 'The link signs one browser in, once, within 10 minutes; it also works from another machine that reaches this address.',
    ),
  );
}

const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** True when a program for links was started. */
export function openBrowser(url: string): Promise<boolean> {
  const [program, ...words] = OPENERS[process.platform] ?? ['xdg-open'];
  return new Promise((resolve) => {
    const child = spawn(program, [...words, url], { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}

/** How long a browser stays signed in: on one's own machine longer than through a network. */
const HOURS_ELSEWHERE = 12;

/** A link that signs one browser in, once, within ten minutes. The code is in a part that browsers do not send. */
export async function signInLink(client: Client, baseUrl: string, path = '/'): Promise<string> {
  const url = new URL(path, baseUrl);
  const hours = isLoopbackHost(url.hostname) ? SESSION_HOURS_MAX : HOURS_ELSEWHERE;
  const { code } = await client.call(routes.sessions.createCode, { body: { session_hours: hours } });
  url.hash = `code=${code}`;
  return url.href;
}

/** On a line of its own, so that a terminal recognises the link. */
export function signInLine(link: string): string {
  return `Sign in: ${link}`;
}

/** Of the embedded stack on this folder; undefined where its credentials are unreadable to us, or it does not respond. */
export async function ownSignInLink(folder: string, baseUrl: string): Promise<string | undefined> {
  const { loadCredentials, openLayout } = await import('@agentclash/local-stack');
  try {
    const { adminToken } = await loadCredentials(await openLayout(folder), false);
    const client = createClient({ baseUrl, token: adminToken });
    return await signInLink(client, (await publicUrlOf(folder)) ?? baseUrl);
  } catch {
    return undefined;
  }
}
