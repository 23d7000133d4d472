import { passIf } from './judgement.js';
import { textValidator } from './text-target.js';

export const exactMatch = textValidator<'exact_match'>((actual, { expected }) =>
  passIf(actual === expected, 'not_equal'),
);
