import { readBooleanText } from '@agentclash/challengepack';
import { fail, passIf } from './judgement.js';
import { textValidator } from './text-target.js';

export const booleanAssert = textValidator<'boolean_assert'>((actual, { expected }) => {
  const meaning = readBooleanText(actual);
  return meaning === null ? fail('unparsable_output') : passIf(meaning === expected, 'not_equal');
});
