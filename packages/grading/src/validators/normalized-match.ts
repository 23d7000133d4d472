import { passIf } from './judgement.js';
import { normalizeText } from './normalization-steps.js';
import { textValidator } from './text-target.js';

export const normalizedMatch = textValidator<'normalized_match'>((actual, { expected, config }) => {
  const output = normalizeText(actual, config.pipeline);
  return passIf(output === normalizeText(expected, config.pipeline), 'not_equal');
});
