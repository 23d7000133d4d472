import type { InputSet } from '@agentclash/api';
import { CommandError } from '../../command-error.js';
import { getPack, inputSetsOf, versionOf } from '../../lookup/packs.js';
import type { Session } from '../../session.js';
import { moment } from '../../terminal/figures.js';
import { facts, table } from '../../terminal/table.js';

interface Input {
  slug: string;
  packVersion?: number;
}

/** The descriptions of those that have one, each in one line. */
function descriptions(sets: readonly InputSet[], heading: (text: string) => string): string[] {
  const described = sets.flatMap(({ key, description }) =>
    description === null ? [] : [[key, description.replace(/\s+/g, ' ').trim()] as const],
  );
  return described.length === 0 ? [] : ['', facts(described, heading)];
}

export async function run(session: Session, { slug, packVersion }: Input): Promise<undefined> {
  const { out } = session;
  const client = await session.client();
  const pack = await getPack(client, slug);
  const newest = pack.versions.reduce<number | undefined>(
    (most, { version_number: number }) => (most === undefined || number > most ? number : most),
    undefined,
  );
  if (newest === undefined) throw new CommandError('not_found', `The pack ${pack.slug} has no version`);
  const version = versionOf(pack, packVersion ?? newest);
  const inputSets = await inputSetsOf(client, version.id);
  const heading = out.paint.dim;
  out.result({ ...pack, version: { ...version, input_sets: inputSets } }, () =>
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
        ],
        heading,
      ),
      '',
      table(
        inputSets,
        [
          { title: 'INPUT SET', value: ({ key }) => key },
          { title: 'CASES', value: ({ case_count: cases }) => String(cases), align: 'right' },
          { title: 'CHALLENGE', value: ({ challenge_key: challenge }) => challenge },
          { title: 'NAME', value: ({ name }) => name, cutTo: 40 },
          { title: 'ID', value: ({ id }) => id },
        ],
        { heading, empty: 'No input sets: it cannot run.' },
      ),
      ...descriptions(inputSets, heading),
      '',
      table(
        pack.versions,
        [
          { title: 'VERSION', value: ({ version_number: number }) => String(number), align: 'right' },
          { title: 'STATUS', value: ({ lifecycle_status: status }) => status },
          { title: 'CASES', value: ({ summary }) => String(summary.cases ?? '-'), align: 'right' },
          { title: 'PUBLISHED', value: ({ published_at: at }) => moment(at) },
          { title: 'ID', value: ({ id }) => id },
        ],
        { heading },
      ),
    ].join('\n'),
  );
}
