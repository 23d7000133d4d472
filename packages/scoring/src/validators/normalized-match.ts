import { passIf } from './judgement.js';
import { normalizeText } from './normalization-steps.js';
import { textValidator } from './text-target.js';

export const normalizedMatch = textValidator<'normalized_match'>(
  (actual, { expected, config: { pipeline } }) =>
    passIf(normalizeText(actual, pipeline) === normalizeText(expected, pipeline), 'not_equal'),
);
