import path from 'node:path';
import { type FieldSchema, fieldTable, typeText } from '../schema-fields.js';
import { busApiSchemas } from './schemas.js';

export const BUS_PAGE = path.resolve(import.meta.dirname, '../../../../../docs/reference/bus.md');

const INTRODUCTION = `# Messages of the bus

The messages of the API for internal services, [which has a guide](../nats.md). Each subject ends with the id of the
workspace. Written by \`pnpm schema\` from the contracts;
[nats-messages.schema.json](nats-messages.schema.json) has the same as JSON Schema, with all rules of values.
`;

/** The page, generated from the schemas of the messages. */
export function busPage(): string {
  const { $defs }: { $defs: Record<string, FieldSchema> } = JSON.parse(busApiSchemas());
  const sections = Object.entries($defs).map(([subject, schema]) =>
    [`## ${subject}`, '', ...sectionOf(schema)].join('\n'),
  );
  return `${INTRODUCTION}\n${sections.join('\n\n')}\n`;
}

function sectionOf(schema: FieldSchema): string[] {
  const [ok, error] = schema.properties === undefined ? (schema.oneOf ?? []) : [];
  if (ok?.properties === undefined || error === undefined) {
    return [...alternatives(schema), ...fieldTable(schema), ...payload(schema)];
  }
  const data = ok.properties.data ?? {};
  const errorFields = Object.keys(error.properties?.error?.properties ?? {}).map((name) => `\`${name}\``);
  const failed = `\`ok\` is \`false\`, and \`error\` has ${errorFields.join(', ')}, when it failed. Else \`ok\` is \`true\`, and \`data\` has:`;
  return [failed, '', ...fieldTable(data)];
}

/** Sets of fields of which exactly one is given. */
function alternatives({ oneOf = [] }: FieldSchema): string[] {
  const sets = oneOf.map(({ required = [] }) => required.map((name) => `\`${name}\``).join(' and '));
  return sets.length === 0 ? [] : [`Exactly one of ${sets.join(', ')} is given.`, ''];
}

function payload({ properties }: FieldSchema): string[] {
  const inner = properties?.payload;
  if (inner?.properties === undefined) return [];
  const rows = fieldTable(inner);
  return rows.length === 0 ? [] : ['', `Its \`payload\` (${typeText(inner)}):`, '', ...rows];
}
