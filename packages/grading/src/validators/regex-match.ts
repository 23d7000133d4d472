import { passIf } from './judgement.js';
import { textValidator } from './text-target.js';

export const regexMatch = textValidator<'regex_match'>(
  (actual, { expected }) => passIf(expected.test(actual), 'not_found'),
  { isPassFinal: () => true },
);
