import { z } from 'zod';

/** Names of the members that objects at a path of a schema may have. */
export function membersAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  const [step, ...rest] = path;
  const options = alternatives(schema);
  if (step === undefined) {
    return [
      ...new Set(
        options.flatMap((option) => (option instanceof z.ZodObject ? Object.keys(option.shape) : [])),
      ),
    ];
  }
  return options.flatMap((option) => {
    const inner = memberOf(option, step);
    return inner === undefined ? [] : membersAt(inner, rest);
  });
}

function memberOf(schema: z.core.$ZodType, step: PropertyKey): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodObject) return schema.shape[String(step)];
  if (schema instanceof z.ZodArray) return schema.element;
  return schema instanceof z.ZodRecord ? schema.valueType : undefined;
}

function alternatives(schema: z.core.$ZodType): z.core.$ZodType[] {
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(alternatives);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return alternatives(schema.unwrap());
  }
  return schema instanceof z.ZodPipe ? alternatives(schema.in) : [schema];
}
