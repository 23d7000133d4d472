import { decimalIn, isExactObject } from '../values/exact-number.js';
import { equalityKey } from '../values/json-text.js';

import type { KeywordShape } from './dialect.js';
import { compilePattern } from './pattern.js';

const TYPES: ReadonlySet<unknown> = new Set([
  'array',
  'boolean',
  'integer',
  'null',
  'number',
  'object',
  'string',
]);

/** The problem of a keyword's value, null when there is none; schemas below it are checked by themselves. */
type ShapeCheck = (value: unknown) => string | null;

export const SHAPE_CHECKS: { readonly [S in KeywordShape]: ShapeCheck } = {
  schema: (value) => unless(isSchema(value), 'must be a schema: an object or a boolean'),
  schema_list: (value) =>
    unless(
      Array.isArray(value) && value.length > 0 && value.every(isSchema),
      'must be a list of at least one schema',
    ),
  schema_map: (value) => unless(isMapOf(value, isSchema), 'must be an object of schemas'),
  pattern_map: (value) => {
    if (!isMapOf(value, isSchema)) return 'must be an object of schemas';
    const bad = Object.keys(value).find((pattern) => compilePattern(pattern) === null);
    return unless(bad === undefined, `"${bad}" is not an RE2 expression`);
  },
  schema_or_list: (value) =>
    unless(
      isSchema(value) || (Array.isArray(value) && value.length > 0 && value.every(isSchema)),
      'must be a schema or a list of at least one schema',
    ),
  dependencies: (value) =>
    unless(
      isMapOf(value, (each) => isSchema(each) || isStringSet(each)),
      'must be an object of schemas or of lists of distinct names',
    ),
  any: () => null,
  any_list: (value) => unless(Array.isArray(value), 'must be a list'),
  boolean: (value) => unless(typeof value === 'boolean', 'must be true or false'),
  count: (value) => unless(isCount(value), 'must be an integer of at least 0'),
  number: (value) => unless(decimalIn(value) !== null, 'must be a number'),
  positive_number: (value) => {
    const decimal = decimalIn(value);
    return unless(
      decimal !== null && !decimal.negative && decimal.digits !== '0',
      'must be a number greater than 0',
    );
  },
  string: (value) => unless(typeof value === 'string', 'must be a text'),
  string_set: (value) => unless(isStringSet(value), 'must be a list of distinct names'),
  string_set_map: (value) =>
    unless(isMapOf(value, isStringSet), 'must be an object of lists of distinct names'),
  type: (value) => {
    const isList = Array.isArray(value) && value.length > 0 && isDistinct(value);
    const types = isList ? value : [value];
    return unless(
      types.every((type) => TYPES.has(type)),
      'must be a type, or a list of distinct types: array, boolean, integer, null, number, object, string',
    );
  },
  regex: (value) =>
    unless(typeof value === 'string' && compilePattern(value) !== null, 'is not an RE2 expression'),
  reference: (value) => unless(typeof value === 'string', 'must be a URI reference'),
  identifier: (value) => unless(typeof value === 'string', 'must be a URI reference'),
  anchor: (value) =>
    unless(
      typeof value === 'string' && /^[A-Za-z_][-A-Za-z0-9._]*$/.test(value),
      'must be a name of ASCII letters, digits, "-", "_" and "."',
    ),
};

export function isSchema(value: unknown): value is boolean | Record<string, unknown> {
  return typeof value === 'boolean' || isExactObject(value);
}

function unless(isRight: boolean, message: string): string | null {
  return isRight ? null : message;
}

function isMapOf(value: unknown, test: (member: unknown) => boolean): value is Record<string, unknown> {
  return isExactObject(value) && Object.values(value).every(test);
}

function isStringSet(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string') && isDistinct(value);
}

function isDistinct(values: readonly unknown[]): boolean {
  return new Set(values.map(equalityKey)).size === values.length;
}

function isCount(value: unknown): boolean {
  const decimal = decimalIn(value);
  return decimal !== null && !decimal.negative && decimal.exponent >= 0;
}
