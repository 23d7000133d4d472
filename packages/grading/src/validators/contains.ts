import { passIf } from './judgement.js';
import { textValidator } from './text-target.js';

export const contains = textValidator<'contains'>(
  (actual, { expected }) => passIf(actual.includes(expected), 'not_found'),
  { isPassFinal: () => true },
);
