import type { Session } from '../../session/session.js';
import { problemLines } from '../../yaml/problem-line.js';
import { readSource, sourceName } from '../../yaml/read-source.js';
import { limitHeapGrowth } from './heap-growth.js';

type Pack = import('@agentclash/challengepack').Pack;
type PackSummary = import('@agentclash/challengepack').PackSummary;
type Problem = import('@agentclash/challengepack').Problem;
type RowCase = import('@agentclash/local-attempts').RowCase;

/** A valid pack of this machine, with the cases of its data files. */
export interface ReadPack {
  pack: Pack;
  problems: readonly Problem[];
  rows: RowCase[];
  digest: string;
  summary: PackSummary;
}

/** Reads a pack and the data files beside it. Where it is not valid, its problems are printed, and nothing else returned. */
export async function readLocalPack(
  { out }: Session,
  file: string,
): Promise<ReadPack | Pick<ReadPack, 'problems'>> {
  const source = await readSource(file);
  const [{ openPack }, { RowCase, RowDocuments }, { packFolder, readDataFiles }] = await Promise.all([
    import('@agentclash/challengepack'),
    import('@agentclash/local-attempts'),
    import('./pack-folder.js'),
  ]);
  const opened = openPack(source, { pinsImages: true, ...packFolder(file) });
  const rows: ReadPack['rows'] = [];
  const documents = new RowDocuments();
  // There may be hundreds of thousands of them.
  if (opened.files.length > 0) limitHeapGrowth();
  await readDataFiles(file, opened, (inputSetKey, cases) => {
    for (const each of cases) rows.push(new RowCase(inputSetKey, each, documents));
  });
  const { valid, problems, pack, summary } = opened.end();
  if (!valid) {
    out.result({ valid: false, errors: problems }, () =>
      problemLines({ name: sourceName(file), text: new TextDecoder().decode(source) }, problems, out.paint),
    );
    return { problems };
  }
  return { pack, problems, rows, digest: summary.digest ?? '', summary };
}
