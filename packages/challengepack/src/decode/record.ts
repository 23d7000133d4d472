import type { ProblemSeverity } from '@agentclash/domain';
import { type JsonObject, type JsonValue, setMember } from '../json.js';
import { suggestedName } from '../text/nearest-name.js';
import { isBlankFor, isEmpty } from './collections.js';
import type { Decoding } from './decoding.js';
import type { FieldPath } from './field-path.js';
import type { Applies, Draft, Field, Shape } from './shape.js';
import { isNull, type SourceEntry, type SourceMap } from './source.js';

/** The fields of a record, in the order they are read. */
export type Fields<T> = { readonly [K in keyof T]-?: Field<Exclude<T[K], undefined>> };

type AnyFields = Readonly<Record<string, Field<unknown>>>;

/** How severe an unknown key is; `suggestion` is the field that was probably meant. */
type UnknownKeySeverity = (suggestion: string | undefined, source: SourceMap) => ProblemSeverity;

export interface RecordOptions {
  /** Where severity depends on more than the part of the document. */
  unknownKeys?: UnknownKeySeverity;
  /** Keys that packs of other systems have here, which never had an effect, and their replacements. */
  instead?: Readonly<Record<string, string>>;
}

/** A record with exactly these fields. Other keys are dropped with a problem, those beginning `x-` silently. */
export function record<T extends object>(fields: Fields<T>, options: RecordOptions = {}): Shape<T> {
  const table = fields as AnyFields;
  return {
    nullAs: 'absent',
    blankAs: 'value',
    emptyAs: 'absent',
    schema: schemaOf(table),
    decode(node, at, decoding) {
      if (node.kind !== 'map') return decoding.mismatch(node, at, 'a map');
      const pathOf = (key: string) => at.field(key);
      decoding.reportRepeated(node, pathOf);
      decoding.reportUnusableKeys(node, at, pathOf);
      reportUnknownKeys({ node, fields: table, options }, at, decoding);
      const draft: Record<string, unknown> = {};
      for (const [name, field] of Object.entries(table)) {
        const value = readField({ name, field, draft, source: node }, at.field(name), decoding);
        if (value !== undefined) draft[name] = value;
      }
      return draft as Draft<T>;
    },
    encode: (value) => encodeRecord(table, value),
  };
}

interface FieldBeingRead {
  name: string;
  field: Field<unknown>;
  draft: Record<string, unknown>;
  source: SourceMap;
}

function readField(read: FieldBeingRead, at: FieldPath, decoding: Decoding): unknown {
  const { field, draft, source, name } = read;
  const entry = source.entries.get(name);
  const applies = field.applies?.({ draft, source, facts: decoding.facts }) ?? 'yes';
  if (applies === 'unread') {
    if (entry) decoding.sweep(entry.value, at);
    return undefined;
  }
  if (!entry || isAbsent(field, entry, decoding)) {
    if (field.required && applies === 'yes') decoding.report('required', at);
    return undefined;
  }
  return decodeField(field, entry, at, inMannerOf(applies, at, decoding));
}

function inMannerOf(applies: ReturnType<Applies>, at: FieldPath, decoding: Decoding): Decoding {
  if (applies !== 'no') return decoding;
  decoding.report('value_ignored', at);
  return decoding.in({ typesOnly: true });
}

function isAbsent({ shape }: Field<unknown>, { value }: SourceEntry, decoding: Decoding): boolean {
  if (isNull(value)) return shape.nullAs === 'absent' && !decoding.options.nullIsProblem;
  return isBlankFor(shape, value);
}

function decodeField(
  { shape }: Field<unknown>,
  entry: SourceEntry,
  at: FieldPath,
  decoding: Decoding,
): unknown {
  if (isNull(entry.value) && shape.nullAs !== 'value') return decoding.mismatch(entry.value, at, 'a value');
  return shape.decode(entry.value, at, decoding);
}

interface RecordOfKeys {
  node: SourceMap;
  fields: AnyFields;
  options: RecordOptions;
}

function reportUnknownKeys(record: RecordOfKeys, at: FieldPath, decoding: Decoding): void {
  for (const [key, entry] of record.node.entries) {
    if (Object.hasOwn(record.fields, key)) continue;
    const path = at.field(key);
    if (!key.startsWith('x-')) reportUnknownKey(key, path, record, decoding);
    decoding.sweep(entry.value, path);
  }
}

function reportUnknownKey(
  key: string,
  at: FieldPath,
  { node, fields, options }: RecordOfKeys,
  decoding: Decoding,
): void {
  const home = homeOf(key);
  if (home !== undefined) {
    decoding.problems.misplaced(home);
    decoding.report('misplaced_key', at, {
      at: 'key',
      suggestion: home,
      message: `this key belongs to ${home}`,
    });
    return;
  }
  const known = Object.keys(fields);
  const suggestion = suggestedName(key, known);
  const instead = options.instead && Object.hasOwn(options.instead, key) ? options.instead[key] : undefined;
  if (instead !== undefined) {
    decoding.report('unknown_key', at, { at: 'key', message: `this key has no effect; ${instead}` });
    return;
  }
  const hint = suggestion ? `did you mean ${suggestion}?` : `it is dropped. ${knownKeys(known)}`;
  decoding.report('unknown_key', at, {
    at: 'key',
    severity: options.unknownKeys?.(suggestion, node) ?? decoding.options.unknownKeys,
    message: `unknown key; ${hint}`,
    ...(suggestion && { suggestion }),
  });
}

function knownKeys(names: readonly string[]): string {
  return names.length === 0 ? 'None is known here.' : `Known here: ${names.join(', ')}`;
}

function encodeRecord(fields: AnyFields, value: object): JsonObject {
  const encoded: JsonObject = {};
  for (const [name, field] of Object.entries(fields)) {
    const member: unknown = Reflect.get(value, name);
    if (member === undefined) continue;
    const json = field.shape.encode(member);
    if (isWorthWriting(field, json)) setMember(encoded, name, json);
  }
  return encoded;
}

function isWorthWriting(field: Field<unknown>, json: JsonValue): boolean {
  if (field.required || field.keepEmpty) return true;
  if (field.default !== undefined && JSON.stringify(json) === JSON.stringify(field.default)) return false;
  return field.shape.emptyAs === 'value' || !isEmpty(json);
}

function schemaOf(fields: AnyFields): JsonObject {
  const properties: JsonObject = {};
  const required: JsonValue[] = [];
  for (const [name, field] of Object.entries(fields)) {
    properties[name] = {
      ...fieldSchema(field),
      description: field.description,
      ...(field.default !== undefined && { default: field.default }),
    };
    if (field.required && !field.applies) required.push(name);
  }
  return {
    type: ['object', 'null'],
    properties,
    ...(required.length > 0 && { required }),
    patternProperties: { '^x-': true },
    additionalProperties: false,
  };
}

/** An optional text may be blank, whatever form it must have otherwise. */
function fieldSchema({ required, shape: { schema, blankAs } }: Field<unknown>): JsonObject {
  const isRestricted = schema.enum !== undefined || schema.pattern !== undefined;
  return required || blankAs === 'value' || !isRestricted ? schema : { anyOf: [schema, { const: '' }] };
}

const HOMES_BY_RECORD: Record<string, readonly string[]> = {
  '': ['modality', 'interface_spec', 'scenario', 'tools', 'challenges', 'input_sets', 'security'],
  version: [
    'execution_mode',
    'tool_policy',
    'filesystem',
    'sandbox',
    'deployment_defaults',
    'evaluation_spec',
  ],
  'version.tool_policy': ['allowed_tool_kinds', 'allow_shell', 'allow_network'],
  'version.sandbox': [
    'network_access',
    'network_allowlist',
    'env_vars',
    'additional_packages',
    'sandbox_template_id',
    'image',
    'dockerfile',
    'build_network_access',
    'run_as_root',
  ],
  'version.evaluation_spec': [
    'judge_mode',
    'validators',
    'metrics',
    'behavioral',
    'llm_judges',
    'post_execution_checks',
    'runtime_limits',
    'pricing',
    'scorecard',
  ],
  'input_sets[].cases[]': ['user_simulator'],
  tools: ['mcp_servers'],
};

/** By key: the only place where it means something. Dropping one of these elsewhere would change what a pack does. */
const HOMES: ReadonlyMap<string, string> = new Map(
  Object.entries(HOMES_BY_RECORD).flatMap(([record, keys]) =>
    keys.map((key): [string, string] => [key, record === '' ? key : `${record}.${key}`]),
  ),
);

/** Where a key unknown to its record belongs, if it has a home. */
function homeOf(key: string): string | undefined {
  return HOMES.get(key);
}
