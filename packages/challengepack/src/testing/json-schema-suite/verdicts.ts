import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readJsonSchema } from '../../json-schema/json-schema.js';
import { readJson } from '../../values/exact-json.js';
import { isExactObject } from '../../values/exact-number.js';

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

/** Schemas of one file of the suite, each with values that it accepts or does not. */
interface SuiteGroup {
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly {
    readonly description: string;
    readonly data: unknown;
    readonly valid: boolean;
  }[];
}

/** The files of the suite by path, such as `draft7/optional/bignum.json`; numbers keep their exact value. */
function readSuite(): ReadonlyMap<string, readonly SuiteGroup[]> {
  const packed = readFileSync(path.join(import.meta.dirname, 'suite.json.gz'));
  const reading = readJson(gunzipSync(packed).toString('utf8'));
  if (!reading.ok) throw new Error('the suite is no JSON');
  return new Map(Object.entries(reading.value as Record<string, readonly SuiteGroup[]>));
}
