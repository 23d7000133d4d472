import { MathError, type MathErrorCode } from '@agentclash/challengepack';
import { fail, passIf } from './judgement.js';
import { textValidator } from './text-target.js';

const REASONS: { readonly [C in MathErrorCode]: string } = {
  unparsable: 'unparsable_output',
  resource_limit: 'resource_limit',
  division_by_zero: 'division_by_zero',
};

export const mathEquivalence = textValidator<'math_equivalence'>((actual, { expected }) => {
  try {
    return passIf(expected.isMetBy(actual), 'not_equivalent');
  } catch (error) {
    if (error instanceof MathError) return fail(REASONS[error.code]);
    throw error;
  }
});
