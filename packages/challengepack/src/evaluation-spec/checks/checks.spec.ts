import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../json.js';
import type { ExecutionMode } from '../../model.js';
import { inspectEvaluationSpec } from '../read.js';
import type { ValidatorType } from '../validator-configs.js';
import { VALIDATOR_TYPES } from '../validator-types.js';

const ANSWER = {
  key: 'answer',
  type: 'exact_match',
  target: 'final_output',
  expected_from: 'case.expectations.answer',
};
const CHECKS = [
  { key: 'report', type: 'file_capture', path: 'report.md' },
  { key: 'tree', type: 'directory_listing', path: '.' },
];
const JUDGE = { key: 'quality', mode: 'rubric', model: 'claude-sonnet-4-5', rubric: 'Is it good?' };
const QUALITY = { key: 'quality', source: 'llm_judge', judge_key: 'quality' };

const BASE: JsonObject = {
  name: 'base',
  version_number: 1,
  judge_mode: 'hybrid',
  validators: [ANSWER],
  post_execution_checks: CHECKS,
  llm_judges: [JUDGE],
  scorecard: { dimensions: ['correctness', QUALITY], pass_threshold: 0.5 },
};

/** What publishing says of the base with these members replaced, as `field code`. */
function findings(changes: JsonObject, mode?: ExecutionMode): string[] {
  return inspectEvaluationSpec({ ...BASE, ...changes }, mode)
    .map(({ field, code }) => `${field} ${code}`)
    .sort();
}

/** The same for one validator, with fields relative to it. */
function ofValidator(validator: JsonObject, mode?: ExecutionMode): string[] {
  return relative(
    findings({ validators: [{ key: 'v', target: 'final_output', ...validator }] }, mode),
    'validators[0].',
  );
}

function ofConfig(type: ValidatorType, config: JsonObject, target = 'final_output'): string[] {
  const expected: JsonObject =
    VALIDATOR_TYPES[type].expectedFrom === 'required' ? { expected_from: 'case.payload.x' } : {};
  return relative(ofValidator({ type, target, ...expected, config }), 'config.');
}

function ofJudge(judge: JsonObject, mode?: ExecutionMode): string[] {
  return relative(findings({ llm_judges: [{ ...JUDGE, ...judge }] }, mode), 'llm_judges[0].');
}

function ofDimension(dimension: JsonObject | string): string[] {
  const scorecard = { dimensions: ['correctness', QUALITY, dimension], pass_threshold: 0.5 };
  return relative(findings({ scorecard }), 'scorecard.dimensions[2].');
}

function ofScorecard(scorecard: JsonObject, more: JsonObject = {}): string[] {
  return relative(
    findings({
      scorecard: { dimensions: ['correctness', QUALITY], pass_threshold: 0.5, ...scorecard },
      ...more,
    }),
    'scorecard.',
  );
}

function relative(found: string[], prefix: string): string[] {
  return found.map((finding) => (finding.startsWith(prefix) ? finding.slice(prefix.length) : finding));
}

describe('judge mode', () => {
  test('validators are needed unless only models judge', () => {
    expect(findings({ validators: [] })).toEqual(['validators required']);
    expect(findings({ validators: null })).toEqual(['validators required']);
    expect(findings({ validators: [], judge_mode: 'llm_judge' })).toEqual([]);
  });

  test('judges are needed unless the mode is deterministic', () => {
    const scorecard = { dimensions: ['correctness'], pass_threshold: 1 };
    expect(findings({ llm_judges: [], scorecard })).toEqual(['llm_judges required']);
    expect(findings({ llm_judges: [], scorecard, judge_mode: 'deterministic' })).toEqual([]);
  });

  test('lists that could not be read are not missing', () => {
    expect(findings({ validators: 'x' })).toEqual(['validators type_mismatch']);
    expect(findings({ llm_judges: 1 })).toEqual(['llm_judges type_mismatch']);
  });
});

describe('keys', () => {
  test('validators, metrics and judges share one name space', () => {
    const metrics = [{ key: 'answer', type: 'numeric', collector: 'run_total_tokens' }];
    expect(findings({ metrics })).toEqual(['metrics[0].key not_unique']);
  });

  test('checks, dimensions and signals each have their own', () => {
    expect(findings({ post_execution_checks: [...CHECKS, CHECKS[0] ?? null] })).toEqual([
      'post_execution_checks[2].key not_unique',
    ]);
    expect(ofScorecard({ dimensions: ['correctness', QUALITY, 'correctness'] })).toEqual([
      'dimensions[2].key not_unique',
    ]);
    const signal = { key: 'error_cascade', weight: 1 };
    expect(findings({ behavioral: { signals: [signal, signal] } })).toEqual([
      'behavioral.signals[1].key not_unique',
    ]);
  });

  test('a repeated key is not also unused', () => {
    expect(findings({ llm_judges: [JUDGE, JUDGE] })).toEqual(['llm_judges[1].key not_unique']);
  });

  test('a key has at most 128 characters', () => {
    expect(ofValidator({ ...ANSWER, key: 'k'.repeat(129) })).toEqual(['key too_long']);
    expect(ofValidator({ ...ANSWER, key: '🦀'.repeat(128) })).toEqual([]);
  });
});

describe('validator targets', () => {
  test('tool types judge tool_calls and nothing else does', () => {
    const config = { tool_name: 'x' };
    expect(ofValidator({ type: 'tool_call_assertion', target: 'tool_calls', config })).toEqual([]);
    expect(ofValidator({ type: 'tool_call_assertion', target: 'final_output', config })).toEqual([
      'target malformed',
    ]);
    expect(ofValidator({ ...ANSWER, target: 'tool_calls' })).toEqual(['target malformed']);
  });

  test('a listing is no file content and a capture no directory', () => {
    const config = { required_files: ['a'] };
    expect(ofValidator({ type: 'directory_structure', target: 'file:tree', config })).toEqual([]);
    expect(ofValidator({ type: 'directory_structure', target: 'file:report', config })).toEqual([
      'target contradiction',
    ]);
    const content = { type: 'file_content_match', expected_from: 'literal:x' };
    expect(ofValidator({ ...content, target: 'file:report' })).toEqual([]);
    expect(ofValidator({ ...content, target: 'file:tree' })).toEqual(['target contradiction']);
  });

  test('existence may be asked of both', () => {
    for (const target of ['file:report', 'file:tree']) {
      expect(ofValidator({ type: 'file_exists', target })).toEqual([]);
      expect(ofConfig('postcondition', { condition: 'not_exists' }, target)).toEqual([]);
    }
  });

  test('the content of a listing cannot be a postcondition', () => {
    const config = { condition: 'contains', value: 'x' };
    expect(ofValidator({ type: 'postcondition', target: 'file:tree', config })).toEqual([
      'target contradiction',
    ]);
  });

  test('a file reference names a check, in every place', () => {
    expect(ofValidator({ ...ANSWER, target: 'file:nope' })).toEqual(['target unknown_reference']);
    expect(ofValidator({ ...ANSWER, expected_from: 'file:nope' })).toEqual([
      'expected_from unknown_reference',
    ]);
    expect(ofJudge({ context_from: ['file:nope'] })).toEqual(['context_from[0] unknown_reference']);
  });

  test('nothing is unknown when a key could not be read', () => {
    const checks = [{ key: ['report'], type: 'file_capture', path: 'x' }];
    expect(
      findings({ validators: [{ ...ANSWER, target: 'file:report' }], post_execution_checks: checks }),
    ).toEqual(['post_execution_checks[0].key type_mismatch']);
  });
});

describe('expected_from', () => {
  test.each([
    ['number_range', { min: 1 }],
    ['length_range', { min: 1 }],
    ['xml_valid', {}],
  ])('%s compares with its config alone', (type, config) => {
    expect(ofValidator({ type, config, expected_from: 'literal:1' })).toEqual([
      'expected_from contradiction',
    ]);
  });

  test.each([
    ['file_exists', {}],
    ['file_json_schema', { schema: {} }],
    ['code_execution', { test_command: 'make', report_path: 'r.xml' }],
  ])('%s expects nothing from elsewhere, so what is written is ignored', (type, config) => {
    expect(ofValidator({ type, config, target: 'file:report', expected_from: '?' })).toEqual([
      'expected_from value_ignored',
    ]);
  });

  test.each([
    ['regex_match', '[', 'invalid_regex'],
    ['regex_match', '(?<=a)b', 'invalid_regex'],
    ['json_schema', '{"type": 1}', 'invalid_schema'],
    ['json_schema', 'no', 'invalid_schema'],
    ['json_path_match', '{"path": "$.a", "value": 1, "more": 2}', 'malformed'],
    ['numeric_match', 'twelve', 'malformed'],
    ['boolean_assert', 'maybe', 'malformed'],
    ['math_equivalence', '(', 'malformed'],
    ['bleu_score', '[]', 'malformed'],
    ['not_contains', '', 'malformed'],
  ])('a literal of %s is tried out: %j is %s', (type, text, code) => {
    expect(ofValidator({ type, expected_from: `literal:${text}` })).toEqual([`expected_from ${code}`]);
  });

  test('a literal is tried with the config it will be read with', () => {
    const type = 'numeric_match';
    expect(ofValidator({ type, expected_from: 'literal:about 5 km' })).toEqual(['expected_from malformed']);
    expect(
      ofValidator({ type, expected_from: 'literal:about 5 km', config: { extract_number: true } }),
    ).toEqual([]);
    expect(
      ofValidator({ type, expected_from: 'literal:about 5 km', config: { extract_number: 'yes' } }),
    ).toEqual(['config.extract_number type_mismatch']);
  });

  test('a trajectory is written in the config or named, not both', () => {
    const base = { type: 'trajectory_match', target: 'tool_calls' };
    expect(findings({ validators: [{ key: 'v', ...base }] })).toEqual(['validators[0] exactly_one_of']);
    expect(ofValidator({ ...base, config: { expected: ['a'] } })).toEqual([]);
    expect(ofValidator({ ...base, expected_from: 'literal:["a"]' })).toEqual([]);
    expect(ofValidator({ ...base, expected_from: 'literal:{}' })).toEqual(['expected_from malformed']);
    expect(
      findings({
        validators: [{ key: 'v', ...base, expected_from: 'literal:[]', config: { expected: [] } }],
      }),
    ).toEqual(['validators[0] exactly_one_of']);
    expect(ofValidator({ ...base, config: { expected: 'a' } })).toEqual(['config.expected type_mismatch']);
  });
});

describe('validator configs', () => {
  test('types without settings know no keys', () => {
    expect(ofConfig('contains', { case_insensitive: true })).toEqual(['case_insensitive unknown_key']);
    expect(ofConfig('token_f1', { case_insensitive: true })).toEqual(['case_insensitive unknown_key']);
  });

  test.each([
    ['length_range', {}],
    ['length_range', { unit: 'words' }],
    ['number_range', { exclusive_min: true }],
  ])('%s with %j asserts nothing', (type, config) => {
    expect(ofValidator({ type, config })).toEqual(['config required']);
  });

  test('a missing config is missing once', () => {
    expect(ofValidator({ type: 'postcondition', target: 'file:report' })).toEqual(['config required']);
    expect(ofValidator({ type: 'file_json_schema', target: 'file:report' })).toEqual(['config required']);
    expect(ofValidator({ type: 'code_execution', target: 'file:report' })).toEqual(['config required']);
    expect(ofValidator({ type: 'tool_call_assertion', target: 'tool_calls' })).toEqual(['config required']);
  });

  test('a bound that could not be read still is one', () => {
    expect(ofConfig('length_range', { min: '1' })).toEqual(['min type_mismatch']);
  });

  test('ranges are not upside down', () => {
    expect(ofConfig('number_range', { min: 2, max: 1 })).toEqual(['max out_of_range']);
    expect(ofConfig('length_range', { min: 1, max: 1 })).toEqual([]);
    expect(ofConfig('length_range', { min: -1 })).toEqual(['min out_of_range']);
  });

  test.each([
    ['fuzzy_match', { threshold: 1.1 }, 'threshold out_of_range'],
    ['numeric_match', { absolute_tolerance: -1 }, 'absolute_tolerance out_of_range'],
    ['numeric_match', { significant_digits: 0 }, 'significant_digits out_of_range'],
    ['rouge_score', { beta: 0 }, 'beta out_of_range'],
    ['rouge_score', { variant: 'rouge-3' }, 'variant unknown_value'],
    ['chrf_score', { char_order: 11 }, 'char_order out_of_range'],
    ['csv_match', { delimiter: ';;' }, 'delimiter malformed'],
    ['csv_match', { delimiter: '' }, 'delimiter malformed'],
    ['list_match', { separator: '' }, 'separator malformed'],
    ['normalized_match', { pipeline: ['trim'], normalizations: ['trim'] }, 'normalizations contradiction'],
    ['numeric_match', { tolerance: 1, absolute_tolerance: 1 }, 'tolerance contradiction'],
  ] satisfies [ValidatorType, JsonObject, string][])('%s refuses %j', (type, config, finding) =>
    expect(ofConfig(type, config)).toEqual([finding]),
  );

  test('blanks may separate', () => {
    expect(ofConfig('csv_match', { delimiter: '\t' })).toEqual([]);
    expect(ofConfig('list_match', { separator: ' ' })).toEqual([]);
  });

  test('a file schema compiles', () => {
    const at = 'file:report';
    expect(
      ofValidator({ type: 'file_json_schema', target: at, config: { schema: { type: 'objekt' } } }),
    ).toEqual(['config.schema invalid_schema']);
  });

  test('a directory structure asks for something', () => {
    const config = { required_files: [], forbidden_files: [] };
    expect(ofValidator({ type: 'directory_structure', target: 'file:tree', config })).toEqual([
      'config required',
    ]);
    expect(
      ofValidator({ type: 'directory_structure', target: 'file:tree', config: { required_files: [' '] } }),
    ).toEqual(['config.required_files[0] required']);
  });

  test('a test run has a command, and counts that cannot be forged only with a report file', () => {
    const of = (config: JsonObject) => ofValidator({ type: 'code_execution', target: 'file:report', config });
    expect(of({ test_command: ' ', report_path: 'r.xml' })).toEqual(['config.test_command required']);
    expect(of({ test_command: 'make', scoring: 'pass_at_k', report_path: 'r.xml' })).toEqual([
      'config.scoring unknown_value',
    ]);
    expect(of({ test_command: 'make', timeout_ms: 0, report_path: 'r.xml' })).toEqual([
      'config.timeout_ms out_of_range',
    ]);
    expect(of({ test_command: 'make' })).toEqual(['config.report_path forgeable_counts']);
    expect(of({ test_command: 'make', report_path: ['r'] })).toEqual(['config.report_path type_mismatch']);
  });

  test('the config of an unknown type is not examined', () => {
    expect(ofValidator({ type: 'exakt_match', expected_from: '?', config: { thresh: 1 } })).toEqual([
      'type unknown_value',
    ]);
  });
});

describe('postconditions', () => {
  const of = (config: JsonObject) => ofConfig('postcondition', config, 'file:report');

  test.each([
    [{ condition: 'exists', json_path: '$' }, ['json_path contradiction']],
    [
      { condition: 'not_exists', value: 1, json_path: '$' },
      ['json_path contradiction', 'value contradiction'],
    ],
    [{ condition: 'contains' }, ['value required']],
    [{ condition: 'contains', value: ' ' }, ['value required']],
    [{ condition: 'contains', value: 42 }, []],
    [{ condition: 'contains', value: ['x'] }, ['value type_mismatch']],
    [{ condition: 'regex_match', value: '(' }, ['value invalid_regex']],
    [{ condition: 'equals' }, ['value required']],
    [{ condition: 'equals', value: { a: [1] } }, []],
    [{ condition: 'equals', value: '' }, []],
    [{ condition: 'equals', value: 1, json_path: '$' }, ['json_path contradiction']],
    [{ condition: 'json_path_match', value: 1 }, ['json_path required']],
    [{ condition: 'json_path_match', json_path: '$.a' }, ['value required']],
    [{ condition: 'json_path_match', json_path: '$.', value: 1 }, ['json_path malformed']],
    [{ condition: 'json_path_match', json_path: '$.a-b', value: false }, []],
    [{ value: 'x' }, ['condition required']],
    [{ condition: 'is_nice', value: 'x' }, ['condition unknown_value']],
  ])('%j', (config, found) => expect(of(config)).toEqual(found));
});

describe('tool call assertions', () => {
  const of = (config: JsonObject) => ofConfig('tool_call_assertion', config, 'tool_calls');

  test.each([
    [{ order_mode: 'exact', tool_name: 'x' }, ['ordered_tools required']],
    [{ ordered_tools: ['a', 'b'], order_mode: 'exact' }, []],
    [{ min_count: 2, max_count: 1 }, ['max_count out_of_range']],
    [{ count: -1 }, ['count out_of_range']],
    [{ count: 2, max_count: 3 }, ['count contradiction']],
    [{ must_call: true, max_count: 0 }, ['must_call contradiction']],
    [{ must_call: false, min_count: 1 }, ['must_call contradiction']],
    [{ must_call: false, count: 2 }, ['must_call contradiction']],
    [{ must_call: false, count: 0 }, []],
    [{ must_call: false, tool_name: 'rm' }, []],
    [{ arguments_contain: {} }, []],
    [{ arguments_contain: [] }, ['arguments_contain type_mismatch']],
  ])('%j', (config, found) => expect(of(config)).toEqual(found));

  test('one that asserts nothing is missing its config', () => {
    expect(
      ofValidator({ type: 'tool_call_assertion', target: 'tool_calls', config: { ordered_tools: [] } }),
    ).toEqual(['config required']);
  });
});

describe('execution modes', () => {
  test('only conversations have a transcript', () => {
    const validator = { ...ANSWER, target: 'transcript.full' };
    expect(ofValidator(validator, 'multi_turn')).toEqual([]);
    expect(ofValidator(validator, 'native')).toEqual(['target mode_conflict']);
    expect(ofJudge({ context_from: ['turn.expectations'] }, 'responses')).toEqual([
      'context_from[0] mode_conflict',
    ]);
    expect(ofValidator(validator)).toEqual([]);
  });

  test('prompt_eval has no files', () => {
    expect(ofValidator({ type: 'file_exists', target: 'file:report' }, 'prompt_eval')).toEqual([
      'type mode_conflict',
    ]);
    expect(ofValidator({ ...ANSWER, target: 'file:report' }, 'prompt_eval')).toEqual([
      'target mode_conflict',
    ]);
    expect(ofValidator({ ...ANSWER, expected_from: 'file:report' }, 'prompt_eval')).toEqual([
      'expected_from mode_conflict',
    ]);
    expect(ofValidator({ ...ANSWER, target: 'file:report' }, 'responses')).toEqual([]);
  });
});

describe('dimensions', () => {
  test('a source that nothing tells is missing, and an unknown one ends the matter', () => {
    expect(ofDimension('speed')).toEqual(['source required']);
    expect(ofDimension({ key: 'latency', source: 'time', gate: true })).toEqual(['source unknown_value']);
  });

  test('sources name what they read', () => {
    const metric = {
      key: 'm',
      source: 'metric',
      better_direction: 'lower',
      normalization: { target: 1, max: 2 },
    };
    expect(ofDimension(metric)).toEqual(['metric required']);
    expect(ofDimension({ ...metric, metric: 'nope' })).toEqual(['metric unknown_reference']);
    expect(ofDimension({ key: 'j', source: 'llm_judge' })).toEqual(['judge_key required']);
    expect(ofDimension({ key: 'v', source: 'validators', validators: ['answer', ' '] })).toEqual([
      'validators[1] required',
    ]);
  });

  test('bounds are needed where raw values are', () => {
    expect(ofDimension('latency')).toEqual(['normalization required']);
    expect(ofDimension({ key: 'cost', normalization: { max: 1 } })).toEqual([
      'normalization.target required',
    ]);
    expect(ofDimension({ key: 'cost', normalization: { target: 1, max: 1 } })).toEqual([
      'normalization.max out_of_range',
    ]);
    expect(ofDimension('reliability')).toEqual([]);
  });

  test('older bounds are complete or the dimension lacks them', () => {
    const older = (normalization: JsonObject) =>
      ofScorecard({ dimensions: ['correctness', QUALITY, 'latency'], normalization });
    expect(older({ latency: { target_ms: 1 } })).toEqual(['dimensions[2].normalization.max required']);
    expect(older({ latency: { max_ms: 1 } })).toEqual(['dimensions[2].normalization.target required']);
    expect(older({ latency: { target_ms: '1', max_ms: 2 } })).toEqual([
      'normalization.latency.target_ms type_mismatch',
    ]);
    expect(older({ latency: { target_ms: 1, max_ms: 2 } })).toEqual([]);
  });

  test('a metric says which direction is better; others cannot choose', () => {
    const metrics = [{ key: 'tokens', type: 'numeric', collector: 'run_total_tokens' }];
    const dimension = { key: 'm', source: 'metric', metric: 'tokens', normalization: { target: 1, max: 2 } };
    expect(ofScorecard({ dimensions: ['correctness', QUALITY, dimension] }, { metrics })).toEqual([
      'dimensions[2].better_direction required',
    ]);
    expect(ofDimension({ key: 'reliability', better_direction: 'lower' })).toEqual([
      'better_direction contradiction',
    ]);
    expect(ofDimension({ key: 'reliability', better_direction: 'higher' })).toEqual([]);
  });

  test('a gate has a threshold', () => {
    expect(ofDimension({ key: 'reliability', gate: true })).toEqual(['pass_threshold required']);
    expect(ofDimension({ key: 'reliability', gate: true, pass_threshold: 2 })).toEqual([
      'pass_threshold out_of_range',
    ]);
    expect(ofDimension({ key: 'reliability', weight: -1 })).toEqual(['weight out_of_range']);
  });
});

describe('scorecard', () => {
  test('hybrid has a gate', () => {
    expect(ofScorecard({ strategy: 'hybrid' })).toEqual(['strategy contradiction']);
    const gate = { key: 'reliability', gate: true, pass_threshold: 1 };
    expect(ofScorecard({ strategy: 'hybrid', dimensions: ['correctness', QUALITY, gate] })).toEqual([]);
  });

  test('a weighted scorecard without gate and threshold never passes: a warning', () => {
    expect(findings({ scorecard: { dimensions: ['correctness', QUALITY] } })).toEqual([
      'scorecard no_pass_bar',
    ]);
    expect(findings({ scorecard: { dimensions: ['correctness', QUALITY], pass_threshold: 'x' } })).toEqual([
      'scorecard.pass_threshold type_mismatch',
    ]);
  });

  test('dimensions that could not be read raise nothing else', () => {
    expect(findings({ scorecard: { dimensions: 'correctness', strategy: 'hybrid' } })).toEqual([
      'scorecard.dimensions type_mismatch',
    ]);
    expect(findings({ scorecard: { dimensions: [] } })).toEqual(['scorecard.dimensions required']);
  });

  test('what no dimension reads is a warning', () => {
    expect(findings({ scorecard: { dimensions: [QUALITY], pass_threshold: 1 } })).toEqual([
      'validators[0].key unused_validator',
    ]);
    expect(findings({ scorecard: { dimensions: ['correctness'], pass_threshold: 1 } })).toEqual([
      'llm_judges[0].key unused_judge',
    ]);
  });

  test('a cap in dollars needs a price for every judging model, an alias excepted', () => {
    const capped = { judge_limits: { max_calls_usd: 1 } };
    const price = { input_cost_per_million_tokens: 1, output_cost_per_million_tokens: 1 };
    const row = { provider_key: 'anthropic', provider_model_id: 'claude-sonnet-4-5', ...price };
    expect(ofScorecard(capped)).toEqual(['judge_limits.max_calls_usd unknown_reference']);
    expect(ofScorecard(capped, { pricing: { models: [row] } })).toEqual([]);
    expect(ofScorecard(capped, { llm_judges: [{ ...JUDGE, model: 'alias:judge' }] })).toEqual([]);
    expect(ofScorecard({ judge_limits: { max_calls_usd: 0 } })).toEqual([]);
  });
});

describe('judges', () => {
  test.each([
    [{ rubric: ' ' }, ['rubric required']],
    [{ mode: 'reference' }, ['reference_from required']],
    [{ mode: 'assertion' }, ['assertion required']],
    [{ mode: 'n_wise' }, ['prompt required']],
    [{ mode: 'n_wise', prompt: 'Which is best?' }, []],
    [{ mode: 'vibes' }, ['mode unknown_value']],
    [{ samples: 11 }, ['samples out_of_range']],
    [{ samples: 0 }, []],
    [{ timeout_ms: 0 }, ['timeout_ms out_of_range']],
    [{ score_scale: { min: 5 } }, ['score_scale out_of_range']],
    [{ score_scale: { max: 10 } }, []],
    [{ reference_from: 'nowhere' }, ['reference_from malformed']],
    [{ context_from: [' '] }, ['context_from[0] required']],
    [{ model: 'alias:' }, ['model unknown_value']],
    [{ model: null }, ['model type_mismatch']],
    [{ models: ['gpt-5'], model: '' }, []],
    [
      { models: ['gpt-5', 'llama3'], model: '', consensus: { aggregation: 'mean' } },
      ['models[1] unknown_value'],
    ],
    [{ consensus: { aggregation: 'mean' } }, ['consensus contradiction']],
    [{ models: ['gpt-5', 'o3'], model: '', consensus: {} }, ['consensus.aggregation required']],
    [{ models: ['gpt-5', 'o3'], model: '', consensus: { aggregation: 'unanimous' } }, []],
  ])('%j', (judge, found) => expect(ofJudge(judge)).toEqual(found));

  test('assertions are voted on, scores are averaged', () => {
    const several = { models: ['gpt-5', 'o3'], model: '', mode: 'assertion', assertion: 'It is true.' };
    expect(ofJudge({ ...several, consensus: { aggregation: 'median' } })).toEqual([
      'consensus.aggregation contradiction',
    ]);
    expect(ofJudge({ ...several, consensus: { aggregation: 'majority_vote' } })).toEqual([]);
  });

  test.each([
    ['${secrets.KEY}', true],
    ['${ secrets.KEY }', true],
    ['${json:secrets.KEY}', true],
    ['${ query : secrets.KEY}', true],
    ['$${secrets.KEY}', false],
    ['${secretsKEY}', false],
    ['the secrets. of the trade', false],
  ])('%s in an instruction: secret %s', (text, isSecret) => {
    const found = isSecret ? ['rubric secret_not_allowed'] : [];
    expect(ofJudge({ rubric: `Compare with ${text}` })).toEqual(found);
  });
});

describe('metrics, behaviour, prices', () => {
  test('a metric has the type of its collector', () => {
    const of = (metric: JsonObject) =>
      relative(findings({ metrics: [{ key: 'm', ...metric }] }), 'metrics[0].');
    expect(of({ type: 'boolean', collector: 'run_completed_successfully' })).toEqual([]);
    expect(of({ type: 'text', collector: 'run_total_tokens' })).toEqual(['type contradiction']);
    expect(of({ collector: 'run_tokens' })).toEqual(['collector unknown_value', 'type required']);
  });

  test('a signal has a positive weight, its gate a threshold', () => {
    const of = (signal: JsonObject) =>
      relative(findings({ behavioral: { signals: [signal] } }), 'behavioral.signals[0].');
    expect(of({ key: 'error_cascade', weight: 0 })).toEqual(['weight out_of_range']);
    expect(of({ key: 'error_cascade', weight: 1, gate: true })).toEqual(['pass_threshold required']);
    expect(of({ key: 'confidence_calibration', weight: 1 })).toEqual(['key unknown_value']);
    expect(findings({ behavioral: {} })).toEqual(['behavioral.signals required']);
  });

  test('gemini and google are one provider', () => {
    const price = { input_cost_per_million_tokens: 1, output_cost_per_million_tokens: 1 };
    const rows = ['google', 'gemini'].map((provider_key) => ({
      provider_key,
      provider_model_id: 'gemini-pro',
      ...price,
    }));
    expect(findings({ pricing: { models: rows } })).toEqual([
      'pricing.models[1].provider_model_id not_unique',
    ]);
  });

  test('limits are above 0', () => {
    expect(
      findings({ runtime_limits: { max_iterations: 1001, max_cost_usd: 0, max_duration_ms: 0.5 } }),
    ).toEqual([
      'runtime_limits.max_cost_usd out_of_range',
      'runtime_limits.max_duration_ms type_mismatch',
      'runtime_limits.max_iterations out_of_range',
    ]);
  });
});
