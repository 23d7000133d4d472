import type { JsonValue } from '@agentclash/challengepack';
import { attemptOf } from '@agentclash/grading/vectors/validators';
import { afterAll, expect, test } from '@jest/globals';
import { MeasuredGrader } from '../testing/measured-grader.js';

const BLOCK_MS_MAX = 20;
const ENOUGH = 95_000;

interface Trial {
  actual: string;
  expected?: string;
}

const grader = new MeasuredGrader();
afterAll(() => grader.stop());

/** Long texts that share much, differ everywhere and repeat little: the worst for comparing. */
function noise(letters: string, seed: number): string {
  let state = seed;
  let text = '';
  while (text.length < ENOUGH) {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    text += letters.charAt((state >> 8) % letters.length);
  }
  return text;
}

const words: Trial = { actual: noise('abc ', 1), expected: noise('abd ', 2) };
const items = (from: number) =>
  Array.from({ length: 10_000 }, (_, at) => `i${(at * from) % 10_007}`).join(',');

test.each<[type: string, config: JsonValue, trial: Trial]>([
  ['fuzzy_match', {}, { actual: noise('abc ', 1), expected: noise('abd ', 2).slice(0, 20_000) }],
  ['list_match', { mode: 'ordered' }, { actual: items(7919), expected: items(1) }],
  ['normalized_match', { pipeline: ['lowercase', 'normalize_unicode', 'sort_words'] }, words],
  ['token_f1', { normalize: true, remove_punctuation: true }, words],
  ['bleu_score', { max_ngram: 10 }, words],
  ['rouge_score', {}, { actual: 'a b '.repeat(ENOUGH / 4), expected: 'c d '.repeat(ENOUGH / 4) }],
  ['rouge_score', { tokenizer: 'rouge', stemmer: true, variant: 'rouge-1' }, words],
  ['bleu_score', { tokenizer: '13a' }, words],
  ['numeric_match', { extract: 'only' }, { actual: '7 '.repeat(ENOUGH / 2), expected: '7' }],
  ['chrf_score', { char_order: 10 }, words],
  ['math_equivalence', {}, { actual: `${'(x+1)^64*'.repeat(1000)}1`, expected: 'x' }],
  ['math_equivalence', {}, { actual: `${'1+'.repeat(ENOUGH / 2)}1`, expected: '1' }],
  ['math_equivalence', {}, { actual: `${'1\\frac12+'.repeat(1500)}1`, expected: '1' }],
  ['csv_match', { ignore_row_order: true }, { actual: noise('ab,\n', 1), expected: noise('ab,\n', 2) }],
  ['xml_valid', {}, { actual: `<a>${'<b/>'.repeat(ENOUGH / 4)}</a>` }],
])(
  'a validator %s of 95 kB does not block the event loop of the service',
  async (type, config, trial) => {
    const attempt = attemptOf({ type, config, ...trial });
    // The first grading starts the thread and compiles the validator.
    await grader.resultOf(attempt);
    expect(await grader.blockMs(attempt, BLOCK_MS_MAX)).toBeLessThanOrEqual(BLOCK_MS_MAX);
  },
  60_000,
);
