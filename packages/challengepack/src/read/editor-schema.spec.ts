import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { isJsonObject, type JsonValue } from '../json.js';
import { expectConforming, schemaViolations } from '../testing/conformance.js';
import { EXAMPLE } from '../testing/example-pack.js';
import { RICH_EXAMPLE } from '../testing/rich-example.js';
import { editorSchema } from './editor-schema.js';
import { readPack } from './read-pack.js';

describe('the editor schema', () => {
  test.each([
    ['small', EXAMPLE],
    ['rich', RICH_EXAMPLE],
  ])('the editor schema accepts a pack without problems (%s)', (_name, text) => {
    expect(readPack(text).problems).toEqual([]);
    expectConforming(parse(text, { merge: true }));
  });

  test.each([
    ['an unknown key', 'descripton: x'],
    ['an unknown mode', 'version: {execution_mode: exotic}'],
    ['a list for a text', 'pack: {slug: [a]}'],
  ])('the editor schema marks %s', (_name, text) => {
    expect(schemaViolations(parse(text))).not.toEqual([]);
  });

  test('the editor schema describes every field of every record', () => {
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
