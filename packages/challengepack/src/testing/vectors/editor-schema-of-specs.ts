import type { VectorDriver } from '@agentclash/testkit/vectors';
import { parse } from 'yaml';
import type { JsonObject, JsonValue } from '../../json.js';
import { expectConforming } from '../conformance.js';
import { EXAMPLE } from '../example-pack.js';
import { applyOperation, type Operation } from '../json-patch.js';

interface Vector {
  id: string;
  patch: Operation[];
  want: { valid: boolean; warnings: unknown[] };
}

/** A spec without any problem conforms to the editor schema, as a part of a pack. */
export const driver: VectorDriver<Vector> = {
  run({ patch, want }, document) {
    if (!want.valid || want.warnings.length > 0) return;
    const spec = structuredClone(document.base) as JsonValue;
    for (const operation of patch) applyOperation(operation, spec);
    const pack = parse(EXAMPLE) as JsonObject;
    expectConforming({ ...pack, version: { number: 1, evaluation_spec: spec } });
  },
};
