import { decimalKey, decimalOf, readDecimal } from '../values/decimal.js';

/** The value of a scalar by the YAML 1.2 core schema. */
export interface ResolvedScalar {
  value: null | boolean | number | string;
  /** An integer written out that no double holds. */
  oversized: boolean;
}

const NULL = /^(?:~|null|Null|NULL)?$/;
const BOOLEAN = /^(?:true|True|TRUE|false|False|FALSE)$/;
const INTEGER = /^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const INFINITY = /^[-+]?\.(?:inf|Inf|INF)$/;
const NOT_A_NUMBER = /^\.(?:nan|NaN|NAN)$/;

type Resolve = (text: string) => ResolvedScalar | undefined;

/** By tag: reads the text as that type, or undefined when it is none. */
const RESOLVERS: Record<string, Resolve> = {
  'tag:yaml.org,2002:null': (text) => (NULL.test(text) ? plain(null) : undefined),
  'tag:yaml.org,2002:bool': (text) => (BOOLEAN.test(text) ? plain(/^[tT]/.test(text)) : undefined),
  'tag:yaml.org,2002:int': (text) => (INTEGER.test(text) ? integer(text) : undefined),
  'tag:yaml.org,2002:float': float,
  'tag:yaml.org,2002:str': plain,
};

const IMPLICIT: Resolve[] = ['null', 'bool', 'int', 'float', 'str'].flatMap(
  (name) => RESOLVERS[`tag:yaml.org,2002:${name}`] ?? [],
);

/** Reads an untagged plain scalar. */
export function resolvePlain(text: string): ResolvedScalar {
  for (const resolve of IMPLICIT) {
    const resolved = resolve(text);
    if (resolved) return resolved;
  }
  return plain(text);
}

/** Reads a scalar with an explicit tag; undefined when the tag is not of the core schema or does not fit the text. */
export function resolveTagged(tag: string, text: string): ResolvedScalar | undefined {
  return Object.hasOwn(RESOLVERS, tag) ? RESOLVERS[tag]?.(text) : undefined;
}

function plain(value: ResolvedScalar['value']): ResolvedScalar {
  return { value, oversized: false };
}

function integer(text: string): ResolvedScalar {
  // Adding 0 turns -0 into 0, which is how JSON writes it.
  const value = Number(text) + 0;
  return { value, oversized: !Number.isSafeInteger(value) && !keeps(value, text) };
}

/** As in JSON: 10^16 is kept, and 2^60 is not, as the double is written with other digits. */
function keeps(value: number, text: string): boolean {
  const written = readDecimal(text.replace(/^\+/, ''));
  return written !== null && Number.isFinite(value) && decimalKey(decimalOf(value)) === decimalKey(written);
}

function float(text: string): ResolvedScalar | undefined {
  if (NOT_A_NUMBER.test(text)) return plain(Number.NaN);
  if (INFINITY.test(text)) return plain(text.startsWith('-') ? -Infinity : Infinity);
  return FLOAT.test(text) ? plain(Number(text) + 0) : undefined;
}
