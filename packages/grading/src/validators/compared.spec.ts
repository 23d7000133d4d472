import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { judge, type Trial } from '../testing/judge.js';
import { excerpts } from './compared.js';

const FAILED: [type: string, trial: Trial, expected: string | null, actual: string | null][] = [
  ['numeric_match', { actual: '3', expected: '6' }, '6', '3'],
  ['contains', { actual: 'no', expected: 'yes' }, 'yes', 'no'],
  ['exact_match', { actual: null, expected: 'yes' }, 'yes', null],
  ['number_range', { actual: '7', config: { min: 1, max: 5 } }, 'at least 1 and at most 5', '7'],
  ['number_range', { actual: '1', config: { min: 1, exclusive_min: true } }, 'more than 1', '1'],
  ['length_range', { actual: 'a b', config: { max: 1, unit: 'words' } }, 'at most 1 words', 'a b'],
  ['xml_valid', { actual: '<a>' }, 'well-formed XML', '<a>'],
  ['file_exists', { target: 'file:out', capture: { exists: false } }, 'a file', '(no such file)'],
  [
    'file_content_match',
    { target: 'file:out', expected: 'left', capture: { exists: true, content: 'right' } },
    'left',
    'right',
  ],
  [
    'directory_structure',
    {
      target: 'file:out',
      config: { required_files: ['a'] },
      listing: { exists: true, entries: [{ path: 'b', is_dir: true }] },
    },
    'required files: a',
    'b/',
  ],
  [
    'code_execution',
    {
      target: 'file:src',
      config: { test_command: 'pytest', report_path: 'r.xml' },
      execution: {
        exit_code: 1,
        stdout_tail: 'E   assert 3 == 6\n',
        report: '<testsuite tests="2" failures="1"><testcase/><testcase><failure/></testcase></testsuite>',
      },
    },
    'every test passes',
    '2 tests, 1 failures, exit code 1\nE   assert 3 == 6',
  ],
  [
    'code_execution',
    {
      target: 'file:src',
      config: {
        reports: [
          { path: '/grader/r.xml', format: 'junit' },
          { path: '/grader/n.txt', format: 'reward' },
        ],
      },
      execution: {
        exit_code: 1,
        stdout_tail: 'failed: call 2: 3 != 6\n',
        reports: [
          {
            ...{ path: '/grader/r.xml', format: 'junit', state: 'read' },
            text: '<testsuite><testcase/><testcase name="call 2"><failure message="3 != 6"/></testcase></testsuite>',
          },
          { path: '/grader/n.txt', format: 'reward', state: 'read', text: '0.5\n' },
        ],
      },
    },
    'every test passes',
    '/grader/r.xml: 1 of 2 tests failed: call 2 (3 != 6); /grader/n.txt: 0.5, exit code 1\nfailed: call 2: 3 != 6',
  ],
  [
    'trajectory_match',
    {
      target: 'tool_calls',
      config: { mode: 'strict', expected: ['search', 'write'] },
      tool_calls: [
        { tool_name: 'read', arguments: {}, failed: false },
        { tool_name: 'search', arguments: {}, failed: true },
      ],
    },
    'search, write',
    'read, search (failed)',
  ],
];

describe('the expected and the actual values of a validator', () => {
  test.each(FAILED)('a failed %s on %j shows expected and actual', (type, trial, expected, actual) => {
    const { verdict, compared } = judge(type, trial);
    expect(verdict).toBe('fail');
    expect([compared?.expected?.text ?? null, compared?.actual?.text ?? null]).toEqual([expected, actual]);
  });

  test('an unreadable expectation is shown to its author beside the actual text', () => {
    const result = judge('numeric_match', { actual: '3', expected: 'twelve' });
    expect(result).toMatchObject({
      outcome: 'pack_error',
      compared: { expected: { text: 'twelve' }, actual: { text: '3' } },
    });
  });

  test('a pass and an ungraded attempt have no comparison', () => {
    expect(judge('numeric_match', { actual: '6', expected: '6' })).not.toHaveProperty('compared');
    const cut = judge('numeric_match', {
      attempt: { outcome: 'infra_error' },
      actual: '3',
      expected: '6',
    });
    expect(cut).not.toHaveProperty('compared');
  });
});

describe('excerpts of two texts', () => {
  test('the excerpts of two short texts are the texts themselves', () => {
    expect(excerpts('6', 'The result is 3')).toEqual({
      expected: { text: '6' },
      actual: { text: 'The result is 3' },
    });
    expect(excerpts(null, '')).toEqual({ expected: null, actual: { text: '' } });
  });

  test('the excerpts of long texts hold the first difference, at the same position in both', () => {
    const same = 'x'.repeat(50_000);
    const { expected, actual } = excerpts(`${same}A${same}`, `${same}B${same}`);
    expect(expected).toMatchObject({ from: 49_800, length: 100_001 });
    expect(actual).toMatchObject({ from: 49_800, length: 100_001 });
    expect([expected?.text[200], actual?.text[200]]).toEqual(['A', 'B']);
    expect(expected?.text).toHaveLength(2_000);
  });

  test('the excerpts of a text and its beginning show the end of the shorter one', () => {
    const { expected, actual } = excerpts('y'.repeat(5_000), `${'y'.repeat(5_000)}, and more`);
    expect(expected?.text).toBe('y'.repeat(200));
    expect(actual?.text).toBe(`${'y'.repeat(200)}, and more`);
  });

  const long = fc.tuple(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.integer({ min: 1, max: 400 }));
  test('the excerpts are parts of the texts at the given offsets, bounded, and split no character', () => {
    fc.assert(
      fc.property(long, long, long, ([before, times], [left, leftTimes], [right, rightTimes]) => {
        const [a, b] = [
          before.repeat(times) + left.repeat(leftTimes),
          before.repeat(times) + right.repeat(rightTimes),
        ];
        const { expected, actual } = excerpts(a, b);
        for (const [text, excerpt] of [
          [a, expected],
          [b, actual],
        ] as const) {
          const { text: part = '', from = 0, length = part.length } = excerpt ?? {};
          expect(text.slice(from, from + part.length)).toBe(part);
          expect(length).toBe(text.length);
          expect(part.length).toBeLessThanOrEqual(2_001);
          expect(part).not.toMatch(/[\ud800-\udfff]/u);
        }
      }),
    );
  });
});
