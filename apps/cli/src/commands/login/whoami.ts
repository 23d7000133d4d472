import { routes, type Whoami } from '@agentclash/api';
import type { Session } from '../../session/session.js';
import { moment } from '../../terminal/figures.js';
import { facts } from '../../terminal/table.js';

interface Identity {
  url: string;
  identity: Whoami;
  /** Where the token was given: a file's path, `environment`, `options`. */
  origin: string;
}

/** The server, workspace and role of the token that commands use, and where it was given. */
export async function whoami(session: Session): Promise<undefined> {
  const { out } = session;
  const identity = await (await session.client()).call(routes.workspaces.whoami);
  const { apiUrl, token, workspace } = await session.settings();
  const url = apiUrl?.value ?? '';
  const origin = token?.origin ?? '';
  const document = {
    api_url: url,
    ...identity,
    origins: { api_url: apiUrl?.origin, token: token?.origin, workspace: workspace?.origin ?? null },
  };
  out.result(document, () => identityLines({ url, identity, origin }, out.paint.dim));
}

/** One line per fact. */
export function identityLines(
  { url, identity: { workspace, role, token, memberships = [] }, origin }: Identity,
  heading: (text: string) => string,
): string {
  return facts(
    [
      ['server', url],
      ['workspace', workspace?.slug],
      ['role', role],
      ...memberships.map((each) => ['member of', `${each.workspace.slug} (${each.role})`] as const),
      ['token', token.name],
      ['expires', token.expires_at === null ? 'never' : moment(token.expires_at)],
      ['given by', origin],
    ],
    heading,
  );
}
