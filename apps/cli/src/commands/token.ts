import { ApiError, type Client, routes, type Token } from '@agentclash/api';
import { CommandError } from '../command-error.js';
import { allPages, PAGE_SIZE } from '../lookup/all-pages.js';
import { isId, matchIdPart, notFound } from '../lookup/id-part.js';
import { isConfirmed } from '../session/confirmed.js';
import type { Session } from '../session/session.js';
import { moment } from '../terminal/figures.js';
import { printTable } from '../terminal/print-table.js';
import { idColumn, timeColumn } from '../terminal/table.js';

interface Input {
  name: string;
  role: Token['role'];
  expires?: string;
}

/** The token alone goes to stdout, so that it can be piped to where it belongs. */
export async function createToken(session: Session, { name, role, expires }: Input): Promise<undefined> {
  const { out } = session;
  const expires_at = expires === undefined ? undefined : expiryOf(expires, Date.now());
  const made = await (await session.tokensClient()).call(routes.tokens.create, {
    body: { name, role, expires_at },
  });
  out.result(made, () => made.token);
  out.note(`Created token ${name} (${role}). Its value is shown this once.`);
}

export async function listAccessTokens(session: Session): Promise<undefined> {
  const { out } = session;
  const items = await listTokens(await session.tokensClient());
  printTable(out, items, {
    columns: [
      { title: 'TOKEN', value: ({ name }) => name, style: out.paint.bold, cutTo: 16 },
      { title: 'ROLE', value: ({ role }) => role },
      timeColumn('CREATED', ({ created_at: at }) => at, { leaveOut: 2 }),
      { title: 'BY', value: ({ created_by: by }) => by, cutTo: 10, leaveOut: 1 },
      { title: 'EXPIRES', value: ({ expires_at: at }) => (at === null ? 'never' : moment(at)) },
      timeColumn('LAST USED', ({ last_used_at: at }) => at, { leaveOut: 3 }),
      idColumn('ID', ({ id }) => id),
    ],
  });
}

interface RevokeInput {
  token: string;
  yes?: boolean;
}

/** The token of these commands is revoked after a confirmation; the server keeps the last one of an admin. */
export async function revokeToken(
  session: Session,
  { token: reference, yes }: RevokeInput,
): Promise<undefined> {
  const { out } = session;
  const client = await session.tokensClient();
  const tokens = await listTokens(client);
  const { id, name } = await tokenOf(tokens, reference);
  const isOwn = id === (await ownTokenId(session));
  if (isOwn) {
    const warning = `Revoking the token ${name} can lock you out: commands here use it`;
    const confirmed = await isConfirmed(session, {
      yes,
      warning,
      question: `${warning}. Revoke it?`,
      hint: `Make another one before: agentclash token create <name> --role admin. To revoke it all the same: agentclash token revoke ${id} --yes`,
    });
    if (!confirmed) {
      out.result({ id, revoked: false }, () => `${reference} is kept`);
      return;
    }
  }
  await client.call(routes.tokens.revoke, { params: { token_id: id } });
  out.result({ id, revoked: true }, () => `${reference} is revoked`);
  if (isOwn) {
    out.note(
      'Commands here need another token: AGENTCLASH_TOKEN, or agentclash up, which makes one for the stack of this machine.',
    );
  }
}

async function tokenOf(tokens: readonly Token[], reference: string): Promise<Pick<Token, 'id' | 'name'>> {
  const [found, ...others] = tokens.filter(({ id, name }) => name === reference || id === reference);
  if (found === undefined) {
    const byPart = matchIdPart(tokens, reference, 'token');
    if (byPart !== undefined) return byPart;
    // The server decides about an id that the list does not have.
    if (isId(reference)) return { id: reference, name: reference };
    throw await notFound(
      'token',
      reference,
      tokens.map((token) => token.name),
    );
  }
  if (others.length === 0) return found;
  throw new CommandError('usage', `Several tokens are called ${reference}: give the id`, {
    choices: [found, ...others].map((token) => `${token.id}  ${token.created_at}`),
  });
}

/** Of the token that commands use here; undefined where there is none, or none that the server accepts. */
async function ownTokenId(session: Session): Promise<string | undefined> {
  try {
    const { token } = await (await session.client()).call(routes.workspaces.whoami, {});
    return token.id ?? undefined;
  } catch (error) {
    if (error instanceof CommandError || (error instanceof ApiError && error.status === UNAUTHORIZED)) {
      return undefined;
    }
    throw error;
  }
}

const UNAUTHORIZED = 401;

const UNIT_MS = { h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** The moment meant by a date, a time, or a span from now such as `30d`; RFC 3339, UTC. */
export function expiryOf(text: string, nowMs: number): string {
  const [, amount, unit] = /^(\d{1,6})([hdw])$/.exec(text) ?? [];
  const ms =
    amount === undefined ? Date.parse(text) : nowMs + Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS];
  if (!Number.isFinite(ms)) {
    throw new CommandError('usage', `Invalid time "${text}"`, {
      hint: 'A date (2030-01-31), a time (RFC 3339), or a span: 12h, 30d, 8w.',
    });
  }
  if (ms <= nowMs) throw new CommandError('usage', `"${text}" has passed`);
  return new Date(ms).toISOString();
}

export function listTokens(client: Client): Promise<Token[]> {
  return allPages((cursor) => client.call(routes.tokens.list, { query: { limit: PAGE_SIZE, cursor } }));
}
