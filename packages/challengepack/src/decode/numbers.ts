import type { JsonObject } from '../json.js';
import { trim } from '../text/white-space.js';
import { resolvePlain } from './core-schema.js';
import type { Decoding } from './decoding.js';
import type { FieldPath } from './field-path.js';
import type { Shape } from './shape.js';
import type { SourceNode, SourceScalar } from './source.js';

const INTEGER_MAX = 2_147_483_647;

export interface Bounds {
  min?: number;
  /** Default for integers: 2 147 483 647. */
  max?: number;
  /** Excludes `min` itself. */
  aboveMin?: boolean;
}

/** A number without fractional part within its bounds, else `out_of_range`. */
export function integer(bounds: Bounds = {}): Shape<number> {
  return numeric('integer', { max: INTEGER_MAX, ...bounds });
}

/** Milliseconds or bytes: as large as a double holds exactly. */
export function largeInteger(bounds: Bounds = {}): Shape<number> {
  return numeric('integer', { max: Number.MAX_SAFE_INTEGER, ...bounds });
}

export function number(bounds: Bounds = {}): Shape<number> {
  return numeric('number', bounds);
}

export function boolean(): Shape<boolean> {
  return {
    nullAs: 'problem',
    blankAs: 'value',
    emptyAs: 'value',
    schema: { type: 'boolean' },
    decode(node, at, decoding) {
      if (node.kind === 'scalar' && typeof node.value === 'boolean') return node.value;
      return decoding.mismatch(node, at, 'true or false', meantBoolean(node));
    },
    encode: (value) => value,
  };
}

/** Words of other YAML versions, which are texts in this one. */
const OLDER_BOOLEANS: ReadonlyMap<string, string> = new Map([
  ['yes', 'true'],
  ['on', 'true'],
  ['y', 'true'],
  ['no', 'false'],
  ['off', 'false'],
  ['n', 'false'],
]);

/** The boolean value of a text: quoted, or as an older YAML wrote it. */
function meantBoolean(node: SourceNode): string | undefined {
  if (typeof quoted(node) === 'boolean') return textOf(node);
  return OLDER_BOOLEANS.get(trim(textOf(node) ?? '').toLowerCase());
}

function numeric(type: 'integer' | 'number', bounds: Bounds): Shape<number> {
  const fits = (value: unknown): value is number =>
    typeof value === 'number' && (type === 'number' || Number.isInteger(value));
  return {
    nullAs: 'problem',
    blankAs: 'value',
    emptyAs: 'value',
    schema: { type, ...limits(bounds) },
    decode(node, at, decoding) {
      if (node.kind === 'scalar' && isBeyondJson(node)) return reportBeyondJson(at, decoding);
      if (node.kind !== 'scalar' || !fits(node.value)) {
        const expected = type === 'integer' ? 'an integer' : 'a number';
        return decoding.mismatch(node, at, expected, fits(quoted(node)) ? textOf(node) : undefined);
      }
      if (!isWithin(node.value, bounds)) decoding.report('out_of_range', at, { message: range(bounds) });
      return node.value;
    },
    encode: (value) => value,
  };
}

/** NaN, an infinity, or an integer written out that no double holds. */
export function isBeyondJson(node: SourceScalar): boolean {
  return node.oversized || (typeof node.value === 'number' && !Number.isFinite(node.value));
}

export function reportBeyondJson(at: FieldPath, decoding: Decoding): undefined {
  decoding.report('not_json', at, { message: 'this number has no JSON form' });
}

/** The value of a text without its quotes. */
function quoted(node: SourceNode): unknown {
  return node.kind === 'scalar' && typeof node.value === 'string' ? resolvePlain(node.text).value : undefined;
}

function textOf(node: SourceNode): string | undefined {
  return node.kind === 'scalar' ? node.text : undefined;
}

function isWithin(value: number, { min, max, aboveMin }: Bounds): boolean {
  if (min !== undefined && (aboveMin ? value <= min : value < min)) return false;
  return max === undefined || value <= max;
}

function range({ min, max, aboveMin }: Bounds): string {
  const low = min === undefined ? '' : `${aboveMin ? 'more than' : 'at least'} ${min}`;
  const high = max === undefined ? '' : `at most ${max}`;
  return [low, high].filter(Boolean).join(' and ');
}

function limits({ min, max, aboveMin }: Bounds): JsonObject {
  return {
    ...(min !== undefined && { [aboveMin ? 'exclusiveMinimum' : 'minimum']: min }),
    ...(max !== undefined && { maximum: max }),
  };
}
