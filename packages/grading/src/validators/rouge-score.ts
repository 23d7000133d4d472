import type { ValidatorConfigs } from '@agentclash/challengepack';
import { commonSubsequenceLength } from '../algorithms/common-subsequence.js';
import { NgramCounter, NO_NGRAMS, overlap } from '../algorithms/ngrams.js';
import type { Symbols } from '../algorithms/symbols.js';
import { fScore } from './f-score.js';
import { graded } from './judgement.js';
import { textValidator } from './text-target.js';
import { tokenize } from './tokens.js';

type Variant = ValidatorConfigs['rouge_score']['variant'];

/** What two texts share, and how much there is of it in each. */
interface Shared {
  readonly common: number;
  readonly inCandidate: number;
  readonly inReference: number;
}

interface Pair {
  readonly candidate: Symbols;
  readonly reference: Symbols;
  readonly vocabulary: number;
}

const VARIANTS: { readonly [V in Variant]: (pair: Pair) => Shared } = {
  'rouge-1': (pair) => sharedNgrams(pair, 1),
  'rouge-2': (pair) => sharedNgrams(pair, 2),
  'rouge-l': sharedSubsequence,
};

export const rougeScore = textValidator<'rouge_score'>((actual, { expected, config }) => {
  const tokens = tokenize(actual, expected, config);
  if ('tooLarge' in tokens) return tokens.tooLarge;
  const { candidate, references, vocabulary } = tokens;
  let best = 0;
  for (const reference of references) {
    const shared = VARIANTS[config.variant]({ candidate, reference, vocabulary });
    best = Math.max(best, scoreOf(shared, config.beta));
  }
  return graded(best, config.threshold);
});

function scoreOf({ common, inCandidate, inReference }: Shared, beta: number): number {
  return common === 0 ? 0 : fScore(common / inCandidate, common / inReference, beta);
}

function sharedNgrams({ candidate, reference }: Pair, order: number): Shared {
  const counter = new NgramCounter([candidate, reference]);
  for (let below = 1; below < order; below += 1) counter.next();
  const [left = NO_NGRAMS, right = NO_NGRAMS] = counter.next();
  return { common: overlap(left, right), inCandidate: left.total, inReference: right.total };
}

function sharedSubsequence({ candidate, reference, vocabulary }: Pair): Shared {
  const common = commonSubsequenceLength(candidate, reference, vocabulary);
  return { common, inCandidate: candidate.length, inReference: reference.length };
}
