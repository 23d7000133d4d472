type Schema = Record<string, unknown>;

/** Each reference would be written out in its place. */
export function widelyReferenced(references: number): Schema {
  const wide = { properties: repeated(500, () => ({ type: 'string' })) };
  return {
    type: 'object',
    $defs: { wide },
    properties: repeated(references, () => ({ $ref: '#/$defs/wide' })),
  };
}

/** 104 patterns have about as many instructions as a schema may have. */
export function largePatterns(count: number): Schema {
  return { type: 'object', properties: repeated(count, (at) => ({ pattern: `a{${at % 1_000}}b{1,900}` })) };
}

/** A value is validated 2^depth times when each reference is followed for itself. */
export function doubling(depth: number): Schema {
  const $defs: Schema = { a0: { type: 'string' } };
  for (let at = 1; at <= depth; at += 1) {
    const below = { properties: { x: { $ref: `#/$defs/a${at - 1}` } } };
    $defs[`a${at}`] = { allOf: [below, below] };
  }
  return { type: 'object', $defs, $ref: `#/$defs/a${depth}` };
}

/** What `doubling` validates: the text is as deep as the references. */
export function nested(depth: number): Schema {
  let value: Schema = { x: 'text' };
  for (let at = 1; at < depth; at += 1) value = { x: value };
  return value;
}

/** RE2 follows 2,000 threads through a text, for each of the patterns. */
export function slowPatterns(): Schema {
  const patterns = Array.from({ length: 40 }, (_, at) => ({ pattern: `a[ab]{1000}[ab]{${950 + at}}[cd]` }));
  return { type: 'object', properties: { text: { anyOf: patterns } } };
}

/** Letters `a` and `b` without a period, always the same. */
export function letters(count: number): string {
  let state = 123_456_789;
  return Array.from({ length: count }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return 'ab'[state & 1];
  }).join('');
}

function repeated(count: number, each: (at: number) => unknown): Schema {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, each(at)]));
}
