import { KEYWORD_SHAPES, readMembers } from './dialect.js';
import { CHAIN_MAX, EXPANSION_MAX } from './limits.js';
import { pointerSegment, refuseSchema } from './problem.js';
import { type SchemaIndex, type SchemaNode, subschemas } from './schema-index.js';

/** Keywords whose subschemas apply to the same place as the schema that they are in. */
const SAME_INSTANCE: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'dependencies',
]);

/**
 * Bounds what references put in one place, by counting it and not by writing it out: a subschema counts as itself and
 * all that it applies to the same place. References that lead back without entering the value have no end. Throws
 * `SchemaProblemError`.
 */
export function boundExpansion(index: SchemaIndex, nodes: readonly SchemaNode[]): void {
  const sizes = new Map<SchemaNode, number | 'open'>();
  const sizeOf = (node: SchemaNode, depth: number): number => {
    const known = sizes.get(node);
    if (known === 'open')
      return refuseSchema(node.at, 'is a reference that leads back to itself without end');
    if (known !== undefined) return known;
    if (depth > CHAIN_MAX) refuseSchema(node.at, `follows after more than ${CHAIN_MAX} references in a row`);
    sizes.set(node, 'open');
    let size = 1;
    for (const next of sameInstance(index, node)) size += sizeOf(next, depth + 1);
    if (size > EXPANSION_MAX) {
      refuseSchema(
        node.at,
        `stands for more than ${EXPANSION_MAX} subschemas in one place once its references are followed`,
      );
    }
    sizes.set(node, size);
    return size;
  };
  for (const node of nodes) sizeOf(node, 0);
}

function* sameInstance(index: SchemaIndex, node: SchemaNode): Generator<SchemaNode> {
  const { schema, resource, at } = node;
  if (typeof schema === 'boolean') return;
  for (const [name, value] of readMembers(schema, resource.draft)) {
    const keywordAt = at + pointerSegment(name);
    const isReference = name === '$ref' || (name === '$dynamicRef' && resource.draft === '2020-12');
    if (isReference && typeof value === 'string') yield index.resolve(value, node, keywordAt).node;
    const shape = KEYWORD_SHAPES[resource.draft].get(name);
    if (!SAME_INSTANCE.has(name) || shape === undefined) continue;
    for (const [key] of subschemas(shape, value)) {
      yield index.get(key === null ? keywordAt : keywordAt + pointerSegment(key));
    }
  }
}
