import { spawn } from 'node:child_process';
import { CommandError } from '../command-error.js';
import { environment } from '../config.js';
import { getRun } from '../lookup/runs.js';
import type { Session } from '../session.js';
import { signInLink } from './stack/sign-in-link.js';

interface Input {
  run?: string;
  print?: boolean;
}

/** Opens the web app, signed in; on a machine without a browser the link is what is wanted. */
export async function run(session: Session, { run: reference, print }: Input): Promise<undefined> {
  const { out } = session;
  const client = await session.client();
  const { apiUrl } = await session.settings();
  if (apiUrl === undefined) throw new CommandError('unavailable', 'No server is configured');
  const path = reference === undefined ? '/' : `/runs/${(await getRun(client, reference)).id}`;
  const url = await signInLink(client, apiUrl.value, path);
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

function openBrowser(url: string): Promise<boolean> {
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
