import { type Steps, splitWords } from '@agentclash/challengepack';
import { Alphabet, type Symbols } from '../algorithms/symbols.js';
import { flagged } from './text-flags.js';

/** A candidate text and its references as words, numbered alike. */
export interface TokenizedTexts {
  readonly candidate: Symbols;
  readonly references: readonly Symbols[];
  /** How many different words there are. */
  readonly vocabulary: number;
}

/** Splits texts at white space after the flags have been applied to them. */
export function* tokenize(
  actual: string,
  expected: readonly string[],
  flags: { case_insensitive: boolean; normalize: boolean },
): Steps<TokenizedTexts> {
  const alphabet = new Alphabet();
  const candidate = alphabet.encode(splitWords(flagged(actual, flags)));
  const references: Symbols[] = [];
  for (const text of expected) {
    yield;
    references.push(alphabet.encode(splitWords(flagged(text, flags))));
  }
  yield;
  return { candidate, references, vocabulary: alphabet.size };
}
