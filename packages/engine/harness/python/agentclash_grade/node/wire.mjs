/** Values between the judge and the code under test, as JSON: copies of plain data, and references. */
import { readSync, writeSync } from 'node:fs';

export const MESSAGE_BYTES_MAX = 16 * 1024 * 1024;
const DEPTH_MAX = 200;
const HEADER_BYTES = 4;
const NUMBERS = new Map([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
  ['-0', -0],
]);

/** A message is the length of the rest, one letter for its kind, and its text. */
export function sendFrame(descriptor, kind, text) {
  const body = Buffer.from(kind + text);
  if (body.length > MESSAGE_BYTES_MAX) throw new RangeError('agentclash-grade: the value is too large');
  const frame = Buffer.alloc(HEADER_BYTES + body.length);
  frame.writeUInt32BE(body.length);
  body.copy(frame, HEADER_BYTES);
  for (let at = 0; at < frame.length; ) at += writeSync(descriptor, frame, at);
}

export function readFrame(descriptor) {
  const length = readBytes(descriptor, HEADER_BYTES).readUInt32BE();
  const text = readBytes(descriptor, length).toString();
  return { kind: text[0], text: text.slice(1) };
}

function readBytes(descriptor, length) {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; ) {
    const read = readSync(descriptor, bytes, at, length - at, null);
    if (read === 0) process.exit(1);
    at += read;
  }
  return bytes;
}

/** `refer` gives the reference of what is no plain data. */
export function encode(value, refer, depth = 0) {
  if (depth > DEPTH_MAX)
    throw new RangeError('agentclash-grade: the value is nested too deeply, or holds itself');
  const next = (each) => encode(each, refer, depth + 1);
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : ['n', Object.is(value, -0) ? '-0' : `${value}`];
    case 'undefined':
      return ['u'];
    case 'symbol': {
      const key = Symbol.keyFor(value);
      return key === undefined ? refer(value) : ['S', key];
    }
    case 'bigint':
      return ['b', `${value}`];
    case 'object':
      break;
    default:
      return refer(value);
  }
  if (value === null) return null;
  const kind = plainKind(value);
  if (kind === Array) return ['l', Array.from(value, next)];
  if (kind === Map) return ['m', Array.from(value, ([key, item]) => [next(key), next(item)])];
  if (kind === Set) return ['s', Array.from(value, next)];
  if (kind === Date) return ['d', next(value.getTime())];
  if (kind === RegExp) return ['r', value.source, value.flags];
  if (kind === Uint8Array || kind === Buffer) {
    return ['y', kind === Buffer, Buffer.from(value).toString('base64')];
  }
  if (kind === Object || kind === null) {
    return ['o', kind === null, Object.keys(value).map((key) => [key, next(value[key])])];
  }
  return refer(value);
}

/** The class of plain data, null for an object without one, undefined for all other objects. */
function plainKind(value) {
  const prototype = Object.getPrototypeOf(value);
  if (prototype === null) return null;
  if (Array.isArray(value)) return prototype === Array.prototype ? Array : undefined;
  return [Map, Set, Date, RegExp, Uint8Array, Buffer, Object].find((each) => each.prototype === prototype);
}

/**
 * A value is made from its tag alone, and what no `encode` writes is refused; `resolve` makes that of a reference, and
 * `method` a member of an object.
 */
export function decode(data, resolve, method = (_, value) => value) {
  if (data === null || typeof data !== 'object') return data;
  if (!Array.isArray(data)) throw new TypeError('no value');
  const [tag, body, more] = data;
  const next = (each) => decode(each, resolve, method);
  switch (tag) {
    case 'n':
      if (!NUMBERS.has(body)) throw new TypeError('no number');
      return NUMBERS.get(body);
    case 'u':
      return undefined;
    case 'b':
      return BigInt(text(body));
    case 'l':
      return body.map(next);
    case 'm':
      return new Map(body.map(([key, item]) => [next(key), next(item)]));
    case 's':
      return new Set(body.map(next));
    case 'd':
      return new Date(number(next(body)));
    case 'S':
      return Symbol.for(text(body));
    case 'r':
      return new RegExp(text(body), text(more));
    case 'y':
      return body ? Buffer.from(text(more), 'base64') : Uint8Array.from(Buffer.from(text(more), 'base64'));
    case 'o':
      return members(
        body ? Object.create(null) : {},
        more.map(([key, item]) => [text(key), next(item)]),
        method,
      );
    default:
      return resolve(data);
  }
}

function text(value) {
  if (typeof value !== 'string') throw new TypeError('no text');
  return value;
}

function number(value) {
  if (typeof value !== 'number') throw new TypeError('no number');
  return value;
}

function members(object, entries, method) {
  for (const [key, item] of entries) {
    const value = method(key, item, object);
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  }
  return object;
}
