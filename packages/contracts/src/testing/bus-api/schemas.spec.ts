import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { RunOrder } from '../../bus-api.js';
import { busApiSchemas, describedSubjects, SCHEMA_FILE } from './schemas.js';

interface Document {
  $defs: Record<string, object>;
}

const text = readFileSync(SCHEMA_FILE, 'utf8');
const { $defs } = JSON.parse(text) as Document;

test('the published schemas are those of the contracts', () => {
  expect(text).toBe(busApiSchemas());
});

test('every message of the bus API has a schema that compiles', () => {
  expect(Object.keys($defs)).toEqual(expect.arrayContaining(describedSubjects()));
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  for (const schema of Object.values($defs)) expect(() => ajv.compile(schema)).not.toThrow();
});

test('the schema of a request accepts and rejects the same as the orchestrator', () => {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  const check = ajv.compile($defs['job.runs.v1.request'] ?? false);
  const id = '0196a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';
  const order = { request_id: 'r-1', workspace_id: id, requested_by: 'nightly' };
  const byNames = { ...order, challenge_pack: { slug: 'p' }, deployment_names: ['a'] };
  const byIds = { ...order, challenge_pack_version_id: id, deployment_ids: [id], repetitions: 3 };
  const wrong = [
    order,
    { ...byNames, deployment_ids: [id] },
    { ...byIds, challenge_pack: { slug: 'p' } },
    { ...byNames, repetitons: 3 },
    { ...byNames, request_id: 'with blanks' },
    { ...byIds, repetitions: 0 },
  ];
  for (const [each, taken] of [
    ...[byNames, byIds].map((right) => [right, true] as const),
    ...wrong.map((order) => [order, false] as const),
  ]) {
    expect({ each, taken: check(each) }).toEqual({ each, taken });
    expect({ each, taken: RunOrder.safeParse(each).success }).toEqual({ each, taken });
  }
});
