import type { ValidatorEntry } from './validator-entry.js';

const REFERENCES = 'one text, or a JSON array of texts';

const FLAGS = [
  'Flags',
  '`normalize` (trim, runs of white space become one space) and `case_insensitive` are applied to both sides first.',
] as const;

const SIZE = ['Limits', 'Above 50,000 tokens on a side nothing is scored: `input_too_large`.'] as const;

export const GENERATED_TEXT_ENTRIES = {
  token_f1: {
    summary: 'Scores the words that two texts share as F1 over multisets, and passes from the threshold.',
    expected: 'text',
    rules: [
      [
        'Tokens',
        'Runs without white space. Before, in this order: `normalize` (trim, lower-case, collapse), `remove_punctuation`, `remove_articles` (lower-case a, an, the). All three make it the F1 of SQuAD.',
      ],
      [
        'Formula',
        '2m / (a + b) over a and b tokens, m in common, each as often as in the text that has fewer; two empty texts score 1.',
      ],
      SIZE,
    ],
    example: {
      validator: {
        expected_from: 'literal:the Eiffel Tower',
        config: { normalize: true, remove_articles: true },
      },
      passes: { output: 'Eiffel Tower' },
      fails: { output: 'A tower in Paris', reason: 'below_threshold' },
    },
  },
  bleu_score: {
    summary: 'Scores n-gram precision with a brevity penalty (sentence BLEU), and passes from the threshold.',
    expected: REFERENCES,
    rules: [
      [
        'Tokens',
        'Split at white space, case kept. `tokenizer: 13a` splits as sacreBLEU does by default, `rouge` as rouge_score.',
      ],
      [
        'Formula',
        'The geometric mean of the clipped precisions of the orders 1 to `max_ngram` (no more than the candidate has tokens), times exp(1 − r/c) when the candidate of c tokens is shorter than the nearest reference length r; ties go to the shorter. Without a common token 0.',
      ],
      [
        'Smoothing',
        'Without it one order without a match makes the score 0. `method3` with `13a` is what sacreBLEU calls `exp`, its default; `method2` is its `add-k` with k = 1; `nltk_method1` its `floor` with 0.1.',
      ],
      FLAGS,
      SIZE,
    ],
    example: {
      validator: {
        expected_from: 'literal:The cat sat on the mat.',
        config: { tokenizer: '13a', smoothing: 'method3' },
      },
      passes: { output: 'The cat sat on a mat.' },
      fails: { output: 'A dog ran.', reason: 'below_threshold' },
    },
  },
  rouge_score: {
    summary:
      'Scores the n-grams or the word sequence that a text shares with a reference (ROUGE), and passes from the threshold.',
    expected: REFERENCES,
    rules: [
      [
        'Tokens',
        'Split at white space, case kept. `tokenizer: rouge` is what the rouge_score library does: lower-case runs of ASCII letters and digits; `stemmer: true` stems those of four or more characters as NLTK does.',
      ],
      [
        'Formula',
        'P = m / tokens of the output, R = m / tokens of the reference, (1 + β²)PR / (β²P + R); m counts common n-grams (`rouge-1`, `rouge-2`) or the longest common subsequence (`rouge-l`). The best reference counts. Empty against empty is 0.',
      ],
      FLAGS,
      SIZE,
    ],
    example: {
      validator: {
        expected_from: 'literal:The cats were running.',
        config: { tokenizer: 'rouge', stemmer: true },
      },
      passes: { output: 'the cat runs' },
      fails: { output: 'a dog sleeps', reason: 'below_threshold' },
    },
  },
  chrf_score: {
    summary:
      'Scores character n-grams that a text shares with a reference (chrF), and passes from the threshold.',
    expected: REFERENCES,
    rules: [
      ['Tokens', 'Characters (code points); white space is dropped.'],
      [
        'Formula',
        'The mean precision P and mean recall R over the orders 1 to `char_order` (no more than either side has), then (1 + β²)PR / (β²P + R). The best reference counts. As sacreBLEU has it, with scores of 0 to 1.',
      ],
      FLAGS,
      ['Limits', 'Above 100,000 characters on a side nothing is scored: `input_too_large`.'],
    ],
    example: {
      validator: { expected_from: 'literal:organisation', config: { threshold: 0.5 } },
      passes: { output: 'organization' },
      fails: { output: 'origin', reason: 'below_threshold' },
    },
  },
} as const satisfies Record<string, ValidatorEntry>;
