import { type ResponseOutput, routes, type SecretMetadata, SecretValue } from '@agentclash/api';
import { CommandError } from '../command-error.js';
import { allPages, PAGE_SIZE } from '../lookup/all-pages.js';
import { isConfirmed } from '../session/confirmed.js';
import type { Session } from '../session/session.js';
import { printTable } from '../terminal/print-table.js';
import { readHidden } from '../terminal/read-stdin.js';
import { timeColumn } from '../terminal/table.js';

export async function listSecrets(session: Session): Promise<undefined> {
  const { out } = session;
  const { items } = await (await session.client()).call(routes.secrets.list);
  for (const secret of items) {
    const warning = bindingWarning(secret);
    if (warning !== undefined) out.warn(warning);
  }
  printTable(out, items, {
    columns: [
      { title: 'KEY', value: ({ key }) => key, style: out.paint.bold, cutTo: 20 },
      { title: 'GOES TO', value: goesTo, cutTo: 20 },
      { title: 'VERSION', value: ({ version }) => String(version), align: 'right', leaveOut: 2 },
      timeColumn('UPDATED', ({ updated_at: at }) => at, { leaveOut: 4 }),
      { title: 'BY', value: ({ updated_by: by }) => by, cutTo: 10, leaveOut: 1 },
      timeColumn('LAST USED', ({ last_used_at: at }) => at, { leaveOut: 3 }),
    ],
    empty: 'No secrets. agentclash secret set <KEY> --host <origin>',
  });
}

function goesTo({ hosts, binding }: SecretMetadata): string {
  if (hosts.length > 0)
    return binding === 'host' ? `${hosts.join(', ')} (any scheme and port)` : hosts.join(', ');
  return binding === 'any' ? 'any' : 'any (unbound)';
}

function bindingWarning({ key, hosts, binding }: SecretMetadata): string | undefined {
  if (binding === 'any' || binding === 'origin') return undefined;
  if (hosts.length > 0) {
    return `${key} is bound to hosts of any scheme and port. Set it again with --host: then a host is https on port 443.`;
  }
  return `${key} is unbound: any pack or deployment may send it anywhere. Set it again with --host, or with --any.`;
}

interface Input {
  key: string;
  value?: string;
  host?: string[];
  any?: boolean;
}

/** The value is never an argument by itself, is never shown, and is no part of any message. */
export async function setSecret(
  session: Session,
  { key, value, host, any = false }: Input,
): Promise<undefined> {
  if (any === (host !== undefined)) throw bindingNeeded(key, any);
  if (host?.some((origin) => origin.toLowerCase() === 'any')) throw anyIsNoHost();
  const given = value ?? (await readHidden(session, { what: key, hint: 'Pipe it in, or give --value.' }));
  const body = { value: given, ...(host === undefined ? { any: true as const } : { hosts: host }) };
  const checked = SecretValue.safeParse(body);
  if (!checked.success) {
    const choices = checked.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new CommandError('usage', `${key} was not set`, { choices, hint: BINDINGS });
  }
  const client = await session.client();
  await client.call(routes.secrets.set, { params: { key }, body });
  session.out.result({ key, hosts: host ?? [], binding: any ? 'any' : 'origin' }, () => {
    const bound = host === undefined ? 'wherever a pack or a deployment sends it' : `${host.join(', ')} only`;
    return `${key} is set, for ${bound}`;
  });
}

const BINDINGS =
  'Give --host api.example.com (https, port 443) or --host http://127.0.0.1:8080, or --any: wherever a pack or a deployment sends it.';

function bindingNeeded(key: string, isBoth: boolean): CommandError {
  const summary = isBoth ? '--host and --any contradict each other' : `${key} needs --host or --any`;
  return new CommandError('usage', summary, {
    hint: BINDINGS,
  });
}

function anyIsNoHost(): CommandError {
  return new CommandError('usage', '--host takes origins, and any is none', {
    hint: 'Give --any to let the value go wherever a pack or a deployment sends it, or --host https://any for a host of that name.',
  });
}

export async function deleteSecret(
  session: Session,
  { key, yes }: { key: string; yes?: boolean },
): Promise<undefined> {
  const { out } = session;
  const confirmed = await isConfirmed(session, {
    yes,
    warning: `Deleting the secret ${key} cannot be undone: its value is nowhere else, and runs that need it fail`,
    question: `Delete the secret ${key} for good? Runs that need it fail`,
    hint: `agentclash secret delete ${key} --yes`,
  });
  if (!confirmed) {
    out.result({ key, deleted: false }, () => `${key} is kept`);
    return;
  }
  await (await session.client()).call(routes.secrets.remove, { params: { key } });
  out.result({ key, deleted: true }, () => `${key} is deleted`);
}

type Entry = ResponseOutput<typeof routes.secrets.audit>['items'][number];

export async function auditSecrets(
  session: Session,
  { key, limit }: { key?: string; limit: number },
): Promise<undefined> {
  const { out } = session;
  const client = await session.client();
  const items = await allPages(
    (cursor) =>
      client.call(routes.secrets.audit, { query: { key, limit: Math.min(limit, PAGE_SIZE), cursor } }),
    limit,
  );
  printTable(out, items, {
    columns: [
      timeColumn('WHEN', ({ at }) => at),
      { title: 'KEY', value: (entry) => entry.key, style: out.paint.bold, cutTo: 16 },
      { title: 'ACTION', value: ({ action }) => action },
      { title: 'VERSION', value: ({ version }) => String(version ?? '-'), align: 'right', leaveOut: 1 },
      { title: 'BY', value: ({ actor }) => actor, cutTo: 10 },
      { title: 'FOR', value: forWhat, cutTo: 14 },
    ],
    empty: 'Nothing is on record.',
  });
}

function forWhat({ attempt_id, delivery }: Entry): string {
  return attempt_id === null ? '' : `attempt ${attempt_id}, delivery ${delivery}`;
}
