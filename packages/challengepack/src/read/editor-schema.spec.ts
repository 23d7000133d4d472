import { vectorSuite } from '@agentclash/testkit';
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { isJsonObject, type JsonObject, type JsonValue } from '../json.js';
import { EXAMPLE } from '../testing/example-pack.js';
import { applyOperation, type Operation } from '../testing/json-patch.js';
import { type Patch, patched } from '../testing/patch.js';
import { RICH_EXAMPLE } from '../testing/rich-example.js';
import { editorSchema } from './editor-schema.js';
import { readPack } from './read-pack.js';

const validate = new Ajv2020({ strict: false }).compile(editorSchema());

function conforms(text: string): boolean {
  const isValid = validate(parse(text, { merge: true }));
  if (!isValid) throw new Error(JSON.stringify(validate.errors));
  return isValid;
}

interface SpecVector {
  id: string;
  patch: Operation[];
  want: { valid: boolean; warnings: unknown[] };
}

vectorSuite<SpecVector>('scoring-spec-validation.yaml', ({ patch, want }, document) => {
  if (!want.valid || want.warnings.length > 0) return;
  const spec = structuredClone(document.base) as JsonValue;
  for (const operation of patch) applyOperation(operation, spec);
  const pack = parse(EXAMPLE) as JsonObject;
  expect(conforms(JSON.stringify({ ...pack, version: { number: 1, evaluation_spec: spec } }))).toBe(true);
});

interface Vector {
  id: string;
  patch: Patch[];
}

vectorSuite<Vector>(
  'challenge-pack.yaml',
  ({ patch }, { base }) => {
    const text = patched(String(base), patch);
    const { valid, problems } = readPack(text);
    if (valid && problems.length === 0 && !needsTrimming(parse(text, { merge: true })))
      expect(conforms(text)).toBe(true);
  },
  { select: (document) => document.cases as Vector[] },
);

function needsTrimming(value: JsonValue): boolean {
  if (typeof value === 'string') return /^\s|\s$/.test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(needsTrimming);
}

describe('the editor schema', () => {
  test.each([
    ['small', EXAMPLE],
    ['rich', RICH_EXAMPLE],
  ])('accepts a pack without problems (%s)', (_name, text) => {
    expect(readPack(text).problems).toEqual([]);
    expect(conforms(text)).toBe(true);
  });

  test.each([
    ['an unknown key', 'descripton: x'],
    ['an unknown mode', 'version: {execution_mode: exotic}'],
    ['a list for a text', 'pack: {slug: [a]}'],
  ])('marks %s', (_name, text) => {
    expect(validate(parse(text))).toBe(false);
  });

  test('describes every field of every record', () => {
    const undescribed: string[] = [];
    const visit = (schema: JsonValue | undefined, at: string): void => {
      if (!isJsonObject(schema)) return;
      const { properties, items, additionalProperties, anyOf, allOf } = schema;
      for (const [name, property] of Object.entries(isJsonObject(properties) ? properties : {})) {
        const isConst = isJsonObject(property) && Object.keys(property).join() === 'const';
        if (!isConst && !(isJsonObject(property) && property.description)) undescribed.push(`${at}.${name}`);
        visit(property, `${at}.${name}`);
      }
      visit(items, `${at}[]`);
      visit(additionalProperties, `${at}[*]`);
      for (const branch of [anyOf, allOf].flat()) {
        if (isJsonObject(branch)) for (const part of [branch, branch.then]) visit(part, at);
      }
    };
    visit(editorSchema(), '');
    expect(undescribed).toEqual([]);
  });
});
