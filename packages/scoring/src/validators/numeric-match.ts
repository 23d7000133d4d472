import {
  type Decimal,
  decimalOf,
  readNumberText,
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

export const numericMatch = textValidator<'numeric_match'>((actual, { expected, config }) => {
  const stated = readNumberText(actual, { extract: config.extract_number });
  if (stated === null) return fail('unparsable_output');
  const [a, e] = [rounded(stated, config), rounded(expected, config)];
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
