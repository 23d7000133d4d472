import { type Client, type InputSet, type PackVersion, routes } from '@agentclash/api';
import { CommandError } from '../../command-error.js';
import { allPages, PAGE_SIZE } from '../../lookup/all-pages.js';
import { getPack, inputSetsOf, versionOf } from '../../lookup/packs.js';
import { type ImportedFile, SCORES } from './imported-file.js';

/** The version and the input set that attempts are imported for. */
export interface ImportTarget {
  version: PackVersion;
  inputSet: InputSet;
  /** In authored order. */
  caseKeys: readonly string[];
}

const NAMED_MAX = 20;

/** Names that the command line has in place of the file. */
export interface ImportChoice {
  pack?: string;
  packVersion?: number;
  inputSet?: string;
}

/** By the options, else by the file. */
export async function importTarget(
  client: Client,
  { sources }: ImportedFile,
  { pack, packVersion, inputSet }: ImportChoice,
): Promise<ImportTarget> {
  const slug = pack ?? only(sources.pack, 'pack', '--pack');
  if (slug === undefined) throw missing('pack', '--pack');
  const number = packVersion ?? only(sources.version_number, 'version', '--pack-version');
  const version = versionOf(await getPack(client, slug), number);
  if (packVersion === undefined) checkDigest(sources.version_digest, version);
  const sets = await inputSetsOf(client, version.id);
  const key = inputSet ?? only(sources.input_set, 'input set', '--input-set') ?? single(sets)?.key;
  const found = sets.find((set) => set.key === key || set.id === key);
  if (found === undefined) {
    if (key === undefined) throw missing('input set', '--input-set');
    throw new CommandError('not_found', `The version has no input set "${key}"`, {
      choices: sets.map((set) => set.key),
    });
  }
  const params = { version_id: version.id, input_set_id: found.id };
  const caseKeys = await allPages((cursor) =>
    client
      .call(routes.versions.cases, { params, query: { limit: PAGE_SIZE, cursor } })
      .then(({ items, next_cursor }) => ({ next_cursor, items: items.map(({ case_key }) => case_key) })),
  );
  return { version, inputSet: found, caseKeys };
}

/** Recorded scores are of the rules of one content. */
function checkDigest(digests: ReadonlySet<string>, { digest, slug, version_number }: PackVersion): void {
  const other = [...digests].find((each) => each !== digest);
  if (other === undefined) return;
  const message = `The file was recorded for other content (${other}) than version ${version_number} of ${slug} has here (${digest})`;
  const hint =
    '--pack-version names the version to import it for all the same; with --grade, that version grades it.';
  throw new CommandError('usage', message, { hint });
}

function only<Value>(values: ReadonlySet<Value>, what: string, option: string): Value | undefined {
  if (values.size <= 1) return [...values][0];
  throw new CommandError(
    'usage',
    `The file has attempts of more than one ${what}: ${[...values].join(', ')}`,
    {
      hint: `Split it, or choose one by ${option}.`,
    },
  );
}

function single<Value>(values: readonly Value[]): Value | undefined {
  return values.length === 1 ? values[0] : undefined;
}

function missing(what: string, option: string): CommandError {
  return new CommandError('usage', `The file does not name its ${what}`, {
    hint: `${option} names it.`,
  });
}

/** Recorded scores under keys that the pack does not have, which count for nothing, with their locations. */
export async function unknownScores(
  client: Client,
  { version }: ImportTarget,
  { scores }: ImportedFile,
): Promise<string[]> {
  if (scores.size === 0) return [];
  const manifest = await client.call(routes.versions.manifest, { params: { version_id: version.id } });
  const { resultKeysOf } = await import('@agentclash/exports');
  const keys = resultKeysOf(manifest.evaluation_spec);
  const known = new Set(SCORES.flatMap((kind) => keys[kind].map((key) => `${kind}.${key}`)));
  const unknown = [...scores].flatMap(([field, location]) => {
    return known.has(field)
      ? []
      : [`${location}: ${field}: the pack has no such key, so it counts for nothing`];
  });
  const more = unknown.length - NAMED_MAX;
  return [...unknown.slice(0, NAMED_MAX), ...(more > 0 ? [`and ${more} more such keys`] : [])];
}

/** Cases of the file that the input set does not have, which are to be left out. Fails where that is not requested. */
export function unmatchedCases(
  { inputSet, caseKeys }: ImportTarget,
  { cases }: ImportedFile,
  isSkipped: boolean,
): string[] {
  const known = new Set(caseKeys);
  const unmatched = [...cases.keys()].filter((key) => !known.has(key));
  if (unmatched.length === 0) return [];
  if (unmatched.length === cases.size) {
    throw new CommandError('usage', `The input set "${inputSet.key}" has none of the cases of the file`, {
      choices: listed(unmatched, cases),
    });
  }
  if (isSkipped) return unmatched;
  throw new CommandError('usage', `The input set "${inputSet.key}" does not have these cases of the file`, {
    choices: listed(unmatched, cases),
    hint: '--skip-unmatched leaves their attempts out.',
  });
}

function listed(keys: readonly string[], cases: ImportedFile['cases']): string[] {
  const more = keys.length - NAMED_MAX;
  const named = keys.slice(0, NAMED_MAX).map((key) => `${cases.get(key)}: ${key}`);
  return [...named, ...(more > 0 ? [`and ${more} more`] : [])];
}
