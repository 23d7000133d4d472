import type { JsonObject, JsonValue } from '@agentclash/challengepack';
import type { PackFiles } from '../framework/importer.js';

/** A case of texts and values; all cases of a set have the same members. */
export interface RowCase {
  case_key: string;
  challenge_key: string;
  payload: Record<string, JsonValue>;
  expectations: Record<string, JsonValue>;
}

/** Characters of the cases that a document shows; a pack holds 1 MiB, and people read no more. */
const INLINE_MAX = 65_536;

/** An input set with these cases and the files that it reads: many cases are the rows of a data file. */
export function inputSetWith(
  key: string,
  cases: readonly RowCase[],
): { set: Record<string, unknown>; files: PackFiles } {
  const rows = cases.map((each) => JSON.stringify(each));
  const length = rows.reduce((sum, row) => sum + row.length, 0);
  const [first] = cases;
  if (first === undefined || length <= INLINE_MAX) {
    const inline = cases.map(({ expectations, ...each }) => ({
      ...each,
      expectations: expectationsOf(expectations),
    }));
    return { set: { key, name: 'Default', cases: inline }, files: new Map() };
  }
  const path = `data/${key}.jsonl`;
  const cases_from = {
    path,
    case_key: '{{row.case_key}}',
    challenge_key: '{{row.challenge_key}}',
    payload: templatesOf('payload', first.payload),
    expectations: expectationsOf(templatesOf('expectations', first.expectations)),
  };
  return { set: { key, name: 'Default', cases_from }, files: new Map([[path, `${rows.join('\n')}\n`]]) };
}

function expectationsOf(values: Record<string, JsonValue>) {
  return Object.entries(values).map(([key, value]) => ({ key, kind: 'text', value }));
}

function templatesOf(member: string, values: Record<string, JsonValue>): JsonObject {
  return Object.fromEntries(Object.keys(values).map((name) => [name, `{{row.${member}.${name}}}`]));
}
