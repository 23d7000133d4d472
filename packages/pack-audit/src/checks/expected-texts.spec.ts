import { readPack } from '@agentclash/challengepack';
import { localPack } from '@agentclash/local-attempts';
import { describe, expect, test } from '@jest/globals';
import { noteExpectedTexts } from './expected-texts.js';

interface CaseParts {
  expected: string | number;
  payload?: object;
}

/** The codes of the notes about a pack with these cases, and the cases that they name. */
async function notes(cases: readonly CaseParts[], validator: object = { type: 'exact_match' }) {
  const document = {
    pack: { slug: 'questions', name: 'Questions', family: 'knowledge' },
    version: {
      number: 1,
      execution_mode: 'prompt_eval',
      evaluation_spec: {
        ...{ name: 'questions', version_number: 1, judge_mode: 'deterministic' },
        validators: [
          { key: 'text', target: 'final_output', expected_from: 'case.expectations.text', ...validator },
        ],
        scorecard: { dimensions: ['correctness'], pass_threshold: 1 },
      },
    },
    challenges: [
      { ...{ key: 'c', title: 'Reply', category: 'a', difficulty: 'easy' }, instructions: 'Reply.' },
    ],
    input_sets: [
      {
        ...{ key: 'default', name: 'Default' },
        cases: cases.map(({ expected, payload = {} }, index) => ({
          ...{ challenge_key: 'c', case_key: `k${index}`, payload: { number: index, ...payload } },
          expectations: [{ key: 'text', kind: 'text', value: `${expected}` }],
        })),
      },
    ],
  };
  const { pack, problems } = readPack(Buffer.from(JSON.stringify(document)));
  if (!pack) throw new Error(problems.map(({ field, message }) => `${field}: ${message}`).join('; '));
  const audited = await localPack({ pack, digest: 'digest', problems }, async () => undefined);
  return noteExpectedTexts(audited).map(({ code, case_key, other_case_keys = [] }) =>
    [code, ...(case_key === undefined ? [] : [case_key]), ...other_case_keys].join(' '),
  );
}

const withText = (text: string, expected: string | number): CaseParts => ({ expected, payload: { text } });

describe('an expected text that the task contains', () => {
  test('A text in other case counts, but not a whole field, whose case may be the task.', async () => {
    const other = withText('x', 'Granite');
    expect(await notes([withText('the code is BLUE whale 7', 'Blue Whale'), other])).toEqual([
      'expected_text_in_task k0',
    ]);
    expect(await notes([withText('blue whale', 'BLUE WHALE'), other])).toEqual([]);
  });

  test('A distinctive text that is a word of a longer text of the payload has a note, with its cases.', async () => {
    const cases = [
      withText('The river Orinoco is long.', 'Orinoco'),
      withText('Nothing of it.', 'Limpopo'),
      { expected: 'Zambezi', payload: { rows: [{ notes: 'see Zambezi' }] } },
      withText('In all, 1729 of them.', 1729),
    ];
    expect(await notes(cases)).toEqual(['expected_text_in_task k0 k2 k3']);
  });

  test.each([
    ['a yes', withText('It is a yes, clearly.', 'yes')],
    ['a figure', withText('There are 4 of them.', 4)],
    ['a letter', withText('A or B?', 'B')],
    ['a part of a word', withText('The Orinocos are many.', 'Orinoco')],
    ['an option of a list', { expected: 'Orinoco', payload: { options: ['Orinoco', 'Amazon river'] } }],
  ])('There is none for %s.', async (_, each) => {
    expect(await notes([each])).toEqual([]);
  });

  test('There is none for a label that many cases expect, nor for a text that must not be the reply.', async () => {
    const labels = Array.from({ length: 4 }, () => withText('A positive surprise.', 'positive'));
    expect(await notes(labels)).toEqual([]);
    const inverse = { type: 'exact_match', expect: false };
    expect(await notes([withText('The river Orinoco.', 'Orinoco')], inverse)).toEqual([]);
  });
});

describe('expected of which nearly all are the same', () => {
  const expecting = (same: number, others: number) => [
    ...Array.from({ length: same }, () => ({ expected: 'yes' })),
    ...Array.from({ length: others }, (_, index) => ({ expected: `no ${index}` })),
  ];

  test('Nine of ten have a note, eight of ten and nine of nine do not.', async () => {
    expect(await notes(expecting(9, 1))).toEqual(['expectations_alike']);
    expect(await notes(expecting(8, 2))).toEqual([]);
    expect(await notes(expecting(8, 1))).toEqual([]);
  });

  test('The same in all of them is the warning of the document alone.', async () => {
    expect(await notes(expecting(10, 0))).toEqual([]);
  });
});
