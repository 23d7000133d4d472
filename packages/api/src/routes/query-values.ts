import { z } from 'zod';

/** Query texts, converted to the types of the schema; other text remains for the schema to refuse. */
export function queryValues(schema: z.ZodObject, query: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(query).map(([name, text]) => {
      const member = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
      return [name, typeof text === 'string' && member !== undefined ? asDeclared(bare(member), text) : text];
    }),
  );
}

function asDeclared(schema: z.core.$ZodType, text: string): unknown {
  if (schema instanceof z.ZodNumber && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (schema instanceof z.ZodBoolean && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function bare(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? bare(schema.unwrap()) : schema;
}
