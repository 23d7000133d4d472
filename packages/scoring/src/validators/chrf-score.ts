import type { Steps, ValidatorConfigs } from '@agentclash/challengepack';
import { NgramCounter, overlap, total } from '../algorithms/ngrams.js';
import { Alphabet, type Symbols } from '../algorithms/symbols.js';
import { fScore } from './f-score.js';
import { graded } from './judgement.js';
import { flagged } from './text-flags.js';
import { textValidator } from './text-target.js';

type Config = ValidatorConfigs['chrf_score'];

export const chrfScore = textValidator<'chrf_score'>(function* (actual, { expected, config }) {
  const alphabet = new Alphabet();
  const letters = (text: string) => alphabet.encode(flagged(text, config).replace(/\p{White_Space}/gu, ''));
  const candidate = letters(actual);
  let best = 0;
  for (const reference of expected.map(letters))
    best = Math.max(best, yield* chrf(candidate, reference, config));
  return graded(best, config.threshold);
});

function* chrf(candidate: Symbols, reference: Symbols, { char_order, beta }: Config): Steps<number> {
  const orders = Math.min(char_order, candidate.length, reference.length);
  if (orders === 0) return candidate.length === reference.length ? 1 : 0;
  const counter = new NgramCounter([candidate, reference]);
  let precision = 0;
  let recall = 0;
  for (let order = 1; order <= orders; order += 1) {
    const [left = new Map(), right = new Map()] = yield* counter.next();
    const common = overlap(left, right);
    precision += common / total(left) / orders;
    recall += common / total(right) / orders;
  }
  return fScore(precision, recall, beta);
}
