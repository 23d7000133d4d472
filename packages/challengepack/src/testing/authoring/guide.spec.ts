import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { PROBLEM_MESSAGES } from '../../decode/problem-codes.js';
import { VALIDATOR } from '../../evaluation-spec/shapes/validator-shape.js';
import { VALIDATOR_TYPE_NAMES } from '../../evaluation-spec/validator-types.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.js';
import { editorSchema } from '../../read/editor-schema.js';
import { readPack } from '../../read/read-pack.js';
import { FIELDS_PAGE, GUIDE, generatedFiles, VALIDATORS_PAGE } from './generated-files.js';

/** A YAML block of the guide, as a whole pack, and its documented problem codes. */
interface GuideBlock {
  line: number;
  text: string;
  codes: string[];
}

const BLOCK = /(?:<!-- in: ([\w-]+)(?:, problem: (\w+))? -->\n)?```yaml\n([\s\S]*?)```/g;

/** All YAML blocks. A fragment is laid over the pack of the guide that the comment before it names by its slug. */
function guideBlocks(guide: string, packs = new Map<string, JsonObject>()): GuideBlock[] {
  return [...guide.matchAll(BLOCK)].map(([, frame, code, text = ''], index, all) => {
    const line = guide.slice(0, all[index]?.index).split('\n').length;
    const document: JsonValue = parse(text);
    if (!isJsonObject(document)) throw new Error(`line ${line}: the block is no map`);
    const codes = code === undefined ? [] : [code];
    if (frame === undefined) {
      const { pack } = document;
      if (!isJsonObject(pack)) throw new Error(`line ${line}: name the pack that the fragment belongs to`);
      packs.set(String(pack.slug), document);
      return { line, text, codes };
    }
    const below = packs.get(frame);
    if (below === undefined) throw new Error(`line ${line}: there is no pack ${frame} above`);
    return { line, text: stringify(overlaid(below, document), { lineWidth: 0 }), codes };
  });
}

/** Maps are joined, everything else is replaced. */
function overlaid(below: JsonObject, above: JsonObject): JsonObject {
  const joined = { ...below };
  for (const [key, value] of Object.entries(above)) {
    const under = below[key];
    joined[key] = isJsonObject(under) && isJsonObject(value) ? overlaid(under, value) : value;
  }
  return joined;
}

const guide = readFileSync(GUIDE, 'utf8');
const PACKS = new Map<string, JsonObject>();
const BLOCKS = guideBlocks(guide, PACKS);
const harnessPage = readFileSync(path.join(path.dirname(GUIDE), 'grading-harness.md'), 'utf8');

describe('the authoring guide', () => {
  test.each(BLOCKS.map((block): [number, typeof block] => [block.line, block]))(
    'the authoring guide shows at line %i a pack that has exactly its documented problems',
    (_line, { text, codes }) => {
      expect(readPack(text).problems.map(({ code }) => code)).toEqual(codes);
    },
  );

  test.each(guideBlocks(harnessPage, PACKS).map((block): [number, typeof block] => [block.line, block]))(
    'the page of the grading harness shows at line %i a pack without problems',
    (_line, { text }) => {
      expect(readPack(text).problems).toEqual([]);
    },
  );

  test('the authoring guide explains every problem code, and no other, once', () => {
    const [, table = ''] = guide.split('## Every problem code');
    const [codes = ''] = table.split('\n## ');
    const explained = [...codes.matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code);
    expect(explained).toEqual(Object.keys(PROBLEM_MESSAGES));
  });

  test('the reference of the authoring guide has every field of the format', () => {
    const reference = new Set(
      [...readFileSync(FIELDS_PAGE, 'utf8').matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name),
    );
    expect(fieldsOf(editorSchema()).filter((name) => !reference.has(name))).toEqual([]);
  });
});

describe('the page of the validators', () => {
  const page = readFileSync(VALIDATORS_PAGE, 'utf8');

  test('the page of the validators describes every type once', () => {
    const headings = [...page.matchAll(/^### (\w+)$/gm)].map(([, type]) => type);
    expect(headings).toEqual(VALIDATOR_TYPE_NAMES);
  });

  test('the page of the validators and the editor schema have the same sentence for each type', () => {
    const { enum: types, enumDescriptions: sentences } = typeFieldOf(editorSchema());
    expect(types).toEqual(VALIDATOR_TYPE_NAMES);
    for (const sentence of sentences as string[]) expect(page).toContain(`\n${sentence}\n`);
  });

  test('every value of every config has a sentence in the editor schema', () => {
    const undescribed = enumsOf(VALIDATOR.schema).filter(
      ({ enum: values, enumDescriptions: sentences }) =>
        (sentences as unknown[] | undefined)?.length !== (values as unknown[]).length,
    );
    // An older spelling that the reference does not explain.
    expect(undescribed).toEqual([expect.objectContaining({ enum: ['relative', 'absolute'] })]);
  });
});

function enumsOf(schema: JsonValue | undefined): JsonObject[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = isJsonObject(schema) && Array.isArray(schema.enum) ? [schema] : [];
  return [...own, ...Object.values(schema).flatMap(enumsOf)];
}

function typeFieldOf(schema: JsonValue | undefined): JsonObject {
  const found = enumsOf(schema).find(({ enum: values }) => (values as unknown[]).includes('exact_match'));
  if (found === undefined) throw new Error('the schema has no types of validators');
  return found;
}

/** The names of all properties, wherever the schema has them. */
function fieldsOf(schema: JsonValue | undefined): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties } = isJsonObject(schema) ? schema : {};
  const own = isJsonObject(properties) ? Object.keys(properties) : [];
  return [...own, ...Object.values(schema).flatMap(fieldsOf)];
}

test.each(generatedFiles().map((made): [string, typeof made] => [path.basename(made.file), made]))(
  'the generated file %s matches the declarations of the format; pnpm schema writes it',
  (_name, { file, text }) => {
    expect(readFileSync(file, 'utf8') === text).toBe(true);
  },
);
