import type { ValidatorConfigs } from '@agentclash/challengepack';
import { NgramCounter, NO_NGRAMS, overlap } from '../algorithms/ngrams.js';
import { CodePointAlphabet, type Symbols } from '../algorithms/symbols.js';
import { fScore } from './f-score.js';
import { graded } from './judgement.js';
import { flagged } from './text-flags.js';
import { textValidator } from './text-target.js';

type Config = ValidatorConfigs['chrf_score'];

export const chrfScore = textValidator<'chrf_score'>((actual, { expected, config }) => {
  const alphabet = new CodePointAlphabet();
  const letters = (text: string) => alphabet.encode(flagged(text, config).replace(/\p{White_Space}/gu, ''));
  const candidate = letters(actual);
  let best = 0;
  for (const reference of expected.map(letters)) best = Math.max(best, chrf(candidate, reference, config));
  return graded(best, config.threshold);
});

function chrf(candidate: Symbols, reference: Symbols, { char_order, beta }: Config): number {
  const orders = Math.min(char_order, candidate.length, reference.length);
  if (orders === 0) return candidate.length === reference.length ? 1 : 0;
  const counter = new NgramCounter([candidate, reference]);
  let precision = 0;
  let recall = 0;
  for (let order = 1; order <= orders; order += 1) {
    const [left = NO_NGRAMS, right = NO_NGRAMS] = counter.next();
    const common = overlap(left, right);
    precision += common / left.total;
    recall += common / right.total;
  }
  return fScore(precision / orders, recall / orders, beta);
}
