import { z } from 'zod';
import { problemWords } from './problem-words.js';

/** A problem of a spec, with the field that has it: keys separated by dots, empty for the spec itself. */
export interface SpecProblem {
  field: string;
  message: string;
}

export type SpecReading<Spec> = { spec: Spec } | { problems: readonly SpecProblem[] };

/** Parses and validates a spec in JSON or YAML; returns all problems at once, by field. */
export async function readSpec<Spec>(
  schema: z.ZodType<Spec>,
  text: string,
  secret: object = {},
): Promise<SpecReading<Spec>> {
  const parsed = await parseText(text);
  if ('problem' in parsed) return { problems: [{ field: '', message: parsed.problem }] };
  const { value } = parsed;
  const { data, error } = schema.safeParse(
    typeof value === 'object' && value !== null ? { ...value, ...secret } : value,
  );
  if (error === undefined) return { spec: data as Spec };
  return {
    problems: error.issues.map((issue) => ({ field: issue.path.join('.'), message: problemWords(issue) })),
  };
}

const Saved = z.object({ warnings: z.array(z.object({ code: z.string(), message: z.string() })) });

/** The warnings of the server in the response to a save. */
export function warningsOf(saved: unknown): string[] {
  const { data } = Saved.safeParse(saved);
  return (data?.warnings ?? []).map(({ code, message }) => `${code}: ${message}`);
}

type Parsed = { value: unknown } | { problem: string };

/** The value of a JSON or YAML text, or the problem with it. */
async function parseText(text: string): Promise<Parsed> {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    const parsed = await parseYaml(text);
    // A text that looks like JSON gets the message of the JSON parser.
    const isMeantAsJson = 'problem' in parsed && /^\s*[{[]/.test(text);
    return isMeantAsJson ? { problem: `Invalid JSON: ${firstLineOf(error)}` } : parsed;
  }
}

async function parseYaml(text: string): Promise<Parsed> {
  // Loaded when it is first needed: most specs are JSON.
  const yaml = await import('yaml').catch(() => undefined);
  if (yaml === undefined) return { problem: 'This is not JSON, and the YAML parser could not be loaded.' };
  try {
    return { value: yaml.parse(text, { logLevel: 'error' }) };
  } catch (error) {
    const isSeveral = error instanceof yaml.YAMLParseError && error.code === 'MULTIPLE_DOCS';
    if (isSeveral) return { problem: 'A spec is a single document; this text has several.' };
    return { problem: `Invalid YAML: ${firstLineOf(error)}` };
  }
}

/** The lines after it are a code frame of the parser. */
function firstLineOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line.replace(/:$/, '');
}
