import type { Steps, ValidatorConfigs } from '@agentclash/challengepack';
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

const VARIANTS: { readonly [V in Variant]: (pair: Pair) => Steps<Shared> } = {
  'rouge-1': (pair) => sharedNgrams(pair, 1),
  'rouge-2': (pair) => sharedNgrams(pair, 2),
  'rouge-l': sharedSubsequence,
};

export const rougeScore = textValidator<'rouge_score'>(function* (actual, { expected, config }) {
  const tokens = yield* tokenize(actual, expected, config);
  if ('tooLarge' in tokens) return tokens.tooLarge;
  const { candidate, references, vocabulary } = tokens;
  let best = 0;
  for (const reference of references) {
    const shared = yield* VARIANTS[config.variant]({ candidate, reference, vocabulary });
    best = Math.max(best, scoreOf(shared, config.beta));
  }
  return graded(best, config.threshold);
});

function scoreOf({ common, inCandidate, inReference }: Shared, beta: number): number {
  return common === 0 ? 0 : fScore(common / inCandidate, common / inReference, beta);
}

function* sharedNgrams({ candidate, reference }: Pair, order: number): Steps<Shared> {
  const counter = new NgramCounter([candidate, reference]);
  for (let below = 1; below < order; below += 1) yield* counter.next();
  const [left = NO_NGRAMS, right = NO_NGRAMS] = yield* counter.next();
  return { common: yield* overlap(left, right), inCandidate: left.total, inReference: right.total };
}

function* sharedSubsequence({ candidate, reference, vocabulary }: Pair): Steps<Shared> {
  const common = yield* commonSubsequenceLength(candidate, reference, vocabulary);
  return { common, inCandidate: candidate.length, inReference: reference.length };
}
