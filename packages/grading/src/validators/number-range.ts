import { compareDecimals, decimalOf, readNumber } from '@agentclash/challengepack';
import { fail, passIf } from './judgement.js';
import { UNREAD_REASONS } from './numeric-match.js';
import { textValidator } from './text-target.js';

export const numberRange = textValidator<'number_range'>((actual, { config }) => {
  const reading = readNumber(actual, config);
  if (reading.kind !== 'number') return fail(UNREAD_REASONS[reading.kind]);
  const stated = reading.value;
  const fromMin = config.min === undefined ? 1 : compareDecimals(stated, decimalOf(config.min));
  const toMax = config.max === undefined ? 1 : compareDecimals(decimalOf(config.max), stated);
  const isInside = isOnSide(fromMin, config.exclusive_min) && isOnSide(toMax, config.exclusive_max);
  return passIf(isInside, 'out_of_range');
});

function isOnSide(comparison: number, isExclusive: boolean): boolean {
  return isExclusive ? comparison > 0 : comparison >= 0;
}
