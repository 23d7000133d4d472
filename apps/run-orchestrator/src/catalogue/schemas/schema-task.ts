import { parameterSchemaProblem, readJson, schemaProblem } from '@agentclash/challengepack';

/** The use of a schema: the parameters of a tool are of an object. */
export type SchemaUse = 'parameters' | 'output';

export interface SchemaTask {
  readonly use: SchemaUse;
  /** The schema as JSON text. */
  readonly text: string;
}

/** The problem of a schema, null when there is none. */
export function readSchemaTask({ use, text }: SchemaTask): string | null {
  const reading = readJson(text);
  if (!reading.ok) return 'is nested too deeply';
  return use === 'parameters' ? parameterSchemaProblem(reading.value) : schemaProblem(reading.value);
}
