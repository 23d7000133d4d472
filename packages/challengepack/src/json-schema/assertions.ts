import { countCodePoints } from '../text/code-points.js';
import { compareDecimals, type Decimal, isZero } from '../values/decimal.js';
import { decimalIn, ExactNumber } from '../values/exact-number.js';
import { equalityKey } from '../values/json-text.js';
import type { Keyword } from './applicators.js';
import type { Evaluation } from './evaluation.js';
import { FORMATS } from './formats.js';
import type { Instance } from './instance.js';

/** Keywords that look at the value itself. Of a value that must not be looked into, only `type` is tested. */
export const ASSERTIONS: Readonly<Record<string, Keyword>> = {
  type: (value) => {
    const types: unknown[] = Array.isArray(value) ? value : [value];
    const message = `must be ${types.join(',')}`;
    return (at) => types.some((type) => hasType(at.instance, type)) || at.fail('type', message);
  },
  const: (value) => {
    const key = equalityKey(value);
    return visible((at) => at.instance.key === key || at.fail('const', 'must be equal to constant'));
  },
  enum: (values) => {
    const keys = new Set(Array.isArray(values) ? values.map(equalityKey) : []);
    const message = 'must be equal to one of the allowed values';
    return visible((at) => keys.has(at.instance.key) || at.fail('enum', message));
  },
  maximum: bound('maximum', '<=', (order) => order <= 0),
  minimum: bound('minimum', '>=', (order) => order >= 0),
  exclusiveMaximum: bound('exclusiveMaximum', '<', (order) => order < 0),
  exclusiveMinimum: bound('exclusiveMinimum', '>', (order) => order > 0),
  multipleOf: (value) => {
    const divisor = decimalIn(value);
    if (divisor === null) return null;
    const message = `must be multiple of ${numberText(value)}`;
    return visible((at) => {
      const number = decimalIn(at.instance.value);
      return number === null || isMultipleOf(number, divisor) || at.fail('multipleOf', message);
    });
  },
  maxLength: count('maxLength', { of: lengthOf, isMost: true, noun: 'characters' }),
  minLength: count('minLength', { of: lengthOf, isMost: false, noun: 'characters' }),
  maxItems: count('maxItems', { of: ({ list }) => list?.length ?? null, isMost: true, noun: 'items' }),
  minItems: count('minItems', { of: ({ list }) => list?.length ?? null, isMost: false, noun: 'items' }),
  maxProperties: count('maxProperties', { of: membersOf, isMost: true, noun: 'properties' }),
  minProperties: count('minProperties', { of: membersOf, isMost: false, noun: 'properties' }),
  pattern: (value, { regex }) => {
    const pattern = String(value);
    const compiled = regex(pattern);
    const message = `must match pattern "${pattern}"`;
    return visible(
      (at) =>
        typeof at.instance.value !== 'string' ||
        compiled.test(at.instance.value) ||
        at.fail('pattern', message),
    );
  },
  format: (value, { assertsFormats }) => {
    const name = String(value);
    const conforms = FORMATS.get(name);
    if (!assertsFormats || conforms === undefined) return null;
    const message = `must match format "${name}"`;
    return visible(
      (at) =>
        typeof at.instance.value !== 'string' || conforms(at.instance.value) || at.fail('format', message),
    );
  },
  uniqueItems: (value) => {
    if (value !== true) return null;
    return visible(
      (at) => isDistinct(at.instance.list) || at.fail('uniqueItems', 'must NOT have duplicate items'),
    );
  },
  required: (value) => {
    const names: string[] = Array.isArray(value) ? value : [];
    return (at) => hasAll(at, names, 'required');
  },
  dependentRequired: (value) => {
    const lists = Object.entries((value ?? {}) as Record<string, string[]>);
    return (at) => {
      const { object } = at.instance;
      if (object === null) return true;
      const missing = lists.filter(
        ([name, needed]) => Object.hasOwn(object, name) && !hasAll(at, needed, 'dependentRequired'),
      );
      return missing.length === 0;
    };
  },
};

type Check = (at: Evaluation) => boolean;

function visible(check: Check): Check {
  return (at) => at.isOpaque || check(at);
}

export function hasAll(at: Evaluation, names: readonly string[], keyword: string): boolean {
  const { object } = at.instance;
  if (object === null) return true;
  const missing = names.filter((name) => !Object.hasOwn(object, name));
  for (const name of missing) at.fail(keyword, 'is missing', name);
  return missing.length === 0;
}

function hasType({ value, object, list }: Instance, type: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return list !== null;
    case 'object':
      return object !== null;
    case 'number':
      return typeof value === 'number' || value instanceof ExactNumber;
    case 'integer':
      return typeof value === 'number'
        ? Number.isInteger(value)
        : value instanceof ExactNumber && value.decimal.exponent >= 0;
    default:
      return typeof value === type;
  }
}

function bound(name: string, sign: string, holds: (order: number) => boolean): Keyword {
  return (value) => {
    const limit = decimalIn(value);
    if (limit === null) return null;
    const message = `must be ${sign} ${numberText(value)}`;
    return visible((at) => {
      const { value: found } = at.instance;
      // Two doubles are ordered as what their texts show is.
      if (typeof found === 'number' && typeof value === 'number') {
        return holds(found - value) || at.fail(name, message);
      }
      const number = decimalIn(found);
      return number === null || holds(compareDecimals(number, limit)) || at.fail(name, message);
    });
  };
}

function count(
  name: string,
  { of, isMost, noun }: { of: (instance: Instance) => number | null; isMost: boolean; noun: string },
): Keyword {
  return (value) => {
    const limit = value instanceof ExactNumber ? value.nearest : Number(value);
    const message = `must NOT have ${isMost ? 'more' : 'fewer'} than ${limit} ${noun}`;
    return visible((at) => {
      const found = of(at.instance);
      return found === null || (isMost ? found <= limit : found >= limit) || at.fail(name, message);
    });
  };
}

function lengthOf({ value }: Instance): number | null {
  return typeof value === 'string' ? countCodePoints(value) : null;
}

function membersOf({ object }: Instance): number | null {
  return object === null ? null : Object.keys(object).length;
}

/** By keys: comparing every pair turns a long list into minutes. */
function isDistinct(list: unknown[] | null): boolean {
  return list === null || new Set(list.map(equalityKey)).size === list.length;
}

function numberText(value: unknown): string {
  if (!(value instanceof ExactNumber)) return String(value);
  const { negative, digits, exponent } = value.decimal;
  return `${negative ? '-' : ''}${digits}${isZero(value.decimal) || exponent === 0 ? '' : `e${exponent}`}`;
}

/** Bits of a decimal digit, rounded up: a number has no more factors of two or five than it has bits. */
const BITS_PER_DIGIT = 4;

/** True when a number is an integer times another, exactly, whatever their exponents. */
function isMultipleOf(number: Decimal, divisor: Decimal): boolean {
  if (isZero(number)) return true;
  const shift = number.exponent - divisor.exponent;
  // The digits have no trailing zero, so no power of ten divides them.
  if (shift < 0) return false;
  const enough = Math.min(shift, divisor.digits.length * BITS_PER_DIGIT);
  return (BigInt(number.digits) * 10n ** BigInt(enough)) % BigInt(divisor.digits) === 0n;
}
