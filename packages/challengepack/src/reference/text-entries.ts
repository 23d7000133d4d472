import type { ValidatorEntry } from './validator-entry.js';

const CASE_RULE = [
  'Case',
  '`case_insensitive` folds both sides by Unicode full case folding: `ß` equals `ss`.',
] as const;

export const TEXT_ENTRIES = {
  exact_match: {
    summary: 'Passes when the text equals the expected text, character by character.',
    expected: 'text',
    rules: [['White space', 'Nothing is trimmed: a line break at the end of a captured file counts.']],
    example: {
      validator: { expected_from: 'literal:Lima' },
      passes: { output: 'Lima' },
      fails: { output: 'Lima.', reason: 'not_equal' },
    },
  },
  contains: {
    summary: 'Passes when the expected text occurs in the text.',
    expected: 'text',
    rules: [['Case', 'Case and white space count.']],
    example: {
      validator: { expected_from: 'literal:Lima' },
      passes: { output: 'The capital is Lima.' },
      fails: { output: 'The capital is LIMA.', reason: 'not_found' },
    },
  },
  not_contains: {
    summary: 'Passes when the expected text does not occur in the text.',
    expected: 'text that is not empty',
    rules: [CASE_RULE],
    example: {
      validator: { expected_from: 'literal:as an AI', config: { case_insensitive: true } },
      passes: { output: 'Lima' },
      fails: { output: 'As an AI, I think Lima.', reason: 'forbidden_found' },
    },
  },
  starts_with: {
    summary: 'Passes when the text begins with the expected text.',
    expected: 'text',
    rules: [CASE_RULE, ['White space', '`trim` trims the output alone.']],
    example: {
      validator: { expected_from: 'literal:Dear', config: { trim: true } },
      passes: { output: '\nDear Ada, …' },
      fails: { output: 'Hello Ada, …', reason: 'not_found' },
    },
  },
  ends_with: {
    summary: 'Passes when the text ends with the expected text.',
    expected: 'text',
    rules: [CASE_RULE, ['White space', '`trim` trims the output alone.']],
    example: {
      validator: { expected_from: 'literal:Regards', config: { trim: true } },
      passes: { output: 'Done. Regards\n' },
      fails: { output: 'Done. Regards, Bob', reason: 'not_found' },
    },
  },
  regex_match: {
    summary: 'Passes when the regular expression of the expected text matches somewhere in the text.',
    expected: 'an RE2 regular expression',
    rules: [
      [
        'Dialect',
        'RE2: no look-around, no back-references. Anchor with `^` and `$`; `(?i)` ignores case, `(?s)` lets `.` match line breaks, `(?m)` anchors at lines.',
      ],
    ],
    example: {
      validator: { expected_from: 'literal:^\\d{1,2} May$' },
      passes: { output: '14 May' },
      fails: { output: 'on 14 May', reason: 'not_found' },
    },
  },
  boolean_assert: {
    summary: 'Passes when both texts mean the same of true and false.',
    expected: 'true, false, yes, no, 1 or 0',
    rules: [
      [
        'Words',
        '`true`, `1`, `yes`; `false`, `0`, `no`. Both sides are trimmed and case does not count; a sentence is none of them.',
      ],
    ],
    example: {
      validator: { expected_from: 'literal:true' },
      passes: { output: ' Yes\n' },
      fails: { output: 'Yes.', reason: 'unparsable_output' },
    },
  },
  normalized_match: {
    summary: 'Passes when both texts are equal after the steps of the pipeline.',
    expected: 'text',
    rules: [
      [
        'Steps',
        'They run on both sides, in the order written. An empty list compares the texts as they are.',
      ],
    ],
    example: {
      validator: {
        expected_from: 'literal:the lion, the witch',
        config: { pipeline: ['lowercase', 'strip_punctuation', 'collapse_whitespace', 'trim'] },
      },
      passes: { output: 'The Lion;  the Witch!' },
      fails: { output: 'The witch, the lion', reason: 'not_equal' },
    },
  },
  fuzzy_match: {
    summary: 'Scores how few edits turn one text into the other, and passes from the threshold.',
    expected: 'text',
    rules: [
      [
        'Formula',
        '(a + b − d) / (a + b) for lengths a and b in code points and Levenshtein distance d; two empty texts score 1. Two texts of one length thus never score below 0.5. `relative_to: longest` scores 1 − d / max(a, b) instead, as most libraries do.',
      ],
      ['Tokens', 'None: single characters (code points) are compared.'],
      CASE_RULE,
    ],
    example: {
      validator: {
        expected_from: 'literal:San Francisco',
        config: { relative_to: 'longest', threshold: 0.9 },
      },
      passes: { output: 'San Fransisco' },
      fails: { output: 'San Diego', reason: 'below_threshold' },
    },
  },
  length_range: {
    summary: 'Passes when the length of the text is within the bounds.',
    rules: [
      [
        'Bounds',
        'One of `min` and `max` is needed; both are inclusive. Empty output fails unless `min: 0` is written.',
      ],
      [
        'Units',
        'Characters are code points, words are runs without white space, lines are line breaks + 1, a final break not counted.',
      ],
    ],
    example: {
      validator: { config: { unit: 'words', max: 3 } },
      passes: { output: 'Lima, in Peru' },
      fails: { output: 'It is Lima in Peru', reason: 'out_of_range' },
    },
  },
  list_match: {
    summary: 'Scores how well two lists agree as F1, and passes from the threshold.',
    expected: 'a JSON array, or items between separators',
    rules: [
      [
        'Items',
        'A JSON array gives its elements (others than texts as JSON); other text is split at `separator`, by default at line breaks if there are any, else at commas. Items are trimmed, empty ones dropped.',
      ],
      [
        'Formula',
        '2m / (a + b) over a and b items. `set`: distinct items, m in common. `ordered`: m is the longest common subsequence. Two empty lists score 1.',
      ],
      CASE_RULE,
    ],
    example: {
      validator: { expected_from: 'literal:red, green, blue', config: { case_insensitive: true } },
      passes: { output: '["Blue", "Green", "Red"]' },
      fails: { output: 'red, green', reason: 'below_threshold' },
    },
  },
} as const satisfies Record<string, ValidatorEntry>;
