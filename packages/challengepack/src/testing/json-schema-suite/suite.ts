import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readJson } from '../../expected/exact-json.js';

/** Schemas of one file of the suite, each with values that it accepts or does not. */
export interface SuiteGroup {
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly {
    readonly description: string;
    readonly data: unknown;
    readonly valid: boolean;
  }[];
}

/** The files of the suite by path, such as `draft7/optional/bignum.json`; numbers keep their exact value. */
export function readSuite(): ReadonlyMap<string, readonly SuiteGroup[]> {
  const packed = readFileSync(path.join(import.meta.dirname, 'suite.json.gz'));
  const reading = readJson(gunzipSync(packed).toString('utf8'));
  if (!reading.ok) throw new Error('the suite is no JSON');
  return new Map(Object.entries(reading.value as Record<string, readonly SuiteGroup[]>));
}
