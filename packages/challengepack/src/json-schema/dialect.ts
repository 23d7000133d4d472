/** The drafts of JSON Schema that are read. */
export type SchemaDraft = 'draft-07' | '2020-12';

const DRAFTS: readonly [RegExp, SchemaDraft][] = [
  [/^https?:\/\/json-schema\.org\/draft-07\/schema#?$/, 'draft-07'],
  [/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/, '2020-12'],
];

/** The draft that `$schema` names, 2020-12 when absent; null for one that is not read. */
export function schemaDraft(declared: unknown): SchemaDraft | null {
  if (declared === undefined) return '2020-12';
  if (typeof declared !== 'string') return null;
  return DRAFTS.find(([form]) => form.test(declared))?.[1] ?? null;
}

/** The form of a keyword's value, as the drafts' meta-schemas define it. */
export type KeywordShape =
  | 'schema'
  | 'schema_list'
  | 'schema_map'
  | 'pattern_map'
  | 'schema_or_list'
  | 'dependencies'
  | 'any'
  | 'any_list'
  | 'boolean'
  | 'count'
  | 'number'
  | 'positive_number'
  | 'string'
  | 'string_set'
  | 'string_set_map'
  | 'type'
  | 'regex'
  | 'reference'
  | 'identifier'
  | 'anchor';

const BOTH: Record<string, KeywordShape> = {
  $comment: 'string',
  $id: 'identifier',
  $ref: 'reference',
  additionalProperties: 'schema',
  allOf: 'schema_list',
  anyOf: 'schema_list',
  const: 'any',
  contains: 'schema',
  contentEncoding: 'string',
  contentMediaType: 'string',
  definitions: 'schema_map',
  $defs: 'schema_map',
  dependencies: 'dependencies',
  description: 'string',
  else: 'schema',
  enum: 'any_list',
  examples: 'any_list',
  exclusiveMaximum: 'number',
  exclusiveMinimum: 'number',
  format: 'string',
  if: 'schema',
  maximum: 'number',
  maxItems: 'count',
  maxLength: 'count',
  maxProperties: 'count',
  minimum: 'number',
  minItems: 'count',
  minLength: 'count',
  minProperties: 'count',
  multipleOf: 'positive_number',
  not: 'schema',
  oneOf: 'schema_list',
  pattern: 'regex',
  patternProperties: 'pattern_map',
  properties: 'schema_map',
  propertyNames: 'schema',
  readOnly: 'boolean',
  required: 'string_set',
  // biome-ignore lint/suspicious/noThenProperty: JSON Schema has a keyword of this name.
  then: 'schema',
  title: 'string',
  type: 'type',
  uniqueItems: 'boolean',
  writeOnly: 'boolean',
};

const ONLY: Record<SchemaDraft, Record<string, KeywordShape>> = {
  'draft-07': { items: 'schema_or_list', additionalItems: 'schema' },
  '2020-12': {
    $anchor: 'anchor',
    $dynamicAnchor: 'anchor',
    $dynamicRef: 'reference',
    contentSchema: 'schema',
    dependentRequired: 'string_set_map',
    dependentSchemas: 'schema_map',
    deprecated: 'boolean',
    items: 'schema',
    maxContains: 'count',
    minContains: 'count',
    prefixItems: 'schema_list',
    unevaluatedItems: 'schema',
    unevaluatedProperties: 'schema',
  },
};

/** The keywords of each draft. A word that is not among them has no meaning, and what is below it is data. */
export const KEYWORD_SHAPES: { readonly [D in SchemaDraft]: ReadonlyMap<string, KeywordShape> } = {
  'draft-07': new Map(Object.entries({ ...BOTH, ...ONLY['draft-07'] })),
  '2020-12': new Map(Object.entries({ ...BOTH, ...ONLY['2020-12'] })),
};

const BESIDE_DRAFT_07_REF: ReadonlySet<string> = new Set(['$ref', '$comment', 'definitions', '$defs']);

/** The members of a schema that its draft reads: in draft-07 a `$ref` hides its siblings. */
export function readMembers(
  schema: Record<string, unknown>,
  draft: SchemaDraft,
): [name: string, value: unknown][] {
  const members = Object.entries(schema);
  if (draft !== 'draft-07' || typeof schema.$ref !== 'string') return members;
  return members.filter(([name]) => BESIDE_DRAFT_07_REF.has(name));
}
