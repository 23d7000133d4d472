import { compileJsonSchema } from '../expected/json-schema.js';
import { isJsonObject, type JsonObject } from '../json.js';
import { trim } from '../text/white-space.js';

const DIALECT = /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;

/** What a tool takes that declares no parameters: nothing at all. */
export const NO_PARAMETERS: JsonObject = { type: 'object', properties: {}, additionalProperties: false };

/** Whether `parameters` is a JSON Schema 2020-12 with an object root that compiles. */
export function isParameterSchema(parameters: JsonObject): boolean {
  const { $schema: dialect, type } = parameters;
  if (dialect !== undefined && (typeof dialect !== 'string' || !DIALECT.test(dialect))) return false;
  if (type !== undefined && type !== 'object') return false;
  return compileJsonSchema(parameters) !== null;
}

/** The names that placeholders may begin with: the keys of `properties`, trimmed. */
export function parameterNames(parameters: JsonObject | undefined): ReadonlySet<string> {
  const properties = parameters?.properties;
  return new Set(isJsonObject(properties) ? Object.keys(properties).map(trim) : []);
}
