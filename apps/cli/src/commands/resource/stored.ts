import type { Client } from '@agentclash/api';
import type { ListFilter } from '../../resources/kind.js';
import { isLocal, type KindName } from '../../resources/kind-names.js';
import { KINDS } from '../../resources/kinds.js';
import { isConfirmed } from '../../session/confirmed.js';
import type { CommandRun, Session } from '../../session/session.js';
import { moment } from '../../terminal/figures.js';
import { printTable } from '../../terminal/print-table.js';
import { oneLine, printable } from '../../terminal/printable.js';
import { facts } from '../../terminal/table.js';

export function listOf(kind: KindName): CommandRun<ListFilter> {
  return async (session, { status }) => {
    const { listAll, listing } = KINDS[kind];
    const items = await listAll(await session.client(), status && { status });
    printTable(session.out, items, listing(session.out.paint));
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

/** Deletes a resource that nothing uses, and that its file makes again. */
export function deleteOf(kind: KindName): CommandRun<{ name: string }> {
  return async (session, { name: reference }) => {
    const { get, remove } = KINDS[kind];
    const client = await session.client();
    const { id, name } = await get(client, reference);
    await remove(client, id);
    session.out.result({ id, name, deleted: true }, () => `${name} is deleted`);
    return undefined;
  };
}

/** Cannot be undone. Runs name a deployment for as long as they are kept, so that it is not deleted. */
export async function archiveDeployment(
  session: Session,
  { name: reference, yes }: { name: string; yes?: boolean },
): Promise<undefined> {
  const { get, remove } = KINDS.deployment;
  const client = await session.client();
  const { id, name } = await get(client, reference);
  const confirmed = await isConfirmed(session, {
    yes,
    warning: `Archiving the deployment ${name} cannot be undone: it starts no runs any more`,
    question: `Archive the deployment ${name} for good? It starts no runs any more`,
    hint: `agentclash deployment archive ${name} --yes`,
  });
  if (!confirmed) {
    session.out.result({ id, name, archived: false }, () => `${name} is kept`);
    return;
  }
  await remove(client, id);
  session.out.result({ id, name, status: 'archived' }, () => `${name} is archived`);
}

/** The schema that editors complete and check deployment files with. */
export async function printDeploymentSchema(session: Session): Promise<undefined> {
  const { deploymentFileSchema } = await import('../../deployment-file/editor-schema.js');
  const schema = deploymentFileSchema();
  session.out.result(schema, () => JSON.stringify(schema, null, 1));
}
