import { passIf } from './judgement.js';
import { normalizeText } from './normalization-steps.js';
import { textValidator } from './text-target.js';

export const normalizedMatch = textValidator<'normalized_match'>(function* (actual, { expected, config }) {
  const output = yield* normalizeText(actual, config.pipeline);
  return passIf(output === (yield* normalizeText(expected, config.pipeline)), 'not_equal');
});
