import { ApiError, createClient, routes, type Whoami } from '@agentclash/api';
import { CommandError } from '../../command-error.js';
import { environment } from '../../config.js';
import { isLoopbackHost } from '../../session/loopback-host.js';
import type { Session } from '../../session/session.js';
import { userSettingsFile, writeUserSettings } from '../../session/write-settings.js';
import { promptLine } from '../../terminal/prompt.js';
import { readHidden } from '../../terminal/read-stdin.js';
import { identityLines } from './whoami.js';

/** Checks a token at its server and keeps both for the commands to come. Nothing is written unless the token is valid. */
export async function login(session: Session, { url: given }: { url?: string }): Promise<undefined> {
  const { out, options } = session;
  const url = await serverOf(session, given);
  const token = options.token ?? (await readHidden(session, TOKEN)).trim();
  if (token === '') throw new CommandError('usage', 'The token is empty', { hint: TOKEN.hint });
  const { workspace } = options;
  const identity = await identityAt(url, token, workspace);
  await writeUserSettings({ api_url: url, token, workspace });
  const shadowing = shadowingVariables();
  out.result({ api_url: url, ...identity, settings: userSettingsFile }, () =>
    identityLines({ url, identity, origin: userSettingsFile }, out.paint.dim),
  );
  if (url.startsWith('http:') && !isLoopbackHost(new URL(url).hostname)) {
    out.warn(`${url} is not encrypted: the token can be read on the way. Use https.`);
  }
  if (shadowing.length > 0)
    out.warn(`${shadowing.join(' and ')} of the environment is used instead of the file.`);
}

/** Removes the server, the token and the workspace from the user's settings file. The token stays valid. */
export async function logout(session: Session): Promise<undefined> {
  const removed = await writeUserSettings({ api_url: undefined, token: undefined, workspace: undefined });
  session.out.result({ settings: userSettingsFile, removed }, () =>
    removed
      ? `Removed server and token from ${userSettingsFile}`
      : `There is no server in ${userSettingsFile}`,
  );
  if (removed) session.out.note('The token stays valid: agentclash token revoke ends it.');
}

const TOKEN = {
  what: 'the token',
  hint: 'Pipe it in: agentclash login URL < token.txt. An admin creates one: agentclash token create.',
};

async function serverOf(session: Session, given: string | undefined): Promise<string> {
  const named = given ?? session.options.apiUrl;
  if (named === undefined && !session.canPrompt) {
    throw new CommandError('usage', 'No server is named', { hint: 'agentclash login https://clash.example' });
  }
  const text = named ?? (await promptLine(session.out, 'Address of the server'));
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new CommandError('usage', `"${text}" is not the address of a server`, {
      hint: 'It begins with https:// (or http://) and holds no user and no password.',
    });
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

async function identityAt(url: string, token: string, workspace: string | undefined): Promise<Whoami> {
  const client = createClient({ baseUrl: url, token, ...(workspace !== undefined && { workspace }) });
  try {
    return await client.call(routes.workspaces.whoami);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'unauthenticated') throw error;
    throw new CommandError('unauthorized', `The token is not valid at ${url}`, { cause: error });
  }
}

function shadowingVariables(): string[] {
  return [
    ...(environment.apiUrl === undefined ? [] : ['AGENTCLASH_API_URL']),
    ...(environment.token === undefined ? [] : ['AGENTCLASH_TOKEN']),
  ];
}
