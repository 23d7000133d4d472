import {
  compareDecimals,
  type Decimal,
  decimalOf,
  MathError,
  type MathErrorCode,
  readNumber,
  roundToSignificant,
  sameDecimal,
  scaledInteger,
  type ValidatorConfigs,
} from '@agentclash/challengepack';
import { fail, passIf } from './judgement.js';
import { textValidator } from './text-target.js';

type NumericConfig = ValidatorConfigs['numeric_match'];

/** The slack of a tolerance is 4·2⁻⁵² of the larger number, so that binary rounding never decides. */
const SLACK_NUMERATOR = 4n;
const SLACK_DENOMINATOR = 2n ** 52n;

/** Why no number could be taken from an output. */
const UNREAD_REASONS = { none: 'unparsable_output', several: 'ambiguous_number' } as const;

const numericMatch = textValidator<'numeric_match'>((actual, { expected, config }) => {
  const stated = readNumber(actual, config);
  if (stated.kind !== 'number') return fail(UNREAD_REASONS[stated.kind]);
  const [a, e] = [rounded(stated.value, config), rounded(expected, config)];
  return passIf(sameDecimal(a, e) || isWithinTolerance(a, e, config), 'not_equal');
});

function rounded(value: Decimal, { significant_digits }: NumericConfig): Decimal {
  return significant_digits === undefined ? value : roundToSignificant(value, significant_digits);
}

/** In exact integers, all scaled by one power of ten. */
function isWithinTolerance(
  a: Decimal,
  e: Decimal,
  { absolute_tolerance, relative_tolerance }: NumericConfig,
): boolean {
  const absolute = decimalOf(absolute_tolerance ?? 0);
  const relative = decimalOf(relative_tolerance ?? 0);
  if (absolute_tolerance === undefined && relative_tolerance === undefined) return false;
  const scale = Math.max(-a.exponent, -e.exponent, -absolute.exponent, 0);
  const [left, right] = [scaledInteger(a, scale), scaledInteger(e, scale)];
  const difference = size(left - right) * SLACK_DENOMINATOR;
  const slack = SLACK_NUMERATOR * larger(size(left), size(right));
  if (difference <= scaledInteger(absolute, scale) * SLACK_DENOMINATOR + slack) return true;
  const shift = Math.max(-relative.exponent, 0);
  const share = scaledInteger(relative, shift) * size(right) * SLACK_DENOMINATOR;
  return relative_tolerance !== undefined && (difference - slack) * 10n ** BigInt(shift) <= share;
}

function size(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

const numberRange = textValidator<'number_range'>((actual, { config }) => {
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

const MATH_REASONS: { readonly [C in MathErrorCode]: string } = {
  unparsable: 'unparsable_output',
  resource_limit: 'resource_limit',
  division_by_zero: 'division_by_zero',
};

const mathEquivalence = textValidator<'math_equivalence'>((actual, { expected }) => {
  try {
    return passIf(expected.isMetBy(actual), 'not_equivalent');
  } catch (error) {
    if (error instanceof MathError) return fail(MATH_REASONS[error.code]);
    throw error;
  }
});

export const NUMBERS = {
  numeric_match: numericMatch,
  number_range: numberRange,
  math_equivalence: mathEquivalence,
};
