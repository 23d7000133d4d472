import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { manifestOf } from '../publish/manifest.js';
import { solutionOf } from '../publish/solution.js';
import { storedCases } from '../publish/stored-cases.js';
import { expectConforming } from '../testing/conformance.js';
import { readPack } from './read-pack.js';

const folder = path.resolve(import.meta.dirname, '../../../../examples/challenge-packs');
const examples = readdirSync(folder).filter((file) => file.endsWith('.yaml'));

describe('the example packs', () => {
  test.each(examples)(
    'the example pack %s reads without any problem and conforms to the editor schema it names',
    (file) => {
      const text = readFileSync(path.join(folder, file), 'utf8');
      expect(readPack(text).problems).toEqual([]);
      expectConforming(parse(text, { merge: true }));
      const [, schema = ''] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? [];
      expect(JSON.parse(readFileSync(path.resolve(folder, schema), 'utf8'))).toMatchObject({
        type: 'object',
      });
    },
  );

  test.each(examples)('every case of the example pack %s has a solution', (file) => {
    const reading = readPack(readFileSync(path.join(folder, file)));
    if (!reading.valid) throw new Error(JSON.stringify(reading.problems));
    const manifest = manifestOf(reading.pack);
    for (const { cases, cases_from } of manifest.input_sets) {
      for (const each of cases ?? []) expect(solutionOf(manifest, each)).toBeDefined();
      // Its rows are not read here.
      if (cases_from) expect(manifest.challenges.every(({ solution }) => solution !== undefined)).toBe(true);
    }
  });

  test('the incident that an LLM judges keeps its policy for the judge', () => {
    const reading = readPack(readFileSync(path.join(folder, 'incident-response-llm-judge.yaml')));
    if (!reading.valid) throw new Error(JSON.stringify(reading.problems));
    const manifest = manifestOf(reading.pack);
    expect(storedCases(manifest)).toMatchObject([{ case_key: 'ambiguous-sev1', kind: 'case_document' }]);
    expect(manifest.evaluation_spec).toMatchObject({
      llm_judges: [{ mode: 'reference', reference_from: 'case.expectations.escalation_policy' }],
    });
  });
});
