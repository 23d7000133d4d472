import { type Steps, splitWords, type ValidatorConfigs } from '@agentclash/challengepack';
import { NgramCounter, type NgramCounts, overlap, total } from '../algorithms/ngrams.js';
import { Alphabet, type Symbols } from '../algorithms/symbols.js';
import { graded } from './judgement.js';
import { flagged } from './text-flags.js';
import { textValidator } from './text-target.js';

type Config = ValidatorConfigs['bleu_score'];

export const bleuScore = textValidator<'bleu_score'>(function* (actual, { expected, config }) {
  const alphabet = new Alphabet();
  const tokens = (text: string) => alphabet.encode(splitWords(flagged(text, config)));
  const score = yield* bleu(tokens(actual), expected.map(tokens), config);
  return graded(score, config.threshold);
});

function* bleu(candidate: Symbols, references: readonly Symbols[], config: Config): Steps<number> {
  if (candidate.length === 0) return references.length === 1 && references[0]?.length === 0 ? 1 : 0;
  const orders = Math.min(config.max_ngram, candidate.length);
  const counter = new NgramCounter([candidate, ...references]);
  let logarithms = 0;
  for (let order = 1; order <= orders; order += 1) {
    const [counts = new Map(), ...referenceCounts] = yield* counter.next();
    logarithms += Math.log(
      precision(counts, mostOf(referenceCounts), { order, smoothing: config.smoothing }),
    );
  }
  return Math.exp(logarithms / orders) * brevityPenalty(candidate, references);
}

function precision(
  counts: NgramCounts,
  allowed: NgramCounts,
  { order, smoothing }: { order: number; smoothing: Config['smoothing'] },
): number {
  const matched = overlap(counts, allowed);
  if (matched === 0 && order > 1 && smoothing === 'method1') return 1 / (total(counts) + 1);
  return matched / total(counts);
}

/** Each n-gram as often as the reference that has it most often. */
function mostOf(references: readonly NgramCounts[]): NgramCounts {
  const most = new Map<number, number>();
  for (const counts of references) {
    for (const [ngram, count] of counts) most.set(ngram, Math.max(count, most.get(ngram) ?? 0));
  }
  return most;
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
