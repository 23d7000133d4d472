import { trim } from '@agentclash/challengepack';
import { passIf } from './judgement.js';
import { flagged } from './text-flags.js';
import { textValidator } from './text-target.js';

export const startsWith = textValidator<'starts_with'>((actual, { expected, config }) => {
  const output = flagged(config.trim ? trim(actual) : actual, config);
  return passIf(output.startsWith(flagged(expected, config)), 'not_found');
});
