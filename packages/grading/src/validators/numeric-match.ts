import {
  type Decimal,
  decimalOf,
  readNumber,
  roundToSignificant,
  sameDecimal,
  scaledInteger,
  type ValidatorConfigs,
} from '@agentclash/challengepack';
import { fail, passIf } from './judgement.js';
import { textValidator } from './text-target.js';

type Config = ValidatorConfigs['numeric_match'];

/** The slack of a tolerance is 4·2⁻⁵² of the larger number, so that binary rounding never decides. */
const SLACK_NUMERATOR = 4n;
const SLACK_DENOMINATOR = 2n ** 52n;

/** Why no number could be taken from an output. */
export const UNREAD_REASONS = { none: 'unparsable_output', several: 'ambiguous_number' } as const;

export const numericMatch = textValidator<'numeric_match'>((actual, { expected, config }) => {
  const stated = readNumber(actual, config);
  if (stated.kind !== 'number') return fail(UNREAD_REASONS[stated.kind]);
  const [a, e] = [rounded(stated.value, config), rounded(expected, config)];
  return passIf(sameDecimal(a, e) || isWithinTolerance(a, e, config), 'not_equal');
});

function rounded(value: Decimal, { significant_digits }: Config): Decimal {
  return significant_digits === undefined ? value : roundToSignificant(value, significant_digits);
}

/** In exact integers, all scaled by one power of ten. */
function isWithinTolerance(
  a: Decimal,
  e: Decimal,
  { absolute_tolerance, relative_tolerance }: Config,
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
