import { isExactObject } from '../../expected/exact-number.js';
import { readJsonSchema } from '../../json-schema/json-schema.js';
import { readSuite, type SuiteGroup } from './suite.js';

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';

/** How the suite's test of one value came out. */
export interface SuiteVerdict {
  /** Such as `draft7/optional`. */
  readonly set: string;
  readonly file: string;
  readonly group: string;
  readonly test: string;
  readonly outcome: 'as_expected' | 'schema_refused' | 'false_pass' | 'false_fail';
}

/** Runs the whole suite. An exception is not caught: there must be none. */
export function runSuite(): SuiteVerdict[] {
  return [...readSuite()].flatMap(([path, groups]) => {
    const [file = '', ...folders] = path.split('/').reverse();
    const set = folders.reverse().join('/');
    return groups.flatMap((group) => verdictsOf(group, { set, file }));
  });
}

function verdictsOf(group: SuiteGroup, { set, file }: { set: string; file: string }): SuiteVerdict[] {
  const reading = readJsonSchema(set.startsWith('draft7') ? asDraft07(group.schema) : group.schema);
  return group.tests.map(({ description: test, data, valid }) => {
    const at = { set, file, group: group.description, test };
    if (!reading.ok) return { ...at, outcome: 'schema_refused' };
    const isMet = reading.schema.isMetBy(data);
    if (isMet === valid) return { ...at, outcome: 'as_expected' };
    return { ...at, outcome: isMet ? 'false_pass' : 'false_fail' };
  });
}

/** The suite's schemas of draft-07 do not name it. */
function asDraft07(schema: unknown): unknown {
  return isExactObject(schema) ? { $schema: DRAFT_07, ...schema } : schema;
}
