import { type ScalarTag, stringify } from 'yaml';

/** Readers of packs merge maps by a plain `<<`: with the tag a text like it is quoted. */
const MERGE: ScalarTag = {
  tag: 'tag:yaml.org,2002:merge',
  default: 'key',
  test: /^<<$/,
  resolve: (text) => text,
};

/**
 * The YAML of a value that JSON can hold: maps, lists, texts, finite numbers, booleans and null. Members that are
 * `undefined` are left out, as in JSON. Throws a `TypeError` that names the place of any other value.
 */
export function yamlText(value: unknown): string {
  // Documents repeat values; an anchor would be an alias that readers of packs refuse.
  return stringify(jsonValue(value, '', []), {
    aliasDuplicateObjects: false,
    lineWidth: 0,
    version: '1.2',
    customTags: (tags) => [...tags, MERGE],
  });
}

/** `above`: the maps and lists that hold the value. */
function jsonValue(value: unknown, at: string, above: readonly unknown[]): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (above.includes(value)) throw notJson(at, 'a value that holds itself');
  const within = [...above, value];
  if (Array.isArray(value)) return value.map((each, index) => jsonValue(each, `${at}[${index}]`, within));
  if (isPlain(value)) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return Object.fromEntries(
      members.map(([key, member]) => [key, jsonValue(member, at === '' ? key : `${at}.${key}`, within)]),
    );
  }
  throw notJson(at, kindOf(value));
}

function notJson(at: string, kind: string): TypeError {
  return new TypeError(`${at === '' ? 'The document' : at} must be a value that JSON can hold, not ${kind}.`);
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function kindOf(value: unknown): string {
  if (typeof value === 'number') return String(value);
  return typeof value === 'object' ? `a ${value?.constructor.name ?? 'object'}` : typeof value;
}
