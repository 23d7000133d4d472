import fc from 'fast-check';
import type { Operation } from './api-driver.js';

/** A request that no honest client sends. */
export interface HostileRequest {
  method: string;
  /** Path and query, as they go over the wire. */
  target: string;
  headers: Record<string, string>;
  body: Uint8Array | null;
}

const bytes = (text: string) => new TextEncoder().encode(text);

/** Values in places of others: wrong types, wrong sizes, names that mean something elsewhere. */
const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(
    '__proto__',
    'constructor',
    '',
    '\u0000',
    '\ud800',
    '\u202e',
    '../../etc/passwd',
    "'; DROP TABLE runs; --",
    '${secrets.X}',
    1e308,
    -1,
    2 ** 53,
    0.1,
    [],
    [[[]]],
    {},
    { $ne: null },
    'x'.repeat(5_000),
  ),
);

/** Parts of an address: encodings, traversal, separators, what Postgres and file systems trip over. */
const oddPart = fc.oneof(
  fc.constantFrom(
    '..',
    '%2e%2e',
    '%2f',
    '..%2f..%2fetc%2fpasswd',
    '%00',
    '%',
    '%zz',
    '%c0%af',
    '%ed%a0%80',
    '%F0%9F%92%A9',
    '.',
    '%0d%0aX-Evil:1',
    'null',
    '0',
    'a'.repeat(600),
    "'%20OR%201=1",
  ),
  fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }).map(encodeURIComponent),
  fc.uuid(),
);

const query = fc
  .array(
    fc.tuple(fc.constantFrom('limit', 'cursor', 'after', 'q', 'status', 'format', 'strict', 'x'), oddPart),
    {
      maxLength: 3,
    },
  )
  .map((pairs) =>
    pairs.length === 0 ? '' : `?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`,
  );

/** The members that are known, with odd values. */
const jsonBody = (members: readonly string[]) =>
  fc
    .oneof(
      { weight: 1, arbitrary: oddValue },
      { weight: 5, arbitrary: fc.dictionary(fc.constantFrom(...members, '__proto__', 'x'), oddValue) },
    )
    .map((value) => bytes(JSON.stringify(value) ?? 'undefined'));

const rawBody = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.constantFrom(
    bytes('{'),
    bytes('{"a":1,"a":2}'),
    bytes('['.repeat(50_000)),
    bytes('{"a":'.repeat(20_000)),
    new Uint8Array([0xff, 0xfe, 0x00]),
    bytes(`"${'\\ud800'}"`),
    bytes('a: &a [*a, *a]'),
    bytes(' '.repeat(2_000_000)),
  ),
);

const contentType = fc.constantFrom(
  ...Array<string>(12).fill('application/json'),
  'application/json; charset=utf-16',
  'application/yaml',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'text/html',
  'application/x-www-form-urlencoded',
  '',
);

const header = fc.constantFrom<Record<string, string>>(
  {},
  { 'content-encoding': 'gzip' },
  { 'idempotency-key': 'k'.repeat(300) },
  { 'idempotency-key': 'key with blanks' },
  { 'x-request-id': '../../x' },
  { 'last-event-id': '-1' },
  { 'last-event-id': '99999999999999999999' },
  { range: 'bytes=5-1' },
  { accept: 'image/png' },
  { traceparent: '00-zz' },
);

/** Odd requests to any operation. The workspace is the own one mostly, so that most get as far as their handler. */
export function hostileRequests(operations: readonly Operation[]): fc.Arbitrary<HostileRequest> {
  const workspace = fc.oneof(
    { weight: 4, arbitrary: fc.constant('default') },
    { weight: 1, arbitrary: oddPart },
  );
  return fc.constantFrom(...operations).chain(({ method, path, members }) => {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const parts = names.map((name) => (name === 'ws' ? workspace : oddPart));
    const body = fc.oneof({ weight: 3, arbitrary: jsonBody(members) }, { weight: 1, arbitrary: rawBody });
    return fc
      .record({ parts: fc.tuple(...parts), query, body, contentType, header })
      .map(({ parts, query, body, contentType, header }) => {
        const values = [...parts];
        return {
          method,
          target: `${path.replace(/\{\w+\}/g, () => String(values.shift()))}${query}`,
          headers: {
            ...header,
            ...(method !== 'GET' && contentType !== '' && { 'content-type': contentType }),
          },
          body: method === 'GET' || method === 'DELETE' ? null : body,
        };
      });
  });
}
