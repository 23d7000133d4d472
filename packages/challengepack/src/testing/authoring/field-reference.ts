import { isJsonObject, type JsonObject, type JsonValue } from '../../json.js';

interface RecordOfFields {
  path: string;
  fields: JsonObject;
  required: readonly JsonValue[];
}

/** Every record of an editor schema as a Markdown table of its fields; records that are alike appear once. */
export function fieldReference(schema: JsonObject): string {
  const seen = new Map<string, string>();
  return recordsIn(schema, '')
    .flatMap(({ path, fields, required }) => {
      const key = JSON.stringify(fields);
      const first = seen.get(key);
      const heading = `## ${path === '' ? 'The document' : `\`${path}\``}`;
      if (Object.keys(fields).length === 0) return [];
      if (first !== undefined) return [`${heading}\n\nAs \`${first}\`.\n`];
      seen.set(key, path);
      const rows = Object.entries(fields).map(([name, field]) => rowOf(name, field, required.includes(name)));
      return [`${heading}\n\n| Field | Type | Default | Meaning |\n|---|---|---|---|\n${rows.join('\n')}\n`];
    })
    .join('\n');
}

function recordsIn(schema: JsonValue | undefined, path: string): RecordOfFields[] {
  if (!isJsonObject(schema)) return [];
  const { properties, required, items, additionalProperties, anyOf, allOf } = schema;
  const fields = isJsonObject(properties) ? properties : undefined;
  const own = fields ? [{ path, fields, required: Array.isArray(required) ? required : [] }] : [];
  const below = Object.entries(fields ?? {}).flatMap(([name, field]) =>
    recordsIn(field, path === '' ? name : `${path}.${name}`),
  );
  const branches = [anyOf].flat().flatMap((branch) => recordsIn(branch, path));
  const variants = [allOf].flat().flatMap((branch) => variantRecords(branch, path));
  return [
    ...own,
    ...below,
    ...branches,
    ...variants,
    ...recordsIn(items, `${path}[]`),
    ...recordsIn(additionalProperties, `${path}[…]`),
  ];
}

/** The further fields of a record when one of its fields has a certain value: `if type is … then config is …`. */
function variantRecords(branch: JsonValue | undefined, path: string): RecordOfFields[] {
  if (!isJsonObject(branch) || !isJsonObject(branch.if) || !isJsonObject(branch.then)) return [];
  const conditions = isJsonObject(branch.if.properties) ? Object.values(branch.if.properties) : [];
  const values = conditions.map((condition) => (isJsonObject(condition) ? String(condition.const) : ''));
  const inner = isJsonObject(branch.then.properties) ? branch.then.properties : {};
  return Object.entries(inner).flatMap(([name, field]) =>
    recordsIn(field, `${path}(${values.join()}).${name}`),
  );
}

/** One field as a row of a Markdown table: name, type, default, meaning. */
export function rowOf(name: string, field: JsonValue | undefined, isRequired: boolean): string {
  const schema = isJsonObject(field) ? field : {};
  const fallback = schema.default === undefined ? '' : `\`${JSON.stringify(schema.default)}\``;
  const cells = [
    `\`${name}\`${isRequired ? ' **required**' : ''}`,
    typeOf(schema),
    fallback,
    String(schema.description ?? ''),
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function typeOf(schema: JsonObject): string {
  const { anyOf, type, items, enum: values, const: only } = schema;
  if (Array.isArray(anyOf)) {
    const named = anyOf.filter((branch) => !(isJsonObject(branch) && branch.const === ''));
    return [...new Set(named.map((branch) => (isJsonObject(branch) ? typeOf(branch) : '')))].join(', or ');
  }
  if (only !== undefined) return `\`${String(only)}\``;
  if (Array.isArray(values)) return values.map((value) => `\`${String(value)}\``).join(', ');
  const types = [type].flat().filter((each) => each !== undefined && each !== 'null');
  if (types.includes('array')) return `list of ${isJsonObject(items) ? typeOf(items) : 'any'}`;
  if (types.includes('object')) return isJsonObject(schema.properties) ? 'record' : 'map';
  if (types.length === 0) return 'any';
  return types.includes('string') ? `text${boundsOf(schema)}` : `${types.join()}${boundsOf(schema)}`;
}

const UNBOUNDED = [2_147_483_647, Number.MAX_SAFE_INTEGER];

function boundsOf({ minimum, exclusiveMinimum, maximum, maxLength }: JsonObject): string {
  const bounds = [
    ...(minimum === undefined ? [] : [`≥ ${minimum}`]),
    ...(exclusiveMinimum === undefined ? [] : [`> ${exclusiveMinimum}`]),
    ...(maximum === undefined || UNBOUNDED.includes(Number(maximum)) ? [] : [`≤ ${maximum}`]),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
  ];
  return bounds.length > 0 ? `, ${bounds.join(', ')}` : '';
}
