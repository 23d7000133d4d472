import { isJsonObject, type JsonObject } from '../json.js';
import { schemaProblem } from '../json-schema/json-schema.js';
import { trim } from '../text/white-space.js';

const DIALECT = /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;

/** The parameters of a tool that declares none: nothing at all. */
export const NO_PARAMETERS: JsonObject = { type: 'object', properties: {}, additionalProperties: false };

/** Why `parameters` is no JSON Schema 2020-12 with an object root, in words for its author; null when it is one. */
export function parameterSchemaProblem(parameters: unknown): string | null {
  if (!isJsonObject(parameters)) return 'at the root: must be an object';
  const { $schema: dialect, type } = parameters;
  if (dialect !== undefined && (typeof dialect !== 'string' || !DIALECT.test(dialect))) {
    return 'at /$schema: must name draft 2020-12';
  }
  if (type !== undefined && type !== 'object') return 'at /type: must be object';
  return schemaProblem(parameters);
}

/** The names that placeholders may begin with: the keys of `properties`, trimmed. */
export function parameterNames(parameters: JsonObject | undefined): ReadonlySet<string> {
  const properties = parameters?.properties;
  return new Set(isJsonObject(properties) ? Object.keys(properties).map(trim) : []);
}
