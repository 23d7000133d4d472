import type { ValidatorEntry } from './validator-entry.js';

const NUMERALS = [
  'Numbers',
  'Without `extract` the whole trimmed text is a decimal number such as `-1.5e3`: no separators, no units, no NaN. With it, a comma counts where it separates thousands, currency signs and codes are skipped, and a number does not begin inside a word.',
] as const;

export const NUMBER_ENTRIES = {
  numeric_match: {
    summary:
      'Passes when the number of the text equals the expected number, within a tolerance if there is one.',
    expected: 'a number',
    rules: [
      NUMERALS,
      [
        'Extraction',
        'Applies to both sides. With `only` an output of several different numbers is `ambiguous_number` and fails; an expected text of several is refused when the pack is published.',
      ],
      [
        'Formula',
        '|a − e| ≤ `absolute_tolerance`, or |a − e| ≤ `relative_tolerance` · |e|; either suffices. Without a tolerance the decimals are equal exactly. `significant_digits` rounds both sides first, half away from zero.',
      ],
    ],
    example: {
      validator: { expected_from: 'literal:72', config: { extract: 'last' } },
      passes: { output: '48 clips and 24 clips make 72 clips.' },
      fails: { output: '72, of which 24 in May.', reason: 'not_equal' },
    },
  },
  number_range: {
    summary: 'Passes when the number of the text is within the bounds.',
    rules: [
      NUMERALS,
      [
        'Bounds',
        'One of `min` and `max` is needed; they are inclusive unless `exclusive_min` or `exclusive_max` is true.',
      ],
    ],
    example: {
      validator: { config: { min: 0, max: 1, extract: 'only' } },
      passes: { output: 'p = 0.04' },
      fails: { output: 'between 0.04 and 0.05', reason: 'ambiguous_number' },
    },
  },
  math_equivalence: {
    summary:
      'Passes when both texts are the same mathematics: an expression, tuple, set, interval or equation.',
    expected: 'plain or TeX mathematics',
    rules: [
      [
        'Extraction',
        '`extract_answer` takes what follows the last `answer_delimiter`, on both sides; a side without the delimiter counts as a whole.',
      ],
      [
        'Notation',
        '`$…$`, `\\(…\\)`, `\\[…\\]`, `\\boxed{…}` and a final full stop are dropped. `\\frac13` and `\\sqrt3` take one digit or letter, as in TeX. An integer before a proper fraction of integers is a mixed number: `1\\frac{1}{2}`, `1 1/2`. `50%` and `50\\%` are one half.',
      ],
      [
        'Commas',
        'Group digits only in the pattern of `1,234` or `12,345,678`, outside brackets; `{,}`, `,\\!` and `\\,` do anywhere. Any other comma separates items: `12,34` is a list of two, and so is `(1,234)`.',
      ],
      [
        'Lists',
        '`(1,2)`, `[1,2)`, `1,2`: brackets, order and length have to agree. `\\{1,2\\}` is a set without order and repetition, and may equal a list without brackets. Intervals may end at `\\infty` and be joined by `\\cup`.',
      ],
      [
        'Units',
        '`\\text{…}` at the end, `^\\circ`, currency before or behind, and known words behind a number (cm, dollars, hours, …; no single letters). A unit that one side lacks does not count; two different ones fail. So it is with names: `x = 5` equals `5`, but not `y = 5`.',
      ],
      [
        'Formula',
        '`symbolic`: both sides become quotients of polynomials with exact coefficients, which have to be equal; sides without symbols other than pi may then still agree as doubles (`numeric_fallback`). `numeric`: doubles within `tolerance`, which is absolute.',
      ],
    ],
    example: {
      validator: { expected_from: 'literal:x^2 - 1', config: { extract_answer: true } },
      passes: { output: 'Factored:\n#### (x-1)(x+1)' },
      fails: { output: '#### (x-1)^2', reason: 'not_equivalent' },
    },
  },
} as const satisfies Record<string, ValidatorEntry>;
