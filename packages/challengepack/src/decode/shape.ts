import type { ExecutionMode, ProblemSeverity } from '@agentclash/domain';
import type { JsonObject, JsonValue } from '../json.js';
import type { Decoding } from './decoding.js';
import type { FieldPath } from './field-path.js';
import type { SourceMap, SourceNode } from './source.js';

/**
 * A value as far as it could be read: any member may be missing, an unreadable list entry leaves a hole. Once a
 * document has no errors its draft is complete.
 */
export type Draft<T> = JsonValue extends T
  ? T
  : T extends readonly (infer E)[]
    ? (Draft<E> | undefined)[]
    : T extends object
      ? DraftOfObject<T>
      : T;

/** A map has the entries that could be read; a record may lack any field. */
type DraftOfObject<T extends object> = string extends keyof T
  ? { [K in keyof T]: Draft<T[K]> }
  : { [K in keyof T]?: Draft<T[K]> };

/**
 * The declaration of one type of field. It reads the authored form, writes the manifest form, and describes itself
 * to editors.
 */
export interface Shape<T> {
  /** The reading of a null: as absent, as a problem, or as a value like any other. */
  readonly nullAs: 'absent' | 'problem' | 'value';
  /** The reading of blank text: as absent, or as a value. */
  readonly blankAs: 'absent' | 'value';
  /** The reading of an empty list or record; where it equals its absence, manifests leave it out. */
  readonly emptyAs: 'absent' | 'value';
  /** JSON Schema (2020-12) of the authored form. */
  readonly schema: JsonObject;
  /** Reads a node that is neither null nor blank where these mean something else; undefined when it is unusable. */
  decode(node: SourceNode, at: FieldPath, decoding: Decoding): Draft<T> | undefined;
  /** The manifest form of a complete value. */
  encode(value: T): JsonValue;
}

/** One field of a record. */
export interface Field<T> {
  readonly shape: Shape<T>;
  readonly required: boolean;
  readonly description: string;
  /** The value of an absent field, where that is a constant: editors show it, manifests leave an equal value out. */
  readonly default?: JsonValue;
  /** True when even an empty value is written to manifests. */
  readonly keepEmpty?: boolean;
  readonly applies?: Applies;
}

/**
 * The effect of a field in its record: `yes`; `no` (read for its types alone, with the warning `value_ignored`);
 * `unclear` (read, but not missed); `unread` (dropped without a look).
 */
export type Applies = (record: RecordBeingRead) => 'yes' | 'no' | 'unclear' | 'unread';

export interface RecordBeingRead {
  /** The fields declared, and so read, before this one. */
  readonly draft: { readonly [field: string]: unknown };
  readonly source: SourceMap;
  readonly facts: Facts;
}

/** Facts of other parts of the document on which the reading of a part depends. */
export interface Facts {
  /** Undefined when the document does not determine it: rules that depend on it are then skipped. */
  readonly executionMode: ExecutionMode | undefined;
  /** True where some challenges of another mode are conversations. */
  readonly hasConversations?: boolean;
}

/** How a part of the document is read. */
export interface DecodeOptions {
  /** Null is a problem even where it otherwise counts as absent. */
  readonly nullIsProblem: boolean;
  readonly unknownKeys: ProblemSeverity;
  /** Only types are checked. */
  readonly typesOnly: boolean;
}

export type FieldOptions = Pick<Field<unknown>, 'default' | 'keepEmpty' | 'applies'>;

export function required<T>(shape: Shape<T>, description: string, options: FieldOptions = {}): Field<T> {
  return { shape, description, required: true, ...options };
}

export function optional<T>(shape: Shape<T>, description: string, options: FieldOptions = {}): Field<T> {
  return { shape, description, required: false, ...options };
}

/** The same shape, read with other options: `withOptions({ unknownKeys: 'error' }, shape)`. */
export function withOptions<T>(options: Partial<DecodeOptions>, shape: Shape<T>): Shape<T> {
  return { ...shape, decode: (node, at, decoding) => shape.decode(node, at, decoding.in(options)) };
}
