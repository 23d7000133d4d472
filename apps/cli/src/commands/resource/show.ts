import type { Client } from '@agentclash/api';
import type { KindName } from '../../resources/kind-names.js';
import { KINDS } from '../../resources/kinds.js';
import type { Session } from '../../session.js';
import { moment } from '../../terminal/figures.js';
import { oneLine, printable } from '../../terminal/printable.js';
import { facts } from '../../terminal/table.js';
import type { CommandModule } from '../../tree/act.js';

export function showOf(kind: KindName): CommandModule<{ name: string }> {
  return { run: (session, { name }) => show(session, kind, name) };
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
    if (member === undefined || to === 'file' || typeof id !== 'string') continue;
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
