import path from 'node:path';
import { editorSchema } from '@agentclash/challengepack';
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { deploymentFileSchema } from '../../deployment-file/editor-schema.js';

const folder = path.resolve(import.meta.dirname, '../../../../../packages/sdk/src/generated');

/** The types of `packages/sdk` that are made from the editor schemas, with what they should hold. */
export async function sdkTypes(): Promise<{ file: string; text: string }[]> {
  return [
    { file: path.join(folder, 'pack-document.ts'), text: await typeText('PackDocument', editorSchema()) },
    {
      file: path.join(folder, 'deployment-file.ts'),
      text: await typeText('DeploymentFile', listsOf(deploymentFileSchema())),
    },
  ];
}

/** The form of a deployment file with lists; the other one is a single deployment. */
function listsOf({ anyOf: [lists], ...schema }: ReturnType<typeof deploymentFileSchema>): object {
  return { ...schema, ...lists };
}

async function typeText(name: string, schema: object): Promise<string> {
  const { title: _title, $schema: _draft, ...body } = strict(schema) as Record<string, unknown>;
  return await compile(body as JSONSchema, name, {
    additionalProperties: false,
    bannerComment: '// Written by `pnpm reference` from the editor schemas.',
    ignoreMinAndMaxItems: true,
    style: { singleQuote: true, printWidth: 110 },
  });
}

const SCALARS = ['string', 'number', 'boolean'];

/**
 * A schema for programs. Editors accept what YAML makes of unquoted text and of keys without a value; in a program
 * a text is a string, and an absent value is left out.
 */
function strict(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(strict);
  if (node === null || typeof node !== 'object') return node;
  if (isAnyValue(node)) return { ...node, tsType: 'unknown' };
  const entries = Object.entries(node).flatMap(([key, value]): [string, unknown][] => {
    if (key === 'patternProperties') return [];
    if (key === 'type' && Array.isArray(value)) return [[key, strictType(value)]];
    if (key === 'enum' && Array.isArray(value)) return [[key, value.filter((each) => each !== '')]];
    return [[key, strict(value)]];
  });
  const { type } = Object.fromEntries(entries);
  const isMap = type === 'object' && !('properties' in node) && !('additionalProperties' in node);
  return Object.fromEntries(isMap ? [...entries, ['additionalProperties', true]] : entries);
}

/** A schema that accepts every value; a map of schemas by name has schemas as its members. */
function isAnyValue(node: object): boolean {
  return Object.entries(node).every(([key, value]) => key === 'description' && typeof value === 'string');
}

function strictType(types: readonly unknown[]): unknown {
  if (SCALARS.every((type) => types.includes(type))) return 'string';
  const [only, ...others] = types.filter((type) => type !== 'null');
  return others.length === 0 ? only : [only, ...others];
}
