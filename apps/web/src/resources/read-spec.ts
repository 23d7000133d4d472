import { z } from 'zod';
import { parseText } from './parse-text.js';

export type SpecReading<Spec> = { spec: Spec } | { problems: readonly string[] };

/** Parses and validates a spec in JSON or YAML; returns all problems at once, by field. */
export async function readSpec<Spec>(
  schema: z.ZodType<Spec>,
  text: string,
  secret: object = {},
): Promise<SpecReading<Spec>> {
  const parsed = await parseText(text);
  if ('problem' in parsed) return { problems: [parsed.problem] };
  const { value } = parsed;
  const { data, error } = schema.safeParse(
    typeof value === 'object' && value !== null ? { ...value, ...secret } : value,
  );
  if (error === undefined) return { spec: data as Spec };
  return { problems: error.issues.map(({ path, message }) => `${path.join('.') || 'spec'}: ${message}`) };
}

const Saved = z.object({ warnings: z.array(z.object({ code: z.string(), message: z.string() })) });

/** The warnings of the server in the response to a save. */
export function warningsOf(saved: unknown): string[] {
  const { data } = Saved.safeParse(saved);
  return (data?.warnings ?? []).map(({ code, message }) => `${code}: ${message}`);
}
