import { TOKENS_MAX, type Tokenizer } from '@agentclash/challengepack';

import { Alphabet, type Symbols } from '../algorithms/symbols.js';
import { stemmed, TOKENIZERS } from '../algorithms/tokenizers.js';
import { type Judgement, packError, TOO_LARGE } from './judgement.js';
import { flagged } from './text-flags.js';

/** A candidate text and its references as words, numbered alike. */
export interface TokenizedTexts {
  readonly candidate: Symbols;
  readonly references: readonly Symbols[];
  /** How many different words there are. */
  readonly vocabulary: number;
}

interface TokenOptions {
  readonly case_insensitive: boolean;
  readonly normalize: boolean;
  readonly tokenizer: Tokenizer;
  readonly stemmer?: boolean;
}

/** Splits texts into tokens after the flags have been applied to them, or reports which side has too many. */
export function tokenize(
  actual: string,
  expected: readonly string[],
  options: TokenOptions,
): TokenizedTexts | { readonly tooLarge: Judgement } {
  const alphabet = new Alphabet();
  const references: Symbols[] = [];
  for (const text of expected) {
    const tokens = tokensOf(text, options);
    if (tokens.length > TOKENS_MAX) return { tooLarge: packError('input_too_large') };
    references.push(alphabet.encode(tokens));
  }
  const tokens = tokensOf(actual, options);
  if (tokens.length > TOKENS_MAX) return { tooLarge: TOO_LARGE };
  return { candidate: alphabet.encode(tokens), references, vocabulary: alphabet.size };
}

function tokensOf(text: string, options: TokenOptions): string[] {
  const tokens = TOKENIZERS[options.tokenizer](flagged(text, options));
  return options.stemmer && options.tokenizer === 'rouge' ? stemmed(tokens) : tokens;
}
