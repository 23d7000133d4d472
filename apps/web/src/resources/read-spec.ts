import type { z } from 'zod';

export type SpecReading<Spec> = { spec: Spec } | { problems: readonly string[] };

/** Reads what somebody wrote as JSON; all that is wrong with it at once, by field. */
export function readSpec<Spec>(
  schema: z.ZodType<Spec>,
  text: string,
  secret: object = {},
): SpecReading<Spec> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problems: [`This is not JSON: ${error instanceof Error ? error.message : String(error)}`] };
  }
  const { data, error } = schema.safeParse(
    typeof value === 'object' && value !== null ? { ...value, ...secret } : value,
  );
  if (error === undefined) return { spec: data as Spec };
  return { problems: error.issues.map(({ path, message }) => `${path.join('.') || 'the spec'}: ${message}`) };
}
