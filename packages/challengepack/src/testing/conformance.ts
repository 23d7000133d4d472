import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'expect';
import type { JsonValue } from '../json.js';
import { editorSchema } from '../read/editor-schema.js';

const validate = new Ajv2020({ strict: false }).compile(editorSchema());

/** Where a document breaks the editor schema; empty when it conforms. */
export function schemaViolations(document: JsonValue): string[] {
  if (validate(document)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

export function expectConforming(document: JsonValue): void {
  expect(schemaViolations(document)).toEqual([]);
}
