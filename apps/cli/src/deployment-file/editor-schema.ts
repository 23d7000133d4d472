import { z } from 'zod';
import type { Link } from '../resources/kind.js';
import { isLocal, KIND_NAMES, type KindName, type LocalKind, listNameOf } from '../resources/kind-names.js';
import { KINDS } from '../resources/kinds.js';

interface Schema {
  [keyword: string]: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  /** Of a map: its values. */
  additionalProperties?: Schema | boolean;
}

/**
 * The JSON Schema (2020-12) of a deployment file, from the same specs that the HTTP API checks: lists of resources, or
 * one deployment alone. It has names where the API has ids.
 */
export function deploymentFileSchema(): object & { anyOf: object[] } {
  const lists = KIND_NAMES.map((kind): [string, Schema] => [
    listNameOf(kind),
    {
      type: ['array', 'null'],
      description: `Each ${KINDS[kind].noun}, by name.`,
      items: { $ref: `#/$defs/${kind}` },
    },
  ]);
  const $defs = Object.fromEntries(KIND_NAMES.map((kind) => [kind, schemaOf(kind)]));
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'AgentClash deployment file',
    type: 'object',
    anyOf: [
      {
        properties: Object.fromEntries(lists),
        patternProperties: { '^x-': true },
        additionalProperties: false,
      },
      { required: ['name'], $ref: '#/$defs/deployment' },
    ],
    $defs,
  };
  return schema;
}

/** The body of the API as authors write it. */
function schemaOf(kind: KindName): Schema {
  const { spec, links } = KINDS[kind];
  const { $schema: _draft, ...schema } = z.toJSONSchema(spec, {
    io: 'input',
    unrepresentable: 'any',
    reused: 'inline',
  });
  for (const link of links) for (const holder of holdersOf(schema as Schema, link)) writeName(holder, link);
  return schema as Schema;
}

/** The records that hold a link's member: `*` is the entries of a list, a union has several. */
function holdersOf(schema: Schema, { written }: Link): Schema[] {
  const steps = written.split('.').slice(0, -1);
  return steps.reduce<Schema[]>((records, step) => records.flatMap((each) => below(each, step)), [schema]);
}

function below(schema: Schema, step: string): Schema[] {
  return branchesOf(schema).flatMap((record) => {
    const found = step === '*' ? [record.items, record.additionalProperties] : [record.properties?.[step]];
    return found.filter((each) => typeof each === 'object');
  });
}

function branchesOf(schema: Schema): Schema[] {
  const { anyOf = [], oneOf = [] } = schema as { anyOf?: Schema[]; oneOf?: Schema[] };
  return [schema, ...[...anyOf, ...oneOf].flatMap(branchesOf)];
}

const LOCAL: Record<LocalKind, string> = {
  file: 'a file',
  text: 'a text',
  document: 'a YAML document',
  skill: 'a folder with a SKILL.md',
};

function nameOf(noun: string): string {
  return `The name of a ${noun}, or its id.`;
}

function writeName(holder: Schema, { written, member, to }: Link): void {
  const last = written.slice(written.lastIndexOf('.') + 1);
  const description = isLocal(to) ? `The path of ${LOCAL[to]} beside this file.` : nameOf(KINDS[to].noun);
  const name: Schema = { type: 'string', minLength: 1, description };
  for (const record of branchesOf(holder)) {
    if (last === '*') {
      if (record.items) record.items = name;
      continue;
    }
    const known = member ?? last;
    if (record.properties?.[known] === undefined) continue;
    record.properties[last] = name;
    // Either spelling is allowed: neither can be required alone.
    if (member !== undefined) record.required = record.required?.filter((each) => each !== member) ?? [];
  }
}
