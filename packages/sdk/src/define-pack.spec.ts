import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { canonicalJson, digestOf, manifestOf, readPack } from '@agentclash/challengepack';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parse } from 'yaml';
import { definePack, type PackDocument } from './index.js';

const examples = path.resolve(import.meta.dirname, '../../../examples/challenge-packs');
const files = readdirSync(examples).filter((name) => name.endsWith('.yaml'));

const document = (payload: Record<string, unknown>): PackDocument => ({
  pack: { slug: 'words', name: 'Words', family: 'tests' },
  version: {
    number: 1,
    execution_mode: 'prompt_eval',
    evaluation_spec: {
      name: 'words',
      version_number: 1,
      judge_mode: 'deterministic',
      validators: [
        { key: 'exact', type: 'exact_match', target: 'final_output', expected_from: 'literal:hi' },
      ],
      scorecard: { dimensions: ['correctness'], pass_threshold: 1 },
    },
  },
  challenges: [
    { key: 'greet', title: 'Greet', category: 'tests', difficulty: 'easy', instructions: 'Reply with hi.' },
  ],
  input_sets: [
    { key: 'default', name: 'All', cases: [{ challenge_key: 'greet', case_key: 'one', payload }] },
  ],
});

describe('a pack that a program defines', () => {
  test.each(files)('the digest of %s is the same as of its YAML', (name) => {
    const text = readFileSync(path.join(examples, name), 'utf8');
    const { pack, summary } = readPack(text);
    if (pack === undefined) throw new Error(`${name} is invalid`);
    const defined = definePack(parse(text) as PackDocument);
    // The digest of a pack with a data file covers rows, which are not read here.
    if (summary.digest === null) expect(() => defined.digest()).toThrow('has cases_from');
    else expect(defined.digest()).toBe(digestOf(manifestOf(pack)));
  });

  test('whatever texts and numbers a payload holds, the YAML is read as the same values', () => {
    const key = fc.string({ minLength: 1, unit: 'binary' }).filter((text) => text !== '__proto__');
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.string({ unit: 'grapheme' }),
        fc.constantFrom(
          'yes',
          '~',
          '1e3',
          '0x10',
          '2024-01-01',
          '- a',
          'a: b',
          '# c',
          ' x ',
          '\n',
          '<<',
          '&a',
          '*a',
        ),
        fc.integer(),
        fc.boolean(),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(key, tie('value'), { maxKeys: 3 }),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1, unit: 'grapheme-ascii' }), value), (payload) => {
        const { pack, problems } = readPack(definePack(document(payload)).toYaml());
        expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
        const read = pack?.input_sets[0]?.cases?.[0]?.payload;
        expect(canonicalJson(read)).toBe(canonicalJson(payload));
      }),
      { numRuns: 200 },
    );
  });

  test('a member with the name of a merge key is a member', () => {
    const text = definePack(document({ '<<': { note: '<<' } })).toYaml();
    const { pack } = readPack(text);
    expect(pack?.input_sets[0]?.cases?.[0]?.payload).toEqual({ '<<': { note: '<<' } });
  });

  test('members that are undefined are left out', () => {
    expect(definePack(document({ note: undefined })).digest()).toBe(definePack(document({})).digest());
  });

  test.each<[unknown, string]>([
    [Number.NaN, 'not NaN'],
    [Number.POSITIVE_INFINITY, 'not Infinity'],
    [1n, 'not bigint'],
    [new Date(0), 'not a Date'],
    [() => 'hi', 'not function'],
  ])('the value %p is refused with its place', (value, kind) => {
    const pack = definePack(document({ list: [value] }));
    expect(() => pack.toYaml()).toThrow(
      `input_sets[0].cases[0].payload.list[0] must be a value that JSON can hold, ${kind}.`,
    );
  });

  test('a value that holds itself is refused with its place, and one that is there twice is kept', () => {
    const circular: unknown[] = [];
    circular.push({ again: circular });
    expect(() => definePack(document({ list: circular as never })).toYaml()).toThrow(
      'input_sets[0].cases[0].payload.list[0].again must be a value that JSON can hold, not a value that holds itself.',
    );
    const twice = { a: 1 };
    expect(parse(definePack(document({ list: [twice, twice] })).toYaml())).toMatchObject({
      input_sets: [{ cases: [{ payload: { list: [twice, twice] } }] }],
    });
  });

  test('errors of the content are problems with their field, and there is no digest', () => {
    const broken = document({});
    broken.version.evaluation_spec.validators = [];
    const pack = definePack(broken);
    const [error] = pack.problems().filter(({ severity }) => severity === 'error');
    expect(error?.field).toContain('version.evaluation_spec');
    expect(() => pack.digest()).toThrow(`The challenge pack has errors:\n${error?.field}: ${error?.message}`);
  });

  test('a pack whose cases are the rows of a file has no digest without them', () => {
    const { input_sets: sets = [], ...rest } = document({});
    const from = { path: 'a.csv', case_key: '{{row.id}}', challenge_key: 'c', payload: {} };
    const pack = definePack({
      ...rest,
      input_sets: sets.map(({ key, name }) => ({ key, name, cases_from: from })),
    });
    expect(() => pack.digest()).toThrow(/has cases_from, and its digest covers rows that are not read here/);
  });
});
