/**
 * Porter's stemmer of 1980 with the changes that NLTK makes by default, which is what the `rouge_score` library stems
 * with. Words are lower-case ASCII letters and digits.
 */
export function porterStem(word: string): string {
  const irregular = IRREGULAR.get(word);
  if (irregular !== undefined) return irregular;
  return word.length <= 2 ? word : STEPS.reduce((stem, step) => step(stem), word);
}

type Step = (word: string) => string;
type Condition = (stem: string) => boolean;
/** The first rule whose suffix the word has decides: its condition holds of the stem, or nothing changes. */
type Rule = readonly [suffix: string, replacement: string, condition?: Condition];

const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ...['sky', 'skies'].map((word) => [word, 'sky'] as const),
  ...['innings', 'inning'].map((word) => [word, 'inning'] as const),
  ...['outings', 'outing'].map((word) => [word, 'outing'] as const),
  ...['cannings', 'canning'].map((word) => [word, 'canning'] as const),
  ...['news', 'howe', 'proceed', 'exceed', 'succeed'].map((word) => [word, word] as const),
  ['dying', 'die'],
  ['lying', 'lie'],
  ['tying', 'tie'],
]);

const isLong: Condition = (stem) => measure(stem) > 0;
const isLonger: Condition = (stem) => measure(stem) > 1;

const PLURALS: readonly Rule[] = [
  ['sses', 'ss'],
  ['ies', 'i'],
  ['ss', 'ss'],
  ['s', ''],
];

const DOUBLE_SUFFIXES: readonly Rule[] = [
  ...(
    [
      ['ational', 'ate'],
      ['tional', 'tion'],
      ['enci', 'ence'],
      ['anci', 'ance'],
      ['izer', 'ize'],
      ['bli', 'ble'],
      ['alli', 'al'],
      ['entli', 'ent'],
      ['eli', 'e'],
      ['ousli', 'ous'],
      ['ization', 'ize'],
      ['ation', 'ate'],
      ['ator', 'ate'],
      ['alism', 'al'],
      ['iveness', 'ive'],
      ['fulness', 'ful'],
      ['ousness', 'ous'],
      ['aliti', 'al'],
      ['iviti', 'ive'],
      ['biliti', 'ble'],
      ['fulli', 'ful'],
    ] as const
  ).map(([suffix, replacement]): Rule => [suffix, replacement, isLong]),
  // The l belongs to the stem, so that `geo` is as long as `philo`.
  ['logi', 'log', (stem) => isLong(`${stem}l`)],
];

const OTHER_SUFFIXES: readonly Rule[] = (
  [
    ['icate', 'ic'],
    ['ative', ''],
    ['alize', 'al'],
    ['iciti', 'ic'],
    ['ical', 'ic'],
    ['ful', ''],
    ['ness', ''],
  ] as const
).map(([suffix, replacement]): Rule => [suffix, replacement, isLong]);

const DROPPED_SUFFIXES: readonly Rule[] = [
  ...['al', 'ance', 'ence', 'er', 'ic', 'able', 'ible', 'ant', 'ement', 'ment', 'ent'].map(
    (suffix): Rule => [suffix, '', isLonger],
  ),
  ['ion', '', (stem) => isLonger(stem) && /[st]$/.test(stem)],
  ...['ou', 'ism', 'ate', 'iti', 'ous', 'ive', 'ize'].map((suffix): Rule => [suffix, '', isLonger]),
];

const STEPS: readonly Step[] = [
  (word) => (word.endsWith('ies') && word.length === 4 ? word.slice(0, -1) : applied(PLURALS, word)),
  withoutPast,
  (word) => applied([['y', 'i', (stem) => stem.length > 1 && isConsonant(stem, stem.length - 1)]], word),
  withoutDoubleSuffix,
  (word) => applied(OTHER_SUFFIXES, word),
  (word) => applied(DROPPED_SUFFIXES, word),
  withoutFinalE,
  (word) => (word.endsWith('ll') && isLonger(word.slice(0, -1)) ? word.slice(0, -1) : word),
];

function applied(rules: readonly Rule[], word: string): string {
  const rule = rules.find(([suffix]) => word.endsWith(suffix));
  if (rule === undefined) return word;
  const [suffix, replacement, condition] = rule;
  const stem = word.slice(0, word.length - suffix.length);
  return (condition?.(stem) ?? true) ? stem + replacement : word;
}

function withoutPast(word: string): string {
  if (word.endsWith('ied')) return word.slice(0, word.length === 4 ? -1 : -2);
  if (word.endsWith('eed')) return isLong(word.slice(0, -3)) ? word.slice(0, -1) : word;
  const suffix = ['ed', 'ing'].find(
    (ending) => word.endsWith(ending) && hasVowel(word.slice(0, -ending.length)),
  );
  return suffix === undefined ? word : repaired(word.slice(0, -suffix.length));
}

/** Gives back what was lost before -ed and -ing: `siz` is size, `hopp` is hop, `fil` is file. */
function repaired(stem: string): string {
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  const last = stem.length - 1;
  if (last > 0 && stem[last] === stem[last - 1] && isConsonant(stem, last)) {
    return /[lsz]$/.test(stem) ? stem : stem.slice(0, -1);
  }
  return measure(stem) === 1 && endsShort(stem) ? `${stem}e` : stem;
}

function withoutDoubleSuffix(word: string): string {
  const isAdverb = word.endsWith('alli') && isLong(word.slice(0, -4));
  return isAdverb ? withoutDoubleSuffix(word.slice(0, -2)) : applied(DOUBLE_SUFFIXES, word);
}

function withoutFinalE(word: string): string {
  if (!word.endsWith('e')) return word;
  const stem = word.slice(0, -1);
  const isSpare = measure(stem) > 1 || (measure(stem) === 1 && !endsShort(stem));
  return isSpare ? stem : word;
}

/** The number of sequences of vowels that are followed by a consonant. */
function measure(stem: string): number {
  return kindsOf(stem).match(/v+c+/g)?.length ?? 0;
}

function hasVowel(stem: string): boolean {
  return kindsOf(stem).includes('v');
}

/** Consonant, vowel, consonant, the last none of w, x, y; or a vowel and a consonant that are the whole. */
function endsShort(stem: string): boolean {
  const kinds = kindsOf(stem);
  return kinds === 'vc' || (kinds.endsWith('cvc') && !/[wxy]$/.test(stem));
}

function isConsonant(word: string, at: number): boolean {
  return kindsOf(word)[at] === 'c';
}

/** `c` or `v` for every letter: a y is a vowel after a consonant. */
function kindsOf(word: string): string {
  let kinds = '';
  for (const letter of word) {
    const isVowel = 'aeiou'.includes(letter) || (letter === 'y' && kinds.endsWith('c'));
    kinds += isVowel ? 'v' : 'c';
  }
  return kinds;
}
