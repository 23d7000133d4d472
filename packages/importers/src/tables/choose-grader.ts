import { readNumber } from '@agentclash/challengepack';
import type { Losses } from '../framework/loss-report.js';

/** How outputs are compared with the column of expected outputs. */
export const GRADERS = ['exact', 'normalized', 'numeric', 'contains'] as const;
export type Grader = (typeof GRADERS)[number];

export interface GraderChoice {
  validator: { type: string; config?: Record<string, unknown> };
  /** A sentence of the instructions about the form of the output. */
  request: string;
  /** The reason of the choice, for people. */
  reason: string;
}

const SAME_PUNCTUATION = ['trim', 'lowercase', 'collapse_whitespace'] as const;

const CHOICES: Readonly<Record<Grader, Omit<GraderChoice, 'reason'>>> = {
  exact: { validator: { type: 'exact_match' }, request: 'Reply with the result alone.' },
  normalized: {
    validator: {
      type: 'normalized_match',
      config: { pipeline: [...SAME_PUNCTUATION, 'strip_punctuation'] },
    },
    request: 'Reply with the result alone.',
  },
  numeric: {
    validator: { type: 'numeric_match', config: { extract: 'last' } },
    request: 'End your reply with the number that is the result.',
  },
  contains: { validator: { type: 'contains' }, request: '' },
};

/** A longer output is hardly repeated word by word. */
const SHORT_LENGTH_MAX = 120;
const EXAMPLE_LENGTH_MAX = 40;

/** The grader that the expected outputs suggest; `given` decides. */
export function chooseGrader(
  expected: readonly string[],
  { given, losses }: { given: Grader | undefined; losses: Losses },
): GraderChoice {
  if (given !== undefined) return { ...CHOICES[given], reason: 'chosen with --grader' };
  const options = { extract: 'last', extract_number: false, answer_delimiter: '' } as const;
  if (expected.every((text) => isNumeral(text) && readNumber(text, options).kind === 'number')) {
    return { ...CHOICES.numeric, reason: 'every expected output is a number' };
  }
  const long = expected.filter((text) => text.length > SHORT_LENGTH_MAX || text.includes('\n')).length;
  if (long > 0) {
    losses.warn(
      `${long} of ${expected.length} expected outputs are long: a comparison of texts is probably too strict for them; ` +
        'consider a judge, or a validator such as token_f1 or rouge_score',
    );
  }
  const example = withMeaning(expected);
  if (example === undefined) {
    return {
      ...CHOICES.normalized,
      reason: 'the expected outputs are texts; case, white space and punctuation are ignored',
    };
  }
  const shown = JSON.stringify(example.slice(0, EXAMPLE_LENGTH_MAX));
  return {
    ...CHOICES.normalized,
    validator: { type: 'normalized_match', config: { pipeline: [...SAME_PUNCTUATION] } },
    reason: `the expected outputs are texts; case and white space are ignored, punctuation is part of some, as of ${shown}`,
  };
}

/** Marks of sentences and words, without which a text is the same. */
const MARKS = /(?<=\p{L})['’-](?=\p{L})|[.,;:!?](?=\s|$)|^["'“(]|["'”)]$/gu;
const PUNCTUATION = /[\p{P}\p{S}]/gu;

/** An expected output that another text equals, or that nothing is left of, without its punctuation; undefined for none. */
function withMeaning(expected: readonly string[]): string | undefined {
  const known = new Map<string, string>();
  for (const text of expected) {
    const plain = text.trim().toLowerCase();
    const bare = plain.replace(PUNCTUATION, '');
    if (bare.trim() === '' || plain.replace(MARKS, '').search(PUNCTUATION) >= 0) return text;
    if ((known.get(bare) ?? plain) !== plain) return text;
    known.set(bare, plain);
  }
  return undefined;
}

function isNumeral(text: string): boolean {
  return /^\s*[-+]?[$€£]?\d[\d.,]*(?:[eE][-+]?\d+)?\s*%?\s*$/.test(text);
}
