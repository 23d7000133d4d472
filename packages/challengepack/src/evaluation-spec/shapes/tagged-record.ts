import type { Shape } from '../../decode/shape.js';
import type { SourceNode } from '../../decode/source.js';
import { isJsonObject, type JsonObject, type JsonValue, ownMember } from '../../json.js';
import { trim } from '../../text/white-space.js';

/**
 * A record whose other fields depend on the text of its field `tag`. `untagged` reads it where that text is missing or
 * unknown, and so reports that.
 */
export function taggedRecord<T extends object>(
  tag: string & keyof T,
  variants: ReadonlyMap<string, Shape<T>>,
  untagged: Shape<T>,
): Shape<T> {
  return {
    ...untagged,
    schema: schemaOf(tag, variants, untagged),
    decode(node, at, decoding) {
      const variant = variants.get(tagText(node, tag)) ?? untagged;
      return variant.decode(node, at, decoding);
    },
    encode: (value) => (variants.get(String(value[tag])) ?? untagged).encode(value),
  };
}

function tagText(node: SourceNode, tag: string): string {
  const value = node.kind === 'map' ? node.entries.get(tag)?.value : undefined;
  return value?.kind === 'scalar' ? trim(value.text) : '';
}

function schemaOf<T extends object>(
  tag: string,
  variants: ReadonlyMap<string, Shape<T>>,
  untagged: Shape<T>,
): JsonObject {
  const branches = [...variants].map(([text, { schema }]) => ({
    if: { properties: { [tag]: { const: text } }, required: [tag] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: whatDiffers(schema, untagged.schema),
  }));
  return { ...untagged.schema, allOf: branches };
}

/** The constraints that one variant adds to those of all. */
function whatDiffers(variant: JsonObject, common: JsonObject): JsonObject {
  const fields = membersOf(variant.properties).filter(
    ([name, schema]) => !isSame(schema, ownMember(common.properties, name)),
  );
  const { required } = variant;
  return {
    properties: Object.fromEntries(fields),
    ...(required !== undefined && !isSame(required, common.required) && { required }),
  };
}

function membersOf(value: JsonValue | undefined): [string, JsonValue][] {
  return isJsonObject(value) ? Object.entries(value) : [];
}

function isSame(left: JsonValue, right: JsonValue | undefined): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
