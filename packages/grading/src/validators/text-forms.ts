import {
  collapseWhiteSpace,
  compareCodePoints,
  foldCase,
  type NormalizationStep,
  splitWords,
  stripCurrency,
  trim,
} from '@agentclash/challengepack';

/** The text as the flags of a comparison let it be seen. */
export function flagged(text: string, flags: { case_insensitive?: boolean; normalize?: boolean }): string {
  const spaced = flags.normalize ? collapseWhiteSpace(trim(text)) : text;
  return flags.case_insensitive ? foldCase(spaced) : spaced;
}

const NORMALIZATIONS: { readonly [S in NormalizationStep]: (text: string) => string } = {
  trim,
  lowercase: foldCase,
  collapse_whitespace: collapseWhiteSpace,
  strip_punctuation: (text) => text.replace(/[\p{P}\p{S}]/gu, ''),
  strip_currency: stripCurrency,
  strip_formatting: (text) => text.replace(/[,()[\]]/g, ''),
  normalize_unicode: (text) => text.normalize('NFKC'),
  // Without the flag `u`, \b matches between ASCII word characters and everything else.
  remove_articles: (text) => text.replace(/\b(?:a|an|the)\b/g, ' '),
  sort_words: (text) => splitWords(text).sort(orderFor(text)).join(' '),
  sort_lines: (text) => text.replaceAll('\r\n', '\n').split('\n').sort(orderFor(text)).join('\n'),
};

/** The text after all steps, in the order given. */
export function normalizeText(text: string, steps: readonly NormalizationStep[]): string {
  let current = text;
  for (const step of steps) {
    current = NORMALIZATIONS[step](current);
  }
  return current;
}

/** Code point order. Without surrogates it is JavaScript's own, which is many times faster. */
function orderFor(text: string): typeof compareCodePoints | undefined {
  return /[\ud800-\udfff]/.test(text) ? compareCodePoints : undefined;
}
