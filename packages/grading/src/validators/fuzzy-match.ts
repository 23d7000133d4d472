import type { DistanceScale } from '@agentclash/challengepack';
import { levenshteinDistance } from '../algorithms/levenshtein.js';
import { CodePointAlphabet } from '../algorithms/symbols.js';
import { graded } from './judgement.js';
import { flagged } from './text-flags.js';
import { textValidator } from './text-target.js';

export const fuzzyMatch = textValidator<'fuzzy_match'>((actual, { expected, config }) => {
  const score = similarity(flagged(actual, config), flagged(expected, config), config.relative_to);
  return graded(score, config.threshold);
});

const SCALES: { readonly [S in DistanceScale]: (a: number, b: number) => number } = {
  sum: (a, b) => a + b,
  longest: Math.max,
};

/** 1 for equal texts. Relative to the sum, texts of one length score 0.5 or more; relative to the longest, 0 or more. */
function similarity(a: string, b: string, relativeTo: DistanceScale): number {
  const alphabet = new CodePointAlphabet();
  const [left, right] = [alphabet.encode(a), alphabet.encode(b)];
  const scale = SCALES[relativeTo](left.length, right.length);
  if (scale === 0) return 1;
  const distance = levenshteinDistance(left, right, alphabet.size);
  return (scale - distance) / scale;
}
