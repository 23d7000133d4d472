import {
  countCodePoints,
  readBooleanText,
  splitWords,
  trim,
  type ValidatorConfigs,
} from '@agentclash/challengepack';
import { fail, passIf } from './judgement.js';
import { flagged, normalizeText } from './text-forms.js';
import { textValidator } from './text-target.js';

const LENGTHS: { readonly [U in ValidatorConfigs['length_range']['unit']]: (text: string) => number } = {
  characters: countCodePoints,
  words: (text) => splitWords(text).length,
  lines: (text) => (text.endsWith('\n') ? 0 : 1) + (text.match(/\n/g)?.length ?? 0),
};

/** Validators of a text as a whole that pass or fail. */
export const TEXT_COMPARISONS = {
  exact_match: textValidator<'exact_match'>((actual, { expected }) =>
    passIf(actual === expected, 'not_equal'),
  ),
  contains: textValidator<'contains'>(
    (actual, { expected }) => passIf(actual.includes(expected), 'not_found'),
    { isPassFinal: () => true },
  ),
  not_contains: textValidator<'not_contains'>((actual, { expected, config }) =>
    passIf(!flagged(actual, config).includes(flagged(expected, config)), 'forbidden_found'),
  ),
  starts_with: textValidator<'starts_with'>((actual, { expected, config }) => {
    const output = flagged(config.trim ? trim(actual) : actual, config);
    return passIf(output.startsWith(flagged(expected, config)), 'not_found');
  }),
  ends_with: textValidator<'ends_with'>((actual, { expected, config }) => {
    const output = flagged(config.trim ? trim(actual) : actual, config);
    return passIf(output.endsWith(flagged(expected, config)), 'not_found');
  }),
  regex_match: textValidator<'regex_match'>(
    (actual, { expected }) => passIf(expected.test(actual), 'not_found'),
    { isPassFinal: () => true },
  ),
  boolean_assert: textValidator<'boolean_assert'>((actual, { expected }) => {
    const meaning = readBooleanText(actual);
    return meaning === null ? fail('unparsable_output') : passIf(meaning === expected, 'not_equal');
  }),
  normalized_match: textValidator<'normalized_match'>((actual, { expected, config }) => {
    const output = normalizeText(actual, config.pipeline);
    return passIf(output === normalizeText(expected, config.pipeline), 'not_equal');
  }),
  length_range: textValidator<'length_range'>(
    (actual, { config: { unit, min = 0, max = Number.POSITIVE_INFINITY } }) => {
      const length = LENGTHS[unit](actual);
      return passIf(min <= length && length <= max, 'out_of_range');
    },
    { takesEmpty: ({ config }) => config.min === 0 },
  ),
};
