import { Ajv, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isExactObject, withDoubles } from './exact-number.js';
import { prepareSchema, type SchemaDraft, schemaDraft } from './json-schema-dialect.js';
import { addFormats } from './json-schema-formats.js';
import { equalityKey } from './json-text.js';
import { compileRegex } from './regex.js';

/** Whether a JSON value obeys the schema. */
export type SchemaCheck = (value: unknown) => boolean;

/**
 * Compiles a JSON Schema: draft-07 or 2020-12 by `$schema` (default 2020-12), formats asserted, patterns RE2,
 * references within the schema only. Null when it is not a valid schema of these kinds.
 */
export function compileJsonSchema(schema: unknown): SchemaCheck | null {
  const plain = withDoubles(schema);
  if (typeof plain === 'boolean') return () => plain;
  if (!isExactObject(plain)) return null;
  const draft = schemaDraft(plain.$schema);
  const prepared = draft === null ? null : prepareSchema(plain, draft);
  if (draft === null || prepared === null) return null;
  const ajv = validatorFor(draft);
  try {
    const validate = ajv.compile(prepared);
    return (value) => validate(withDoubles(value)) === true;
  } catch {
    return null;
  } finally {
    ajv.removeSchema(prepared);
  }
}

const OPTIONS: Options = {
  strict: false,
  logger: false,
  // Keeps one pack's `$id` from being seen by the next pack.
  addUsedSchema: false,
  code: { regExp: Object.assign(re2, { code: 're2' }) },
};

/** Building a validator costs tens of milliseconds, but it holds on to a little of every schema it compiles. */
const COMPILES_PER_VALIDATOR = 500;

const validators = new Map<SchemaDraft, { readonly ajv: Ajv; compilesLeft: number }>();

function validatorFor(draft: SchemaDraft): Ajv {
  const known = validators.get(draft);
  const validator =
    known !== undefined && known.compilesLeft > 0
      ? known
      : { ajv: buildValidator(draft), compilesLeft: COMPILES_PER_VALIDATOR };
  validator.compilesLeft -= 1;
  validators.set(draft, validator);
  return validator.ajv;
}

function buildValidator(draft: SchemaDraft): Ajv {
  const ajv = draft === 'draft-07' ? new Ajv(OPTIONS) : new Ajv2020(OPTIONS);
  addFormats(ajv);
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({ keyword: 'uniqueItems', type: 'array', schemaType: 'boolean', validate: hasUniqueItems });
  return ajv;
}

/** Ajv keeps compiled patterns by their text, so each must print as itself. */
function re2(pattern: string): { test(text: string): boolean; toString(): string } {
  const regex = compileRegex(pattern);
  if (regex === null) throw new SyntaxError(`not an RE2 expression: ${pattern}`);
  return { test: (text) => regex.test(text), toString: () => pattern };
}

/** Ajv's own rule compares every pair, which an agent's long list turns into minutes. */
function hasUniqueItems(isAsked: boolean, items: unknown[]): boolean {
  return !isAsked || new Set(items.map(equalityKey)).size === items.length;
}
