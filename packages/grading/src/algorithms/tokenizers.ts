import { splitWords, type Tokenizer } from '@agentclash/challengepack';
import { porterStem } from './porter-stemmer.js';

/** Shorter tokens are not stemmed by `rouge_score`. */
const STEMMED_LENGTH_MIN = 4;

/** Splits a text into tokens as the named library does. */
export const TOKENIZERS: { readonly [T in Tokenizer]: (text: string) => string[] } = {
  whitespace: splitWords,
  rouge: (text) => text.toLowerCase().match(/[a-z0-9]+/g) ?? [],
  '13a': (text) => splitWords(separated13a(text)),
};

/** The stems of tokens of the `rouge` tokenizer. */
export function stemmed(tokens: readonly string[]): string[] {
  const stems = new Map<string, string>();
  return tokens.map((token) => {
    const stem = stems.get(token) ?? (token.length < STEMMED_LENGTH_MIN ? token : porterStem(token));
    stems.set(token, stem);
    return stem;
  });
}

const ENTITIES: readonly (readonly [entity: string, character: string])[] = [
  ['&quot;', '"'],
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
];

/** mteval-v13a as sacreBLEU has it: punctuation apart, points and commas only outside of numbers. */
function separated13a(text: string): string {
  const joined = text.replaceAll('<skipped>', '').replaceAll('-\n', '').replaceAll('\n', ' ');
  const plain = ENTITIES.reduce((line, [entity, character]) => line.replaceAll(entity, character), joined);
  return ` ${plain} `
    .replace(/([{-~[-` -&(-+:-@/])/g, ' $1 ')
    .replace(/([^0-9])([.,])/g, '$1 $2 ')
    .replace(/([.,])([^0-9])/g, ' $1 $2')
    .replace(/([0-9])(-)/g, '$1 $2 ');
}
