import {
  auditInWords,
  type Client,
  type InputSet,
  type Pack,
  type PackVersion,
  routes,
} from '@agentclash/api';
import { type PackToolSummary, packToolsOf } from '@agentclash/domain';
import { CommandError } from '../../command-error.js';
import { getPack, inputSetsOf, listPacks, versionOf } from '../../lookup/packs.js';
import { isConfirmed } from '../../session/confirmed.js';
import type { Session } from '../../session/session.js';
import { moment } from '../../terminal/figures.js';
import type { Look } from '../../terminal/output.js';
import { printTable } from '../../terminal/print-table.js';
import { facts, idColumn, layout, table, timeColumn } from '../../terminal/table.js';

interface PackListFilter {
  family?: string;
  lifecycleStatus?: PackVersion['lifecycle_status'];
  search?: string;
}

export async function listChallengePacks(
  session: Session,
  { family, lifecycleStatus, search }: PackListFilter,
): Promise<undefined> {
  const { out } = session;
  const client = await session.client();
  const items = await listPacks(client, { family, lifecycle_status: lifecycleStatus, q: search });
  printTable(out, items, {
    columns: [
      { title: 'PACK', value: ({ slug }) => slug, style: out.paint.bold, cutTo: 20 },
      { title: 'NAME', value: ({ name }) => name, cutTo: 12 },
      { title: 'FAMILY', value: ({ family: of }) => of, cutTo: 10, leaveOut: 2 },
      { title: 'VERSIONS', value: versionList, cutTo: 10 },
      timeColumn('CREATED', ({ created_at }) => created_at, { leaveOut: 1 }),
    ],
    empty: lifecycleStatus === undefined ? NONE_RUNNABLE : NONE,
  });
}

const NONE = 'No such challenge packs.';
const NONE_RUNNABLE = `No runnable challenge packs. agentclash challenge-pack publish <file>
Retired ones: --lifecycle-status deprecated or archived`;

function versionList({ versions }: Pack): string {
  return versions
    .map(({ version_number: number, lifecycle_status: status }) =>
      status === 'runnable' ? String(number) : `${number} (${status})`,
    )
    .join(', ');
}

/** The tools that the version brings, if any. */
function toolTable(tools: readonly PackToolSummary[], look: Look): string[] {
  if (tools.length === 0) return [];
  const columns = [
    { title: 'TOOL', value: ({ name }: PackToolSummary) => name, cutTo: 24 },
    { title: 'IMPLEMENTATION', value: ({ does }: PackToolSummary) => does, cutTo: 20 },
  ];
  return ['', table(tools, columns, layout(look))];
}

interface ShownVersion {
  slug: string;
  packVersion?: number;
}

/** The descriptions of those that have one, each in one line. */
function descriptions(sets: readonly InputSet[], { paint, width }: Look): string[] {
  const described = sets.flatMap(({ key, description }) =>
    description === null ? [] : [[key, description.replace(/\s+/g, ' ').trim()] as const],
  );
  return described.length === 0 ? [] : ['', facts(described, paint.dim, width)];
}

export async function showChallengePack(
  session: Session,
  { slug, packVersion }: ShownVersion,
): Promise<undefined> {
  const { out } = session;
  const client = await session.client();
  const pack = await getPack(client, slug);
  const newest = pack.versions.reduce<number | undefined>(
    (most, { version_number: number }) => (most === undefined || number > most ? number : most),
    undefined,
  );
  if (newest === undefined) throw new CommandError('not_found', `The pack ${pack.slug} has no version`);
  const version = versionOf(pack, packVersion ?? newest);
  const [inputSets, manifest] = await Promise.all([
    inputSetsOf(client, version.id),
    client.call(routes.versions.manifest, { params: { version_id: version.id } }),
  ]);
  const tools = packToolsOf(manifest);
  const { width } = out;
  const heading = out.paint.dim;
  printTable(out, inputSets, {
    document: { ...pack, version: { ...version, input_sets: inputSets, tools } },
    columns: [
      { title: 'INPUT SET', value: ({ key }) => key, cutTo: 16 },
      { title: 'CASES', value: ({ case_count: cases }) => String(cases), align: 'right' },
      { title: 'CHALLENGE', value: challengeText, cutTo: 12 },
      { title: 'NAME', value: ({ name }) => name, cutTo: 12, leaveOut: 1 },
      idColumn('ID', ({ id }) => id),
    ],
    empty: 'No input sets: it cannot run.',
    text: (setTable) =>
      [
        out.paint.bold(`${pack.slug}  ${pack.name}`),
        facts(
          [
            ['family', pack.family],
            ['description', pack.description ?? undefined],
            ['version', `${version.version_number} (${version.lifecycle_status})`],
            ['version id', version.id],
            ['evaluation spec', version.evaluation_spec_id],
            ['execution mode', version.execution_mode],
            ['digest', version.digest],
            ['published', `${moment(version.published_at)} by ${version.published_by}`],
            ['audit', auditInWords(version.audit)],
          ],
          heading,
          width,
        ),
        '',
        setTable(),
        ...descriptions(inputSets, out),
        ...toolTable(tools, out),
        '',
        table(
          pack.versions,
          [
            { title: 'VERSION', value: ({ version_number: number }) => String(number), align: 'right' },
            { title: 'STATUS', value: ({ lifecycle_status: status }) => status },
            { title: 'CASES', value: ({ summary }) => String(summary.cases ?? '-'), align: 'right' },
            timeColumn('PUBLISHED', ({ published_at: at }) => at),
            idColumn('ID', ({ id }) => id),
          ],
          layout(out),
        ),
      ].join('\n'),
  });
}

/** The challenge of a set; of several, their number. */
function challengeText({ challenge_key: first, challenge_keys: all = [] }: InputSet): string {
  return all.length > 1 ? `${all.length} challenges` : first;
}

interface VersionReference {
  slug: string;
  packVersion: number;
}

export const deprecate = lifecycleCommand('deprecated');
export const restore = lifecycleCommand('runnable');

function lifecycleCommand(status: PackVersion['lifecycle_status']) {
  return async (session: Session, { slug, packVersion }: VersionReference): Promise<undefined> => {
    const client = await session.client();
    await setLifecycle(session, {
      client,
      version: versionOf(await getPack(client, slug), packVersion),
      status,
    });
  };
}

/** Cannot be undone. */
export async function archive(
  session: Session,
  { slug, packVersion, yes }: VersionReference & { yes?: boolean },
): Promise<undefined> {
  const client = await session.client();
  const version = versionOf(await getPack(client, slug), packVersion);
  const named = `${version.slug} version ${version.version_number}`;
  const confirmed = await isConfirmed(session, {
    yes,
    warning: `Archiving ${named} cannot be undone: it starts no runs any more`,
    question: `Archive ${named} for good? It starts no runs any more`,
    hint: `agentclash challenge-pack archive ${version.slug} --pack-version ${packVersion} --yes. What can be undone: agentclash challenge-pack deprecate`,
  });
  if (confirmed) return await setLifecycle(session, { client, version, status: 'archived' });
  session.out.result(version, () => `${named} is kept`);
}

async function setLifecycle(
  session: Session,
  to: { client: Client; version: Pick<PackVersion, 'id'>; status: PackVersion['lifecycle_status'] },
): Promise<undefined> {
  const version = await to.client.call(routes.versions.setLifecycle, {
    params: { version_id: to.version.id },
    body: { lifecycle_status: to.status },
  });
  session.out.result(
    version,
    () => `${version.slug} version ${version.version_number} is ${version.lifecycle_status}`,
  );
}
