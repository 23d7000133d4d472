import { type ResponseOutput, routes } from '@agentclash/api';
import { CommandError } from '../command-error.js';
import type { Session } from '../session/session.js';
import { bytes } from '../terminal/figures.js';
import { printTable } from '../terminal/print-table.js';
import { idColumn, timeColumn } from '../terminal/table.js';

export async function listWorkspaces(session: Session): Promise<undefined> {
  const { out } = session;
  const { items } = await (await session.client()).call(routes.workspaces.list);
  printTable(out, items, {
    columns: [
      { title: 'WORKSPACE', value: ({ slug }) => slug, style: out.paint.bold, cutTo: 20 },
      { title: 'NAME', value: ({ name }) => name, cutTo: 16 },
      timeColumn('CREATED', ({ created_at: at }) => at),
      idColumn('ID', ({ id }) => id),
    ],
  });
}

interface Input {
  slug: string;
  name?: string;
}

export async function createWorkspace(session: Session, { slug, name }: Input): Promise<undefined> {
  const made = await (await session.operatorClient()).call(routes.workspaces.create, {
    body: { slug, name },
  });
  session.out.result(made, () => `${made.slug}  ${made.id}`);
}

type Usage = ResponseOutput<typeof routes.storage.usage>;

export async function showUsage(session: Session): Promise<undefined> {
  const usage = await (await session.client()).call(routes.storage.usage);
  session.out.result(usage, () => usageLines(usage));
}

export function usageLines(usage: Usage): string {
  const { runs, evidence_bytes, evidence_bytes_max, retention_days, retention_set_by } = usage;
  const limit = evidence_bytes_max === null ? 'no limit' : `of ${bytes(evidence_bytes_max)}`;
  const kept =
    retention_days === null
      ? 'for ever'
      : `${retention_days} ${retention_days === 1 ? 'day' : 'days'} after their end`;
  return [
    `evidence  ${bytes(evidence_bytes)} (${limit}), ${runs} ${runs === 1 ? 'run' : 'runs'}`,
    `runs are kept ${kept}, as the ${retention_set_by} has set it`,
  ].join('\n');
}

/** Sets how long runs are kept after their end. */
export async function setRetention(session: Session, { days }: { days: string }): Promise<undefined> {
  const body = settingsOf(days);
  const usage = await (await session.client()).call(routes.storage.configure, { body });
  session.out.result(usage, () => usageLines(usage));
}

function settingsOf(days: string): { retention_days: number | null | 'default' } {
  if (days === 'default') return { retention_days: 'default' };
  if (days === 'forever') return { retention_days: null };
  if (/^[1-9]\d{0,4}$/.test(days)) return { retention_days: Number(days) };
  throw new CommandError('usage', `Invalid number of days "${days}"`, {
    hint: 'Give 1 to 36500, "forever", or "default" for what the operator has set.',
  });
}
