import { passIf } from './judgement.js';
import { flagged } from './text-flags.js';
import { textValidator } from './text-target.js';

export const notContains = textValidator<'not_contains'>((actual, { expected, config }) =>
  passIf(!flagged(actual, config).includes(flagged(expected, config)), 'forbidden_found'),
);
