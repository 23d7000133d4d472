import type { Client } from '@agentclash/api';
import type { ListFilter } from '../../resources/kind.js';
import { isLocal, type KindName } from '../../resources/kind-names.js';
import { KINDS } from '../../resources/kinds.js';
import type { CommandRun, Session } from '../../session/session.js';
import { moment } from '../../terminal/figures.js';
import { oneLine, printable } from '../../terminal/printable.js';
import { facts } from '../../terminal/table.js';

export function listOf(kind: KindName): CommandRun<ListFilter> {
  return async (session, { status }) => {
    const { listAll, table } = KINDS[kind];
    const items = await listAll(await session.client(), status && { status });
    session.out.result({ items }, () => table(items, session.out));
    return undefined;
  };
}

export function showOf(kind: KindName): CommandRun<{ name: string }> {
  return (session, { name }) => show(session, kind, name);
}

/** Single values side by side, then what is nested as JSON, then what the kind shows as sentences. */
async function show(session: Session, kind: KindName, reference: string): Promise<undefined> {
  const { out } = session;
  const client = await session.client();
  const resource = await KINDS[kind].show(client, reference);
  const { view } = KINDS[kind];
  const shown = Object.entries(await withNames(client, kind, resource)).filter(
    ([key]) => !view?.members.includes(key),
  );
  out.result(resource, () =>
    [
      facts(
        shown.flatMap(([key, value]) =>
          isNested(value) ? [] : [[wordsOf(key), textOf(key, value)] as const],
        ),
        out.paint.dim,
        out.width,
      ),
      ...shown.flatMap(([key, value]) =>
        isNested(value) ? [out.paint.dim(wordsOf(key)), printable(JSON.stringify(value, null, 2))] : [],
      ),
      ...(view === undefined
        ? []
        : [out.paint.dim(view.title), ...view.lines(resource).map((line) => `  ${oneLine(line)}`)]),
    ].join('\n'),
  );
  return undefined;
}

/** The resource as its author would write it: with the names of what it refers to by id. */
async function withNames(client: Client, kind: KindName, resource: object): Promise<object> {
  const shown = new Map<string, unknown>(Object.entries(resource));
  for (const { member, written, to } of KINDS[kind].links) {
    const id = member === undefined ? undefined : shown.get(member);
    if (member === undefined || isLocal(to) || typeof id !== 'string') continue;
    shown.delete(member);
    shown.set(written, (await KINDS[to].get(client, id)).name);
  }
  return Object.fromEntries(shown);
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function wordsOf(key: string): string {
  return key.replace(/_at$/, '').replaceAll('_', ' ');
}

function textOf(key: string, value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  return key.endsWith('_at') ? moment(String(value)) : String(value);
}

export function deleteOf(kind: KindName): CommandRun<{ name: string }> {
  return async (session, { name: reference }) => {
    const { get, remove } = KINDS[kind];
    const client = await session.client();
    const { id, name } = await get(client, reference);
    await remove(client, id);
    // Runs name deployments for as long as they are kept.
    const [fact, word] =
      kind === 'deployment' ? [{ status: 'archived' }, 'archived'] : [{ deleted: true }, 'deleted'];
    session.out.result({ id, name, ...fact }, () => `${name} is ${word}`);
    return undefined;
  };
}

/** The schema that editors complete and check deployment files with. */
export async function printDeploymentSchema(session: Session): Promise<undefined> {
  const { deploymentFileSchema } = await import('../../deployment-file/editor-schema.js');
  const schema = deploymentFileSchema();
  session.out.result(schema, () => JSON.stringify(schema, null, 1));
}
