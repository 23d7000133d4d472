import { readFileSync } from 'node:fs';
import path from 'node:path';
import { editorSchema } from '../../read/editor-schema.js';
import { fieldReference } from './field-reference.js';

const repository = path.resolve(import.meta.dirname, '../../../../..');

export const GUIDE = path.join(repository, 'docs/challenge-packs.md');
const SCHEMA = path.join(repository, 'packages/challengepack/challenge-pack.schema.json');

const BEGIN = '<!-- field reference: written by `pnpm schema` -->';
const END = '<!-- end of the field reference -->';

/** The files that are made from the declarations of the format, with what they should hold. */
export function generatedFiles(): { file: string; text: string }[] {
  return [
    { file: SCHEMA, text: `${JSON.stringify(editorSchema(), null, 1)}\n` },
    { file: GUIDE, text: withReference(readFileSync(GUIDE, 'utf8')) },
  ];
}

function withReference(guide: string): string {
  const [before = '', rest = ''] = guide.split(BEGIN);
  const [, after] = rest.split(END);
  if (after === undefined) throw new Error(`${GUIDE} has no place for the field reference`);
  return `${before}${BEGIN}\n\n${fieldReference(editorSchema())}\n${END}${after}`;
}
