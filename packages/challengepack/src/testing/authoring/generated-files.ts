import { readFileSync } from 'node:fs';
import path from 'node:path';
import { editorSchema } from '../../read/editor-schema.js';
import { fieldReference } from './field-reference.js';
import { validatorsMarkdown } from './validators-page.js';

const repository = path.resolve(import.meta.dirname, '../../../../..');

/** The authoring guide, and the page with the fields of the format. */
export const GUIDE = path.join(repository, 'docs/challenge-packs.md');
export const FIELDS_PAGE = path.join(repository, 'docs/reference/challenge-packs.md');
const SCHEMA = path.join(repository, 'packages/challengepack/challenge-pack.schema.json');

/** The page of the validators, without the parts that it is made of. */
export const VALIDATORS_PAGE = path.join(repository, 'docs/reference/validators.md');

const BEGIN = '<!-- field reference: written by `pnpm schema` -->';
const END = '<!-- end of the field reference -->';
const VALIDATORS_BEGIN = '<!-- validators: written by `pnpm reference` -->';
const VALIDATORS_END = '<!-- end of the validators -->';

/** The files that are made from the declarations of the format, with what they should hold. */
export function generatedFiles(): { file: string; text: string }[] {
  return [
    { file: SCHEMA, text: `${JSON.stringify(editorSchema(), null, 1)}\n` },
    { file: FIELDS_PAGE, text: withReference(readFileSync(FIELDS_PAGE, 'utf8')) },
    { file: VALIDATORS_PAGE, text: validatorsPage() },
  ];
}

/** The page of the validators as it should be. */
export function validatorsPage(): string {
  const page = readFileSync(VALIDATORS_PAGE, 'utf8');
  const [before = '', rest = ''] = page.split(VALIDATORS_BEGIN);
  const [, after] = rest.split(VALIDATORS_END);
  if (after === undefined) throw new Error(`${VALIDATORS_PAGE} has no place for the validators`);
  return `${before}${VALIDATORS_BEGIN}\n\n${validatorsMarkdown()}\n\n${VALIDATORS_END}${after}`;
}

function withReference(page: string): string {
  const [before = '', rest = ''] = page.split(BEGIN);
  const [, after] = rest.split(END);
  if (after === undefined) throw new Error(`${FIELDS_PAGE} has no place for the field reference`);
  return `${before}${BEGIN}\n\n${fieldReference(editorSchema())}\n${END}${after}`;
}
