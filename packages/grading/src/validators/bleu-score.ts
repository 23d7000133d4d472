import type { Smoothing, ValidatorConfigs } from '@agentclash/challengepack';
import { mostOf, NgramCounter, NO_NGRAMS, overlap } from '../algorithms/ngrams.js';
import type { Symbols } from '../algorithms/symbols.js';
import { graded } from './judgement.js';
import { textValidator } from './text-target.js';
import { tokenize } from './tokens.js';

type Config = ValidatorConfigs['bleu_score'];

export const bleuScore = textValidator<'bleu_score'>((actual, { expected, config }) => {
  const tokens = tokenize(actual, expected, config);
  if ('tooLarge' in tokens) return tokens.tooLarge;
  const score = bleu(tokens.candidate, tokens.references, config);
  return graded(score, config.threshold);
});

function bleu(candidate: Symbols, references: readonly Symbols[], config: Config): number {
  if (candidate.length === 0) return references.length === 1 && references[0]?.length === 0 ? 1 : 0;
  const orders = Math.min(config.max_ngram, candidate.length);
  const counter = new NgramCounter([candidate, ...references]);
  const precisionOf = SMOOTHINGS[config.smoothing]();
  let logarithms = 0;
  for (let order = 1; order <= orders; order += 1) {
    const [counts = NO_NGRAMS, ...referenceCounts] = counter.next();
    const matched = overlap(counts, mostOf(referenceCounts));
    // Without a single common token nothing can be smoothed.
    if (order === 1 && matched === 0) return 0;
    logarithms += Math.log(precisionOf({ matched, total: counts.total, order }));
  }
  return Math.exp(logarithms / orders) * brevityPenalty(candidate, references);
}

interface Order {
  readonly matched: number;
  readonly total: number;
  readonly order: number;
}

/** The precision of each order, by method; one that counts unmatched orders restarts for every text. */
const SMOOTHINGS: { readonly [S in Smoothing]: () => (order: Order) => number } = {
  none: () => plain,
  nltk_method1: () => (order) => (order.matched === 0 ? EPSILON / order.total : plain(order)),
  method2: () => (order) => (order.order === 1 ? plain(order) : (order.matched + 1) / (order.total + 1)),
  method3: () => {
    let unmatched = 0;
    return (order) => {
      if (order.matched > 0) return plain(order);
      unmatched += 1;
      return 1 / (2 ** unmatched * order.total);
    };
  },
  method1: () => (order) => (order.matched === 0 && order.order > 1 ? 1 / (order.total + 1) : plain(order)),
};

const EPSILON = 0.1;

function plain({ matched, total }: Order): number {
  return matched / total;
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
