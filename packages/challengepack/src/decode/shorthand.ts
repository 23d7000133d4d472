import { type JsonObject, setMember } from '../json.js';
import type { Draft, Shape } from './shape.js';
import { text } from './text.js';

/** A record that may be written as one text, the value of its field `field` alone: `correctness`. */
export function orText<T extends object>(field: string & keyof T, shape: Shape<T>): Shape<T> {
  const short = text();
  return {
    ...shape,
    blankAs: 'absent',
    schema: { anyOf: [short.schema, shape.schema] },
    decode(node, at, decoding) {
      if (node.kind !== 'scalar') return shape.decode(node, at, decoding);
      const value = short.decode(node, at, decoding);
      if (value === undefined) return undefined;
      const authored: JsonObject = {};
      setMember(authored, field, value);
      return authored as Draft<T>;
    },
  };
}
