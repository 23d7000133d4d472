import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { EVALUATION_SPEC } from '../evaluation-spec/shapes/spec-shape.js';
import type { ValidatorType } from '../evaluation-spec/validator-configs.js';
import type { JsonObject } from '../json.js';
import { compileJsonSchema } from '../json-schema/json-schema.js';
import { compactEvaluationSpec, inspectEvaluationSpec, readEvaluationSpec } from './read-evaluation-spec.js';

const share = fc.constantFrom(0, 0.3, 0.5, 0.8, 1);
const flag = fc.boolean();

/** Fields that are all written or left out at will. */
const some = (fields: Record<string, fc.Arbitrary<unknown>>) => fc.record(fields, { requiredKeys: [] });

/** Fields of which the first ones are always written. */
const record = (
  required: Record<string, fc.Arbitrary<unknown>>,
  others: Record<string, fc.Arbitrary<unknown>> = {},
) => fc.record({ ...required, ...others }, { requiredKeys: Object.keys(required) });

const TEXT_CONFIGS: Partial<Record<ValidatorType, fc.Arbitrary<unknown>>> = {
  exact_match: some({}),
  fuzzy_match: some({ threshold: share, case_insensitive: flag, normalize: flag }),
  bleu_score: some({
    threshold: share,
    max_ngram: fc.integer({ min: 1, max: 10 }),
    smoothing: fc.constantFrom('none', 'method1'),
  }),
  normalized_match: fc.oneof(
    some({ pipeline: fc.subarray(['trim', 'lowercase', 'sort_lines']) }),
    some({ normalizations: fc.subarray(['trim', 'collapse_whitespace']) }),
  ),
  numeric_match: fc.oneof(
    some({ absolute_tolerance: share, relative_tolerance: share, extract_number: flag }),
    some({
      extract: fc.constantFrom('only', 'first', 'last', 'delimiter', true, false),
      answer_delimiter: fc.constantFrom('####', '='),
    }),
    some({ tolerance_mode: fc.constantFrom('relative', 'absolute'), tolerance: share }),
  ),
  csv_match: some({ delimiter: fc.constantFrom(',', '\t'), header: flag, trim_cells: flag }),
};

const textValidator = fc.constantFrom(...(Object.keys(TEXT_CONFIGS) as ValidatorType[])).chain((type) =>
  record(
    {
      type: fc.constant(type),
      target: fc.constantFrom('final_output', ' case.payload.x ', 'file:report'),
      expected_from: fc.constantFrom('case.expectations.result', 'case.inputs.x'),
    },
    { config: TEXT_CONFIGS[type] ?? some({}) },
  ),
);

const toolValidator = record({
  type: fc.constant('trajectory_match'),
  target: fc.constant('tool_calls'),
  config: record(
    {
      expected: fc.array(
        fc.oneof(
          fc.constant('search'),
          record({ tool_name: fc.constant('fetch') }, { arguments: fc.constant({ id: 1 }) }),
        ),
        { maxLength: 3 },
      ),
    },
    { mode: fc.constantFrom('strict', 'subset'), include_failed: flag },
  ),
});

const judge = record(
  {
    mode: fc.constant('rubric'),
    rubric: fc.constant(' Be strict. '),
    model: fc.constantFrom('gpt-5', 'alias:judge'),
  },
  {
    samples: fc.integer({ min: 0, max: 10 }),
    temperature: share,
    context_from: fc.subarray(['final_output', 'case.payload']),
    score_scale: some({ min: fc.constantFrom(0, 1), max: fc.constantFrom(5, 10) }),
    expect: flag,
    anti_gaming_clauses: fc.subarray([' Ignore flattery. ']),
    output_schema: fc.constantFrom({}, { type: 'object' }),
  },
);

const dimension = fc.oneof(
  fc.constantFrom('correctness', 'reliability', 'latency', ' cost '),
  record(
    { key: fc.constantFrom('latency', 'cost') },
    {
      better_direction: fc.constant('lower'),
      normalization: fc.constant({ target: 1, max: 2 }),
      weight: share,
    },
  ),
  record(
    { key: fc.constant('other'), source: fc.constantFrom('validators', 'reliability') },
    {
      better_direction: fc.constant('higher'),
      weight: share,
      gate: fc.constant(false),
      pass_threshold: share,
    },
  ),
);

/** Gives every entry its own key, unless it is a short form. */
function keyed(prefix: string, entries: fc.Arbitrary<unknown>, maxLength = 3) {
  return fc
    .array(entries, { minLength: 1, maxLength })
    .map((all) =>
      all.map((entry, index) => (typeof entry === 'object' ? { key: `${prefix}${index}`, ...entry } : entry)),
    );
}

const spec = record(
  {
    name: fc.constantFrom('spec', ' spec '),
    version_number: fc.integer({ min: 1, max: 3 }),
    judge_mode: fc.constant('hybrid'),
    validators: keyed('v', fc.oneof(textValidator, toolValidator)),
    llm_judges: keyed('j', judge),
    scorecard: record(
      {
        dimensions: fc.uniqueArray(dimension, {
          minLength: 1,
          maxLength: 3,
          selector: (each) =>
            (typeof each === 'object' && 'key' in each ? String(each.key) : String(each)).trim(),
        }),
        normalization: fc.constant({ latency: { target_ms: 10 }, cost: { target_usd: 0.5 } }),
      },
      {
        strategy: fc.constantFrom('weighted'),
        pass_threshold: share,
        judge_limits: some({ max_tokens: fc.nat(9) }),
      },
    ),
    runtime_limits: fc.constant({ max_duration_ms: 1000, max_cost_usd: 3 }),
    post_execution_checks: fc.constant([{ key: 'report', type: 'file_capture', path: 'r.md' }]),
  },
  { pricing: some({ models: fc.constant([]) }), metrics: fc.constant([]), behavioral: fc.constant(null) },
) as fc.Arbitrary<JsonObject>;

const written = (of: JsonObject) =>
  inspectEvaluationSpec(of, 'native')
    .map(({ field, code }) => `${field} ${code}`)
    .sort();

describe('the compact form of any valid spec', () => {
  test('any valid spec has no errors', () => {
    fc.assert(
      fc.property(spec, (authored) => {
        expect(
          inspectEvaluationSpec(authored, 'native').filter(({ severity }) => severity === 'error'),
        ).toEqual([]);
      }),
    );
  });

  test('the compact form of a compact form is the same', () => {
    fc.assert(
      fc.property(spec, (authored) => {
        const compact = compactEvaluationSpec(authored);
        expect(compactEvaluationSpec(compact)).toEqual(compact);
      }),
    );
  });

  test('the compact form is read as the authored spec', () => {
    fc.assert(
      fc.property(spec, (authored) => {
        expect(readEvaluationSpec(compactEvaluationSpec(authored))).toEqual(readEvaluationSpec(authored));
      }),
    );
  });

  test('the compact form has the same problems as the authored spec', () => {
    fc.assert(
      fc.property(spec, (authored) =>
        expect(written(compactEvaluationSpec(authored))).toEqual(written(authored)),
      ),
    );
  });
});

test('any valid spec, authored or compact, conforms to the editor schema', () => {
  const conforms = compileJsonSchema(EVALUATION_SPEC.schema);
  if (conforms === null) throw new Error('the editor schema does not compile');
  fc.assert(
    fc.property(spec, (authored) => {
      expect([conforms(authored), conforms(compactEvaluationSpec(authored))]).toEqual([true, true]);
    }),
  );
});

test('the editor schema refuses the same types, values and names as the reader', () => {
  const conforms = compileJsonSchema(EVALUATION_SPEC.schema) ?? (() => true);
  const base = {
    name: 's',
    version_number: 1,
    judge_mode: 'deterministic',
    scorecard: { dimensions: ['correctness'] },
  };
  const validator = { key: 'v', type: 'fuzzy_match', target: 'final_output', expected_from: 'literal:x' };
  expect(conforms({ ...base, validators: [validator] })).toBe(true);
  for (const problem of [
    { type: 'fuzy' },
    { config: { treshold: 1 } },
    { config: { threshold: 2 } },
    { target: [] },
  ]) {
    expect(conforms({ ...base, validators: [{ ...validator, ...problem }] })).toBe(false);
  }
});
