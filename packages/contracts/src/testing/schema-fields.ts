/** A JSON Schema, as far as the reference shows it. */
export interface FieldSchema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: FieldSchema[];
  oneOf?: FieldSchema[];
  items?: FieldSchema;
  properties?: Record<string, FieldSchema>;
  required?: string[];
  format?: string;
  description?: string;
  default?: unknown;
}

const VALUES_SHOWN_MAX = 12;

/** The fields of an object as rows of a table: name, type, whether it is required, default. */
export function fieldTable({ properties = {}, required = [] }: FieldSchema): string[] {
  const rows = Object.entries(properties).map(([name, schema]) => {
    const need = required.includes(name) ? 'required' : defaultOf(schema);
    return `| \`${name}\` | ${typeText(schema)} | ${need} |`;
  });
  return rows.length === 0 ? [] : ['| Field | Type | |', '|---|---|---|', ...rows];
}

/** The default in words; nothing where there is none. */
export function defaultOf(schema: FieldSchema): string {
  return schema.default === undefined ? '' : `default ${code(schema.default)}`;
}

/** The type of a field on one line: names of schemas and values as code, objects without their fields. */
export function typeText(schema: FieldSchema): string {
  if (schema.$ref !== undefined) return `\`${schema.$ref.split('/').at(-1)}\``;
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum !== undefined) return enumText(schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined && schema.properties === undefined) {
    return [...new Set(choices.map(typeText))].join(' or ');
  }
  if (schema.items !== undefined && schema.type === 'array') return `list of ${typeText(schema.items)}`;
  const types = schema.type === undefined ? ['any'] : [schema.type].flat();
  const text = types.join(' or ');
  return schema.format === undefined ? text : `${text} (${schema.format})`;
}

function enumText(values: readonly unknown[]): string {
  const shown = values.slice(0, VALUES_SHOWN_MAX).map(code);
  const more = values.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

function code(value: unknown): string {
  return `\`${JSON.stringify(value).replaceAll('|', '\\|')}\``;
}
