import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../json.js';
import { findings, ofConfig, ofValidator } from '../../testing/spec-findings.js';
import type { ValidatorType } from '../validator-configs.js';

describe('validator configs', () => {
  test('a config of a type without settings has no known keys', () => {
    expect(ofConfig('contains', { case_insensitive: true })).toEqual(['case_insensitive unknown_key']);
    expect(ofConfig('token_f1', { case_insensitive: true })).toEqual(['case_insensitive unknown_key']);
  });

  test.each([
    ['length_range', {}],
    ['length_range', { unit: 'words' }],
    ['number_range', { exclusive_min: true }],
  ])('a validator %s with config %j asserts nothing', (type, config) => {
    expect(ofValidator({ type, config })).toEqual(['config required']);
  });

  test('a missing config is reported once', () => {
    expect(ofValidator({ type: 'postcondition', target: 'file:report' })).toEqual(['config required']);
    expect(ofValidator({ type: 'file_json_schema', target: 'file:report' })).toEqual(['config required']);
    expect(ofValidator({ type: 'code_execution', target: 'file:report' })).toEqual(['config required']);
    expect(ofValidator({ type: 'tool_call_assertion', target: 'tool_calls' })).toEqual(['config required']);
  });

  test('a bound that could not be read still counts as a bound', () => {
    expect(ofConfig('length_range', { min: '1' })).toEqual(['min type_mismatch']);
  });

  test('the minimum of a range is not above its maximum', () => {
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
  ] satisfies [ValidatorType, JsonObject, string][])('the config of %s refuses %j', (type, config, finding) =>
    expect(ofConfig(type, config)).toEqual([finding]),
  );

  test('an older smoothing is deprecated, and a stemmer needs its tokenizer', () => {
    expect(ofConfig('bleu_score', { smoothing: 'method1' })).toEqual(['smoothing deprecated']);
    expect(ofConfig('bleu_score', { smoothing: 'nltk_method1', tokenizer: '13a' })).toEqual([]);
    expect(ofConfig('rouge_score', { stemmer: true })).toEqual(['stemmer value_ignored']);
    expect(ofConfig('rouge_score', { stemmer: true, tokenizer: 'rouge' })).toEqual([]);
    expect(ofConfig('rouge_score', { tokenizer: 'rogue' })).toEqual(['tokenizer unknown_value']);
  });

  test('older and newer tolerances contradict each other, reported once for the config', () => {
    expect(
      ofConfig('numeric_match', { tolerance: 1, tolerance_mode: 'relative', absolute_tolerance: 1 }),
    ).toEqual(['config contradiction']);
  });

  test('a delimiter and a separator may be white space', () => {
    expect(ofConfig('csv_match', { delimiter: '\t' })).toEqual([]);
    expect(ofConfig('list_match', { separator: ' ' })).toEqual([]);
  });

  test('the schema of a file must compile', () => {
    const at = 'file:report';
    expect(
      ofValidator({ type: 'file_json_schema', target: at, config: { schema: { type: 'objekt' } } }),
    ).toEqual(['config.schema invalid_schema']);
  });

  test('a directory structure requires at least one entry', () => {
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
  ])('the postcondition %j has the problems %j', (config, found) => expect(of(config)).toEqual(found));
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
  ])('the tool call assertion %j has the problems %j', (config, found) => expect(of(config)).toEqual(found));

  test('a tool call assertion that asserts nothing is missing its config', () => {
    expect(
      ofValidator({ type: 'tool_call_assertion', target: 'tool_calls', config: { ordered_tools: [] } }),
    ).toEqual(['config required']);
  });

  describe('the harness of a test run', () => {
    const harness = (changes: JsonObject, more: JsonObject = {}) =>
      ofConfig(
        'code_execution',
        { harness: { adapter: 'pytest', tests: 'tests', code: ['a.py'], ...changes }, ...more },
        'file:report',
      );

    test.each<JsonObject>([
      {},
      { trust: ['equality', 'arguments'], cpu_seconds: 2.5 },
      { adapter: 'calls', function: '{{name}}' },
      { adapter: 'node_test', code: ['src/a.mjs'], cpu_seconds: 3 },
      { adapter: 'go_test', code: ['.'], trust: ['arguments'] },
      { adapter: 'cargo_test', code: ['.'], cpu_seconds: 3 },
    ])('a harness %j has no problems', (changes) => {
      expect(harness(changes)).toEqual([]);
    });

    test('a harness of cases has a program', () => {
      const cases = { adapter: 'cases', tests: 't.json', command: ['python3', 'a.py'] };
      expect(ofConfig('code_execution', { harness: cases }, 'file:report')).toEqual([]);
    });

    test.each<[JsonObject, string[]]>([
      [{ adapter: 'nose' }, ['harness.adapter unknown_value']],
      [{ adapter: 'cases' }, ['harness.code contradiction', 'harness.command required']],
      [{ adapter: 'calls', code: ['a.py', 'b.py'] }, ['harness.code contradiction']],
      [{ adapter: 'node_test', code: ['a.js', 'b.js'] }, ['harness.code contradiction']],
      [{ adapter: 'node_test', trust: ['equality'] }, ['harness.trust contradiction']],
      [{ adapter: 'go_test', code: ['a', 'b'] }, ['harness.code contradiction']],
      [{ adapter: 'go_test', trust: ['equality'] }, ['harness.trust contradiction']],
      [{ adapter: 'cargo_test', code: ['a', 'b'] }, ['harness.code contradiction']],
      [{ adapter: 'cargo_test', trust: ['arguments'] }, ['harness.trust contradiction']],
      [{ function: 'f' }, ['harness.function contradiction']],
      [{ code: [] }, ['harness.code required']],
      [{ tests: ' ' }, ['harness.tests required']],
      [{ cpu_seconds: 0 }, ['harness.cpu_seconds out_of_range']],
      [{ trust: ['all'] }, ['harness.trust[0] unknown_value']],
    ])('a harness %j has the problems %j', (changes, found) => {
      expect(harness(changes)).toEqual(found);
    });

    test('a harness takes the place of a command and of reports', () => {
      expect(harness({}, { test_command: 'make' })).toEqual(['test_command contradiction']);
      expect(harness({}, { report_path: 'r.xml' })).toEqual(['report_path contradiction']);
      expect(harness({}, { reports: [{ path: 'r', format: 'junit' }] })).toEqual(['reports contradiction']);
    });
  });

  describe('reports of a test run', () => {
    const reports = (...list: JsonObject[]) =>
      ofConfig('code_execution', { test_command: 'make', reports: list }, 'file:report');
    const report = (path: string, more: JsonObject = {}) => ({ path, format: 'reward', ...more });

    test('reports are valid by path and format, and replace report_path', () => {
      expect(
        reports(report('/logs/verifier/reward.txt'), report('r.json', { format: 'reward_json' })),
      ).toEqual([]);
      const both = { test_command: 'make', report_path: 'r.xml', reports: [report('a')] };
      expect(ofConfig('code_execution', both, 'file:report')).toEqual(['reports contradiction']);
      expect(reports()).toEqual(['report_path forgeable_counts']);
    });

    test.each([
      [report('../x'), 'reports[0].path unsafe_path'],
      [report('/usr/x/r.txt'), 'reports[0].path unsafe_path'],
      [report('//etc/r.txt'), 'reports[0].path unsafe_path'],
      [report('/reward.txt'), 'reports[0].path unsafe_path'],
      [report('r', { format: 'tap' }), 'reports[0].format unknown_value'],
      [{ path: 'r' }, 'reports[0].format required'],
      [report('r', { metric: 'style' }), 'reports[0].metric contradiction'],
      [report('r', { threshold: 1 }), 'reports[0].threshold unknown_key'],
    ])('a report %j is refused: %s', (given, finding) => {
      expect(reports(given)).toEqual([finding]);
    });

    test.each([
      'python3 -m pytest /grader/tests --junitxml r.xml',
      'python3 -I -m pytest --noconftest -c /dev/null /grader/tests',
      'python3 -m unittest discover /grader',
      'node --test /grader',
      'node --import ./x.mjs --test',
      'cd src && go test ./...',
      'cargo test --offline',
      'cargo nextest run',
      'npx vitest run',
    ])('a report of %s is forgeable, since its tests run beside the code', (test_command) => {
      const config = { test_command, report_path: 'r.xml' };
      expect(ofConfig('code_execution', config, 'file:report')).toEqual(['test_command forgeable_tests']);
      expect(ofConfig('code_execution', { test_command }, 'file:report')).toEqual([
        'report_path forgeable_counts',
      ]);
    });

    test.each([
      'bash /tests/test.sh',
      'python3 -I /grader/pytests.py',
      'exec agentclash-grade pytest --tests t',
    ])('a report of %s has no warning', (test_command) => {
      expect(ofConfig('code_execution', { test_command, report_path: 'r.xml' }, 'file:report')).toEqual([]);
    });

    test('a path of two reports, and more than eight reports, are refused', () => {
      expect(reports(report('a'), report('a'))).toEqual(['reports[1].path not_unique']);
      expect(reports(...Array.from({ length: 9 }, (_, n) => report(`${n}`)))).toEqual(['reports too_long']);
    });

    test('a dimension of source report names a validator with metrics, and a metric', () => {
      const dimension = { key: 'style', source: 'report', validator: 'v', metric: 'style' };
      const found = (changes: JsonObject, format = 'reward_json', base: JsonObject = dimension) => {
        const config = { test_command: 'make', reports: [{ path: 'r', format }] };
        const validators = [{ key: 'v', type: 'code_execution', target: 'file:report', config }];
        const scorecard = { dimensions: [{ ...base, ...changes }], pass_threshold: 0.5 };
        return findings({ validators, scorecard, judge_mode: 'deterministic', llm_judges: [] });
      };
      const at = 'scorecard.dimensions[0]';
      expect(found({})).toEqual([]);
      expect(found({}, 'reward')).toEqual([`${at}.validator contradiction`]);
      expect(found({ validator: 'w' })).toEqual([
        `${at}.validator unknown_reference`,
        'validators[0].key unused_validator',
      ]);
      const { key, source } = dimension;
      expect(found({}, 'reward_json', { key, source })).toEqual([
        `${at}.metric required`,
        `${at}.validator required`,
        'validators[0].key unused_validator',
      ]);
      expect(found({ validators: ['v'] })).toEqual([`${at}.validators contradiction`]);
      expect(found({ better_direction: 'lower' })).toEqual([`${at}.better_direction contradiction`]);
      expect(found({ source: 'validators' })).toEqual([`${at}.validator contradiction`]);
    });
  });
});
