import type { Steps } from '@agentclash/challengepack';
import { levenshteinDistance } from '../algorithms/levenshtein.js';
import { CodePointAlphabet } from '../algorithms/symbols.js';
import { graded } from './judgement.js';
import { flagged } from './text-flags.js';
import { textValidator } from './text-target.js';

export const fuzzyMatch = textValidator<'fuzzy_match'>(function* (actual, { expected, config }) {
  const score = yield* similarity(flagged(actual, config), flagged(expected, config));
  return graded(score, config.threshold);
});

/** 1 for equal texts, 0 for texts that share nothing in length or letters. */
function* similarity(a: string, b: string): Steps<number> {
  const alphabet = new CodePointAlphabet();
  const [left, right] = [alphabet.encode(a), alphabet.encode(b)];
  const lengths = left.length + right.length;
  if (lengths === 0) return 1;
  const distance = yield* levenshteinDistance(left, right, alphabet.size);
  return (lengths - distance) / lengths;
}
