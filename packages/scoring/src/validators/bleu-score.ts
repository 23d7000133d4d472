import type { Steps, ValidatorConfigs } from '@agentclash/challengepack';
import { mostOf, NgramCounter, NO_NGRAMS, overlap } from '../algorithms/ngrams.js';
import type { Symbols } from '../algorithms/symbols.js';
import { graded } from './judgement.js';
import { textValidator } from './text-target.js';
import { tokenize } from './tokens.js';

type Config = ValidatorConfigs['bleu_score'];

export const bleuScore = textValidator<'bleu_score'>(function* (actual, { expected, config }) {
  const { candidate, references } = yield* tokenize(actual, expected, config);
  const score = yield* bleu(candidate, references, config);
  return graded(score, config.threshold);
});

function* bleu(candidate: Symbols, references: readonly Symbols[], config: Config): Steps<number> {
  if (candidate.length === 0) return references.length === 1 && references[0]?.length === 0 ? 1 : 0;
  const orders = Math.min(config.max_ngram, candidate.length);
  const counter = new NgramCounter([candidate, ...references]);
  let logarithms = 0;
  for (let order = 1; order <= orders; order += 1) {
    const [counts = NO_NGRAMS, ...referenceCounts] = yield* counter.next();
    const matched = yield* overlap(counts, yield* mostOf(referenceCounts));
    const isSmoothed = matched === 0 && order > 1 && config.smoothing === 'method1';
    logarithms += Math.log(isSmoothed ? 1 / (counts.total + 1) : matched / counts.total);
  }
  return Math.exp(logarithms / orders) * brevityPenalty(candidate, references);
}

function brevityPenalty(candidate: Symbols, references: readonly Symbols[]): number {
  const closest = closestLength(
    candidate.length,
    references.map(({ length }) => length),
  );
  return candidate.length < closest ? Math.exp(1 - closest / candidate.length) : 1;
}

/** Of lengths equally close, the shorter. */
function closestLength(length: number, lengths: readonly number[]): number {
  return lengths.reduce((best, other) => {
    const nearer = Math.abs(other - length) - Math.abs(best - length);
    return nearer < 0 || (nearer === 0 && other < best) ? other : best;
  });
}
