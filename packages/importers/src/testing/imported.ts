import {
  type Case,
  compileRegex,
  manifestOf,
  type Pack,
  readPack,
  solutionOf,
} from '@agentclash/challengepack';
import { ImportError } from '../framework/import-error.js';
import type { ImportSource } from '../framework/import-source.js';
import type { ImportOptions } from '../framework/importer.js';
import { importPack } from '../import-pack.js';
import type { ImportKind } from '../importers.js';

/** An imported source with the pack that was written. */
export async function imported(kind: ImportKind, source: ImportSource, options: ImportOptions = {}) {
  const result = await importPack(kind, source, options);
  const { pack } = readPack(result.files.get('pack.yaml') ?? '', {
    fileExists: (path) => result.files.has(path),
  });
  if (pack === undefined) throw new Error('the pack is not valid');
  const cases = pack.input_sets[0]?.cases ?? [];
  const fates = result.report.items.map(({ key, fate }) => `${fate} ${key}`);
  return { ...result, pack, cases, fates };
}

/** The problems of a source that cannot be imported. */
export async function importProblems(kind: ImportKind, source: ImportSource, options: ImportOptions = {}) {
  const error = await importPack(kind, source, options).catch((caught: unknown) => caught);
  if (!(error instanceof ImportError)) throw new Error(`no import error: ${String(error)}`);
  return error.problems;
}

/** The output that the solution of each case gives; undefined for a case without a solution. */
export function solvedBy({ pack, cases }: { pack: Pack; cases: readonly Case[] }): (string | undefined)[] {
  return cases.map((each) => {
    const output = solutionOf(manifestOf(pack), each)?.answer;
    return output && 'content' in output ? output.content : undefined;
  });
}

/** True when an output passes the pattern of a case. */
export function passes(each: Case | undefined, output: string): boolean {
  const pattern = each?.expectations?.find(({ key }) => key === 'pattern')?.value;
  const regex = typeof pattern === 'string' ? compileRegex(pattern) : null;
  if (regex === null) throw new Error(`no pattern: ${String(pattern)}`);
  return regex.test(output);
}
