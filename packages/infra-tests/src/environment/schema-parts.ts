import type { z } from 'zod';

type Schema = z.core.$ZodType;

/** What zod itself says a schema is. */
export function definitionOf(schema: Schema) {
  return (schema as z.core.$ZodTypes)._zod.def;
}

/** The members that an object's schema has. */
export function membersOf(schema: Schema): [name: string, schema: Schema][] {
  const definition = definitionOf(schema);
  return 'shape' in definition ? Object.entries(definition.shape) : [];
}

/** The schemas that another is made from, where it reads the same value: both halves, or what is transformed. */
export function madeFrom(schema: Schema): Schema[] {
  const definition = definitionOf(schema);
  if ('left' in definition) return [definition.left, definition.right];
  if ('innerType' in definition) return [definition.innerType];
  return 'in' in definition ? [definition.in] : [];
}
