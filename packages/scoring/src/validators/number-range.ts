import { compareDecimals, decimalOf, readNumberText } from '@agentclash/challengepack';
import { fail, passIf } from './judgement.js';
import { textValidator } from './text-target.js';

export const numberRange = textValidator<'number_range'>((actual, { config }) => {
  const stated = readNumberText(actual, { extract: config.extract_number });
  if (stated === null) return fail('unparsable_output');
  const fromMin = config.min === undefined ? 1 : compareDecimals(stated, decimalOf(config.min));
  const toMax = config.max === undefined ? 1 : compareDecimals(decimalOf(config.max), stated);
  const isInside = isOnSide(fromMin, config.exclusive_min) && isOnSide(toMax, config.exclusive_max);
  return passIf(isInside, 'out_of_range');
});

function isOnSide(comparison: number, isExclusive: boolean): boolean {
  return isExclusive ? comparison > 0 : comparison >= 0;
}
