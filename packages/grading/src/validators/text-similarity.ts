import {
  type DistanceScale,
  type NormalizationStep,
  type Smoothing,
  splitWords,
  TOKENS_MAX,
  type Tokenizer,
  type ValidatorConfigs,
} from '@agentclash/challengepack';
import { mostOf, NgramCounter, NO_NGRAMS, overlap } from '../algorithms/ngrams.js';
import { commonSubsequenceLength, levenshteinDistance } from '../algorithms/sequences.js';
import { Alphabet, CodePointAlphabet, type Symbols } from '../algorithms/symbols.js';
import { stemmed, TOKENIZERS } from '../algorithms/tokenizers.js';
import { graded, type Judgement, packError, TOO_LARGE } from './judgement.js';
import { flagged, normalizeText } from './text-forms.js';
import { textValidator } from './text-target.js';

const fuzzyMatch = textValidator<'fuzzy_match'>((actual, { expected, config }) => {
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

type TokenF1Config = ValidatorConfigs['token_f1'];

const tokenF1 = textValidator<'token_f1'>((actual, { expected, config }) => {
  const steps = normalizationOf(config);
  const left = splitWords(normalizeText(actual, steps));
  const right = splitWords(normalizeText(expected, steps));
  return graded(tokenOverlap(left, right), config.threshold);
});

function normalizationOf({
  normalize,
  remove_punctuation,
  remove_articles,
}: TokenF1Config): NormalizationStep[] {
  return [
    ...(normalize ? (['trim', 'lowercase', 'collapse_whitespace'] as const) : []),
    ...(remove_punctuation ? (['strip_punctuation'] as const) : []),
    ...(remove_articles ? (['remove_articles'] as const) : []),
  ];
}

function tokenOverlap(left: readonly string[], right: readonly string[]): number {
  if (left.length + right.length === 0) return 1;
  const unused = new Map<string, number>();
  for (const token of right) unused.set(token, (unused.get(token) ?? 0) + 1);
  let common = 0;
  for (const token of left) {
    const count = unused.get(token) ?? 0;
    if (count === 0) continue;
    common += 1;
    unused.set(token, count - 1);
  }
  return (2 * common) / (left.length + right.length);
}

type BleuConfig = ValidatorConfigs['bleu_score'];

const bleuScore = textValidator<'bleu_score'>((actual, { expected, config }) => {
  const tokens = tokenize(actual, expected, config);
  if ('tooLarge' in tokens) return tokens.tooLarge;
  const score = bleu(tokens.candidate, tokens.references, config);
  return graded(score, config.threshold);
});

function bleu(candidate: Symbols, references: readonly Symbols[], config: BleuConfig): number {
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

type RougeVariant = ValidatorConfigs['rouge_score']['variant'];

/** The common part of two texts, and its share of each. */
interface Shared {
  readonly common: number;
  readonly inCandidate: number;
  readonly inReference: number;
}

interface Pair {
  readonly candidate: Symbols;
  readonly reference: Symbols;
  readonly vocabulary: number;
}

const VARIANTS: { readonly [V in RougeVariant]: (pair: Pair) => Shared } = {
  'rouge-1': (pair) => sharedNgrams(pair, 1),
  'rouge-2': (pair) => sharedNgrams(pair, 2),
  'rouge-l': sharedSubsequence,
};

const rougeScore = textValidator<'rouge_score'>((actual, { expected, config }) => {
  const tokens = tokenize(actual, expected, config);
  if ('tooLarge' in tokens) return tokens.tooLarge;
  const { candidate, references, vocabulary } = tokens;
  let best = 0;
  for (const reference of references) {
    const shared = VARIANTS[config.variant]({ candidate, reference, vocabulary });
    best = Math.max(best, rouge(shared, config.beta));
  }
  return graded(best, config.threshold);
});

function rouge({ common, inCandidate, inReference }: Shared, beta: number): number {
  return common === 0 ? 0 : fScore(common / inCandidate, common / inReference, beta);
}

function sharedNgrams({ candidate, reference }: Pair, order: number): Shared {
  const counter = new NgramCounter([candidate, reference]);
  for (let below = 1; below < order; below += 1) counter.next();
  const [left = NO_NGRAMS, right = NO_NGRAMS] = counter.next();
  return { common: overlap(left, right), inCandidate: left.total, inReference: right.total };
}

function sharedSubsequence({ candidate, reference, vocabulary }: Pair): Shared {
  const common = commonSubsequenceLength(candidate, reference, vocabulary);
  return { common, inCandidate: candidate.length, inReference: reference.length };
}

type ChrfConfig = ValidatorConfigs['chrf_score'];

const chrfScore = textValidator<'chrf_score'>((actual, { expected, config }) => {
  const alphabet = new CodePointAlphabet();
  const letters = (text: string) => alphabet.encode(flagged(text, config).replace(/\p{White_Space}/gu, ''));
  const candidate = letters(actual);
  let best = 0;
  for (const reference of expected.map(letters)) best = Math.max(best, chrf(candidate, reference, config));
  return graded(best, config.threshold);
});

function chrf(candidate: Symbols, reference: Symbols, { char_order, beta }: ChrfConfig): number {
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

/** A candidate text and its references as words, numbered alike. */
interface TokenizedTexts {
  readonly candidate: Symbols;
  readonly references: readonly Symbols[];
  /** The number of distinct words. */
  readonly vocabulary: number;
}

interface TokenOptions {
  readonly case_insensitive: boolean;
  readonly normalize: boolean;
  readonly tokenizer: Tokenizer;
  readonly stemmer?: boolean;
}

/** Splits texts into tokens after the flags have been applied to them, or reports which side has too many. */
function tokenize(
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

/** The weighted harmonic mean of precision and recall, recall weighing β² times as much; 0 when both are 0. */
function fScore(precision: number, recall: number, beta: number): number {
  const weight = beta * beta;
  const divisor = weight * precision + recall;
  return divisor === 0 ? 0 : ((1 + weight) * precision * recall) / divisor;
}

export const TEXT_SIMILARITY = {
  fuzzy_match: fuzzyMatch,
  token_f1: tokenF1,
  bleu_score: bleuScore,
  rouge_score: rougeScore,
  chrf_score: chrfScore,
};
