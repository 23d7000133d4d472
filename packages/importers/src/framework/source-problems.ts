import type { Problem } from '@agentclash/challengepack';
import { parse } from 'yaml';
import type { ImportLocation, ImportProblem } from './import-error.js';
import type { ImportSource } from './import-source.js';
import { PACK_FILE, type PackFiles } from './importer.js';

/** Where cases and challenges of a pack come from, by their keys. */
export type Origins = Map<string, ImportLocation>;

interface Written {
  files: PackFiles;
  origins: Origins;
  source: ImportSource;
}

/** The parts of a pack that problems are located in; every member may be missing in a pack with problems. */
interface PackParts {
  challenges?: { key?: string }[];
  input_sets?: { cases?: { case_key?: string }[]; cases_from?: { path?: string } }[];
}

/** The problems of a pack that is not written, in the source: there is no other file that their reader could open. */
export function sourceProblems(problems: readonly Problem[], written: Written): ImportProblem[] {
  const text = written.files.get(PACK_FILE);
  const parts = (typeof text === 'string' ? parse(text) : {}) as PackParts;
  return problems.map((problem) => {
    const origin = originOf(problem, parts, written);
    const { field } = problem;
    const message = withoutLocation(problem);
    if (origin?.row !== undefined && problem.row !== undefined) return { ...origin, message };
    const at = field === '' ? 'the pack' : `${field} of the pack`;
    const { entry, name } = written.source;
    return { ...(origin ?? { file: entry ?? name }), message: `${at}: ${message}` };
  });
}

/** The message of a row begins with the row and the column. */
function withoutLocation({ message, row, column_name }: Problem): string {
  const column = column_name === undefined ? '' : `, column ${column_name}`;
  const location = `row ${row}${column}: `;
  return message.startsWith(location) ? message.slice(location.length) : message;
}

const LOCATION = /^(?:challenges\[(\d+)\]|input_sets\[(\d+)\]\.(?:cases\[(\d+)\]|cases_from))/;

function originOf(
  { field, row, column_name }: Problem,
  { challenges, input_sets }: PackParts,
  { files, origins, source }: Written,
): ImportLocation | undefined {
  const [, challenge, set, index] = LOCATION.exec(field) ?? [];
  if (challenge !== undefined) return origins.get(challenges?.[Number(challenge)]?.key ?? '');
  if (set === undefined) return undefined;
  const { cases, cases_from } = input_sets?.[Number(set)] ?? {};
  if (index !== undefined) return origins.get(cases?.[Number(index)]?.case_key ?? '');
  if (row === undefined) return undefined;
  const path = cases_from?.path ?? '';
  const data = files.get(path);
  // An importer writes one case a line; any other data file is a copy of the source.
  if (typeof data === 'string') return origins.get(caseKeyOf(data.split('\n')[row - 1] ?? ''));
  const file = source.entry ?? path;
  return { file, row, ...(column_name !== undefined && { field: column_name }) };
}

function caseKeyOf(line: string): string {
  try {
    return String((JSON.parse(line) as { case_key?: unknown }).case_key);
  } catch {
    return '';
  }
}
