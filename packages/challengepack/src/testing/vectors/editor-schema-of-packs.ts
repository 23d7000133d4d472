import type { VectorDriver } from '@agentclash/testkit/vectors';
import { parse } from 'yaml';
import type { JsonValue } from '../../json.js';
import { readPack } from '../../read/read-pack.js';
import { expectConforming } from '../conformance.js';
import { type Patch, patched } from './patch.js';

/** A pack that reads without any problem, and needs no trimming, conforms to the editor schema. */
export const driver: VectorDriver<{ id: string; patch?: Patch[] }> = {
  run({ patch = [] }, { base }) {
    const text = patched(String(base), patch);
    const { valid, problems } = readPack(text);
    if (!valid || problems.length > 0) return;
    const document = parse(text, { merge: true }) as JsonValue;
    if (!needsTrimming(document)) expectConforming(document);
  },
};

function needsTrimming(value: JsonValue): boolean {
  if (typeof value === 'string') return /^\s|\s$/.test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(needsTrimming);
}
