import { isExactObject } from './exact-number.js';

export type SchemaDraft = 'draft-07' | '2020-12';

const DRAFTS: readonly [RegExp, SchemaDraft][] = [
  [/^https?:\/\/json-schema\.org\/draft-07\/schema#?$/, 'draft-07'],
  [/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/, '2020-12'],
];

/** The draft that `$schema` names, 2020-12 when absent; null for one we do not read. */
export function schemaDraft(declared: unknown): SchemaDraft | null {
  if (declared === undefined) return '2020-12';
  if (typeof declared !== 'string') return null;
  return DRAFTS.find(([form]) => form.test(declared))?.[1] ?? null;
}

type Position = 'schema' | 'list' | 'map' | 'schema_or_list';

/** Keywords whose value holds schemas. Everything below any other keyword is data and stays as it is. */
const POSITIONS = new Map<string, Position>(
  Object.entries({
    additionalItems: 'schema',
    additionalProperties: 'schema',
    allOf: 'list',
    anyOf: 'list',
    contains: 'schema',
    $defs: 'map',
    definitions: 'map',
    dependencies: 'map',
    dependentSchemas: 'map',
    else: 'schema',
    if: 'schema',
    items: 'schema_or_list',
    not: 'schema',
    oneOf: 'list',
    patternProperties: 'map',
    prefixItems: 'list',
    properties: 'map',
    propertyNames: 'schema',
    // biome-ignore lint/suspicious/noThenProperty: JSON Schema has a keyword of this name.
    then: 'schema',
    unevaluatedItems: 'schema',
    unevaluatedProperties: 'schema',
  }),
);

/** Words that Ajv gives a meaning of its own though the drafts have none for them. */
const FOREIGN = ['nullable', '$async', 'discriminator', '$data'];
/** Which draft it is has been decided by now, and Ajv knows only one spelling of each address. */
const DROPPED = new Set([...FOREIGN, '$schema']);
const BESIDE_DRAFT_07_REF = new Set(['$ref', '$id', '$comment', 'definitions', '$defs']);

/**
 * The schema as Ajv has to see it to behave like the draft: foreign words gone, and in draft-07 the neighbours of a
 * `$ref`. Null when a reference leaves the schema.
 */
export function prepareSchema(
  schema: Record<string, unknown>,
  draft: SchemaDraft,
): Record<string, unknown> | null {
  const preparer = new Preparer(draft);
  const prepared = preparer.schema(schema);
  return preparer.leavesSchema || !isExactObject(prepared) ? null : prepared;
}

class Preparer {
  leavesSchema = false;
  readonly #draft: SchemaDraft;

  constructor(draft: SchemaDraft) {
    this.#draft = draft;
  }

  schema(schema: unknown): unknown {
    if (!isExactObject(schema)) return schema;
    const hasRef = typeof schema.$ref === 'string';
    if (pointsToDraft(schema.$ref) || pointsToDraft(schema.$dynamicRef)) this.leavesSchema = true;
    const members = Object.entries(schema)
      .filter(([word]) => !DROPPED.has(word))
      .filter(([word]) => !(hasRef && this.#draft === 'draft-07') || BESIDE_DRAFT_07_REF.has(word))
      .map(([word, value]) => [word, this.#at(POSITIONS.get(word), value)]);
    return Object.fromEntries(members);
  }

  #at(position: Position | undefined, value: unknown): unknown {
    if (position === undefined) return value;
    if (position === 'map') return isExactObject(value) ? this.#map(value) : value;
    if (position === 'schema' || !Array.isArray(value)) return this.schema(value);
    return value.map((item) => this.schema(item));
  }

  #map(schemas: Record<string, unknown>): Record<string, unknown> {
    return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, this.schema(schema)]));
  }
}

/** Ajv resolves the drafts' own addresses from memory; any other address outside the schema it cannot find. */
function pointsToDraft(reference: unknown): boolean {
  return typeof reference === 'string' && /^https?:\/\/json-schema\.org\//.test(reference);
}
