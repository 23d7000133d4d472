import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { COLLECTOR_NAMES } from '../evaluation-spec/collectors.js';
import { DIMENSION_SOURCES, JUDGE_KINDS, STRATEGIES } from '../evaluation-spec/types.js';
import { VALIDATOR_TYPE_NAMES } from '../evaluation-spec/validator-types.js';
import type { JsonObject, JsonValue } from '../json.js';
import { inspectEvaluationSpec } from './read-evaluation-spec.js';

const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<JsonValue>;

/** Anything, but more often something that fits. */
const mostly = <T>(fitting: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 12, arbitrary: fitting }, { weight: 1, arbitrary: json });

/** Members that may be absent. */
const members = (fields: Record<string, fc.Arbitrary<unknown>>) => fc.record(fields, { requiredKeys: [] });

const key = fc.constantFrom('result', 'quality', 'tokens', 'latency', 'correctness', 'report', ' padded ');
const reference = fc.constantFrom(
  'final_output',
  'file:report',
  'case.payload.x',
  'literal:[1]',
  'tool_calls',
  'transcript.full',
  'nowhere',
);
const threshold = fc.constantFrom(0, 0.5, 1, 2);

const config = members({
  threshold,
  case_insensitive: fc.boolean(),
  min: fc.integer({ min: -1, max: 3 }),
  max: fc.integer({ min: -1, max: 3 }),
  value: json,
  condition: fc.constantFrom('exists', 'contains', 'equals', 'json_path_match'),
  json_path: fc.constantFrom('$.a', '$['),
  expected: fc.array(mostly(fc.constantFrom('search', 'fetch')), { maxLength: 3 }),
  schema: json,
  pipeline: fc.array(mostly(fc.constantFrom('trim', 'lowercase')), { maxLength: 3 }),
  tolerance: threshold,
  test_command: fc.constantFrom('make test', ' '),
  tool_name: fc.constant('search'),
  count: fc.integer({ min: 0, max: 2 }),
});

const validator = members({
  key: mostly(key),
  type: mostly(fc.constantFrom(...VALIDATOR_TYPE_NAMES)),
  target: mostly(reference),
  expected_from: mostly(reference),
  config: mostly(config),
});

const judge = members({
  key: mostly(key),
  mode: mostly(fc.constantFrom(...JUDGE_KINDS)),
  model: mostly(fc.constantFrom('gpt-5', 'llama', 'alias:x')),
  models: mostly(fc.array(mostly(fc.constantFrom('gpt-5', 'o3')))),
  rubric: mostly(fc.string()),
  samples: mostly(fc.integer({ min: -1, max: 11 })),
  score_scale: mostly(members({ min: threshold, max: threshold })),
  consensus: mostly(members({ aggregation: fc.constantFrom('mean', 'majority_vote') })),
  output_schema: mostly(fc.constant({ type: 'object' })),
});

const dimension = members({
  key: mostly(key),
  source: mostly(fc.constantFrom(...DIMENSION_SOURCES)),
  validators: mostly(fc.array(mostly(key), { maxLength: 2 })),
  metric: mostly(key),
  judge_key: mostly(key),
  better_direction: mostly(fc.constantFrom('lower', 'higher')),
  normalization: mostly(members({ target: threshold, max: threshold })),
  weight: mostly(threshold),
  gate: mostly(fc.boolean()),
  pass_threshold: mostly(threshold),
});

const spec = members({
  name: mostly(fc.constant('spec')),
  version_number: mostly(fc.integer({ min: 0, max: 2 })),
  judge_mode: mostly(fc.constantFrom('deterministic', 'llm_judge', 'hybrid')),
  validators: mostly(fc.array(mostly(validator), { maxLength: 4 })),
  metrics: mostly(
    fc.array(
      members({
        key,
        type: fc.constantFrom('numeric', 'boolean'),
        collector: fc.constantFrom(...COLLECTOR_NAMES),
      }),
      {
        maxLength: 2,
      },
    ),
  ),
  behavioral: mostly(
    members({ signals: fc.array(members({ key: fc.constant('error_cascade'), weight: threshold })) }),
  ),
  llm_judges: mostly(fc.array(mostly(judge), { maxLength: 2 })),
  post_execution_checks: mostly(
    fc.array(members({ key, type: fc.constant('file_capture'), path: fc.constant('out.txt') }), {
      maxLength: 2,
    }),
  ),
  runtime_limits: mostly(members({ max_duration_ms: threshold, max_cost_usd: threshold })),
  scorecard: mostly(
    members({
      dimensions: mostly(fc.array(mostly(fc.oneof(key, dimension)), { maxLength: 4 })),
      strategy: mostly(fc.constantFrom(...STRATEGIES)),
      pass_threshold: mostly(threshold),
      normalization: mostly(members({ latency: members({ target_ms: threshold, max_ms: threshold }) })),
      judge_limits: mostly(members({ max_calls_usd: threshold })),
    }),
  ),
}) as fc.Arbitrary<JsonObject>;

describe('evaluation specs, whatever is written', () => {
  test('inspecting an evaluation spec never throws, and finds the same again', () => {
    fc.assert(
      fc.property(fc.oneof(json, spec), (document) => {
        expect(inspectEvaluationSpec(document, 'native')).toEqual(inspectEvaluationSpec(document, 'native'));
      }),
    );
  });

  test('a value that could not be read is not missing as well', () => {
    fc.assert(
      fc.property(spec, (document) => {
        const found = inspectEvaluationSpec(document);
        const unreadable = new Set(
          found.filter(({ code }) => code === 'type_mismatch').map(({ field }) => field),
        );
        const echoes = found.filter(({ code, field }) => code === 'required' && unreadable.has(field));
        expect(echoes).toEqual([]);
      }),
    );
  });
});
