import path from 'node:path';
import {
  defaultOf,
  type FieldSchema,
  fieldTable,
  typeText,
} from '@agentclash/contracts/testing/schema-fields';
import { openApiDocument } from '../../openapi.js';

export const HTTP_API_PAGE = path.resolve(import.meta.dirname, '../../../../../docs/reference/http-api.md');

const INTRODUCTION = `# HTTP API

Every route, [for which there is a guide](../api.md). Written by \`pnpm reference\` from the routes that serve it. A running
server has the same with the schemas of all replies: \`/docs\` is a page, \`/v1/openapi.json\` the OpenAPI document.

\`{ws}\` is the id or the slug of a workspace. A token is sent as \`Authorization: Bearer …\`; each route names the role
that it requires. Errors are problem documents (\`application/problem+json\`) with a \`code\`, and with \`errors\` for the values
that are not valid.
`;

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  schema: FieldSchema;
}

interface Content {
  content?: Record<string, { schema?: FieldSchema }>;
}

interface Operation {
  tags: string[];
  summary: string;
  'x-access': string;
  parameters: Parameter[];
  requestBody?: Content;
  responses: Record<string, Content & { description: string }>;
}

interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, FieldSchema> };
}

const ACCESS: Readonly<Record<string, string>> = {
  public: 'no token',
  signed: 'a token, or a signed address',
  any_token: 'any token',
  operator: 'the token of the operator',
};

/** The page, generated from the OpenAPI document. */
export function httpApiPage(): string {
  // The page has no version: it is the same text until a route changes.
  const document = openApiDocument('0') as unknown as ApiDocument;
  const operations = Object.entries(document.paths).flatMap(([route, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      tag: operation.tags[0] ?? '',
      text: operationText(`${method.toUpperCase()} ${route}`, operation, document.components.schemas),
    })),
  );
  const groups = Map.groupBy(operations, ({ tag }) => tag);
  const sections = [...groups].map(
    ([tag, listed]) => `## ${words(tag)}\n\n${listed.map(({ text }) => text).join('\n\n')}`,
  );
  return `${INTRODUCTION}\n${sections.join('\n\n')}\n`;
}

/** `gatePolicies` is "Gate policies". */
function words(tag: string): string {
  const text = tag.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function operationText(title: string, operation: Operation, schemas: Record<string, FieldSchema>): string {
  const access = ACCESS[operation['x-access']] ?? `role \`${operation['x-access']}\``;
  const parts = [
    `### \`${title}\``,
    `${operation.summary}. Requires ${access}.`,
    parameterTable(operation.parameters),
    bodyText(operation.requestBody, schemas),
    responsesText(operation.responses),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function parameterTable(parameters: readonly Parameter[]): string {
  const shown = parameters.filter(({ name, in: where }) => !(where === 'path' && name === 'ws'));
  if (shown.length === 0) return '';
  const rows = shown.map(({ name, in: where, required, schema }) => {
    const need = required ? 'required' : defaultOf(schema);
    return `| \`${name}\` | ${where} | ${typeText(schema)} | ${need} |`;
  });
  return ['| Parameter | In | Type | |', '|---|---|---|---|', ...rows].join('\n');
}

function bodyText(body: Content | undefined, schemas: Record<string, FieldSchema>): string {
  const [[type, { schema = {} }] = ['', {}], ...others] = Object.entries(body?.content ?? {});
  if (type === '') return '';
  const named = schema.$ref?.split('/').at(-1);
  const resolved = named === undefined ? schema : (schemas[named] ?? {});
  const types = [type, ...others.map(([other]) => other)].map((one) => `\`${one}\``).join(', ');
  const heading = named === undefined ? `Body (${types})` : `Body \`${named}\` (${types})`;
  const table = fieldTable(resolved);
  return table.length === 0 ? `${heading}.` : `${heading}:\n\n${table.join('\n')}`;
}

/** The statuses of success with what they hold, and those of errors. */
function responsesText(responses: Operation['responses']): string {
  const entries = Object.entries(responses).filter(([status]) => status !== 'default');
  const successes = entries
    .filter(([status]) => Number(status) < 400)
    .map(([status, { description, content = {} }]) => {
      const holds = Object.entries(content).map(([type, { schema }]) =>
        schema?.$ref === undefined ? `\`${type}\`` : typeText(schema),
      );
      const what = description === 'Success' ? '' : ` (${description})`;
      return `${status}${what}${holds.length === 0 ? '' : `: ${holds.join(', ')}`}`;
    });
  const errors = entries.filter(([status]) => Number(status) >= 400).map(([status]) => status);
  const failed = errors.length === 0 ? '' : ` Errors: ${errors.join(', ')}.`;
  return `Replies with ${successes.join('; ')}.${failed}`;
}
