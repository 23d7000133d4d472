import { compareCodePoints } from '../text/code-points.js';
import type { Regex } from '../text/regex.js';
import { isExactObject } from '../values/exact-number.js';
import { KEYWORDS, type KeywordContext } from './applicators.js';
import { KEYWORD_SHAPES, readMembers } from './dialect.js';
import { DynamicScope } from './dynamic-scope.js';
import { type CompiledNode, EvaluationLimit, Evaluator, type Violation } from './evaluation.js';
import { Instance } from './instance.js';
import { CHAIN_MAX, EXPANSION_MAX } from './limits.js';
import { compilePattern } from './pattern.js';
import { pointerSegment, refuseSchema, type SchemaProblem, SchemaProblemError } from './problem.js';
import { SchemaIndex, type SchemaNode, subschemas } from './schema-index.js';

export type JsonSchemaReading =
  | { readonly ok: true; readonly schema: JsonSchema }
  | { readonly ok: false; readonly problem: SchemaProblem };

export interface JsonSchemaOptions {
  /** True when `format` is asserted; as in a tool's parameters it is else a hint. Default: true. */
  assertsFormats?: boolean;
}

/**
 * Reads a JSON Schema: draft-07 or 2020-12 by `$schema` (default 2020-12), patterns RE2, references within the schema
 * only. Takes time in proportion to its size: what references lead to is neither copied nor expanded.
 */
export function readJsonSchema(schema: unknown, options: JsonSchemaOptions = {}): JsonSchemaReading {
  try {
    return { ok: true, schema: new JsonSchema(documentOf(schema), options) };
  } catch (error) {
    if (error instanceof SchemaProblemError) return { ok: false, problem: error.problem };
    throw error;
  }
}

/** A schema that values can be held against. Evaluates each subschema at each place of a value at most once. */
export class JsonSchema {
  readonly #index: SchemaIndex;
  readonly #compiled = new Map<SchemaNode, CompiledNode>();
  readonly #regexes = new Map<string, Regex>();
  readonly #assertsFormats: boolean;

  constructor(document: Record<string, unknown>, { assertsFormats = true }: JsonSchemaOptions) {
    this.#assertsFormats = assertsFormats;
    this.#index = new SchemaIndex(document);
    boundExpansion(this.#index, this.#compileReachable());
  }

  /** False also when no verdict can be reached, as when evaluation nests too deeply. */
  isMetBy(value: unknown): boolean {
    try {
      return this.#evaluator().evaluate(this.#index.root, rootLocation(new Instance(value), null)).isValid;
    } catch (error) {
      if (isBeyondLimits(error)) return false;
      throw error;
    }
  }

  /**
   * Where and how a value does not conform, by place; empty when it does. `opaque` names values by JSON Pointer that
   * must not be looked into: of them only `type` is tested.
   */
  violations(value: unknown, opaque: ReadonlySet<string> = new Set()): Violation[] {
    const found: Violation[] = [];
    const instance = new Instance(value);
    try {
      const evaluator = this.#evaluator(opaque);
      if (evaluator.evaluate(this.#index.root, rootLocation(instance, null)).isValid) return [];
      evaluator.evaluate(this.#index.root, rootLocation(instance, found));
    } catch (error) {
      if (!isBeyondLimits(error)) throw error;
    }
    found.sort((a, b) => compareCodePoints(a.path, b.path));
    return found.length > 0 ? found : [{ path: '', keyword: '', message: 'does not conform' }];
  }

  #evaluator(opaque: ReadonlySet<string> = new Set()): Evaluator {
    return new Evaluator({
      compiled: (node) => this.#compiled.get(node) ?? [],
      tracks: this.#index.tracksEvaluated,
      isScoped: this.#index.hasDynamicReference,
      opaque,
    });
  }

  /** Compiles what the root can lead to. What nothing leads to may refer to what is not there. */
  #compileReachable(): SchemaNode[] {
    const open = [this.#index.root];
    const reach = (node: SchemaNode) => {
      open.push(node);
      return node;
    };
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (!this.#compiled.has(node)) this.#compiled.set(node, this.#compile(node, reach));
    }
    return [...this.#compiled.keys()];
  }

  #compile(node: SchemaNode, reach: (node: SchemaNode) => SchemaNode): CompiledNode {
    const { schema, resource, at } = node;
    if (schema === true) return [];
    if (schema === false) return [(location) => location.fail('false schema', 'boolean schema is false')];
    const members = new Map(readMembers(schema, resource.draft));
    return KEYWORDS.flatMap(([name, keyword]) => {
      if (!members.has(name) || !KEYWORD_SHAPES[resource.draft].has(name)) return [];
      const keywordAt = at + pointerSegment(name);
      const context: KeywordContext = {
        draft: resource.draft,
        siblings: Object.fromEntries(members),
        assertsFormats: this.#assertsFormats,
        below: (key) =>
          reach(this.#index.get(key === undefined ? keywordAt : keywordAt + pointerSegment(key))),
        beside: (other) => (members.has(other) ? reach(this.#index.get(at + pointerSegment(other))) : null),
        resolve: (reference) => {
          const target = this.#index.resolve(reference, node, keywordAt);
          for (const other of this.#index.dynamicTargets(target)) reach(other);
          return { ...target, node: reach(target.node) };
        },
        regex: (pattern) => this.#regex(pattern),
      };
      return keyword(members.get(name), context) ?? [];
    });
  }

  #regex(pattern: string): Regex {
    const known = this.#regexes.get(pattern) ?? compilePattern(pattern);
    if (known === null) throw new Error(`not an RE2 expression: ${pattern}`);
    this.#regexes.set(pattern, known);
    return known;
  }
}

function rootLocation(instance: Instance, sink: Violation[] | null) {
  return { instance, scope: DynamicScope.empty(), sink };
}

function documentOf(schema: unknown): Record<string, unknown> {
  if (typeof schema === 'boolean') return schema ? {} : { not: {} };
  if (isExactObject(schema)) return schema;
  throw new SchemaProblemError({ at: '', message: 'must be an object or a boolean' });
}

function isBeyondLimits(error: unknown): boolean {
  return (
    error instanceof EvaluationLimit || (error instanceof RangeError && /call stack/.test(error.message))
  );
}

/** True when a JSON value obeys the schema. */
export type SchemaCheck = (value: unknown) => boolean;

/** The problem of a schema and its position, in words for its author; null when it is right. */
export function schemaProblem(schema: unknown): string | null {
  const reading = readJsonSchema(schema);
  if (reading.ok) return null;
  const { at, message } = reading.problem;
  return `${at === '' ? 'at the root' : `at ${at}`}: ${message}`;
}

/** As `readJsonSchema`, for those who need no reason: null when it is not a valid schema. */
export function compileJsonSchema(schema: unknown): SchemaCheck | null {
  const reading = readJsonSchema(schema);
  return reading.ok ? (value) => reading.schema.isMetBy(value) : null;
}

/** Keywords whose subschemas apply to the same place as the schema that they are in. */
const SAME_INSTANCE: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'dependencies',
]);

/**
 * Bounds what references put in one place, by counting it and not by writing it out: a subschema counts as itself and
 * all that it applies to the same place. References that lead back without entering the value have no end. Throws
 * `SchemaProblemError`.
 */
function boundExpansion(index: SchemaIndex, nodes: readonly SchemaNode[]): void {
  const sizes = new Map<SchemaNode, number | 'open'>();
  const sizeOf = (node: SchemaNode, depth: number): number => {
    const known = sizes.get(node);
    if (known === 'open')
      return refuseSchema(node.at, 'is a reference that leads back to itself without end');
    if (known !== undefined) return known;
    if (depth > CHAIN_MAX) refuseSchema(node.at, `follows after more than ${CHAIN_MAX} references in a row`);
    sizes.set(node, 'open');
    let size = 1;
    for (const next of sameInstance(index, node)) size += sizeOf(next, depth + 1);
    if (size > EXPANSION_MAX) {
      refuseSchema(
        node.at,
        `expands to more than ${EXPANSION_MAX} subschemas once its references are followed`,
      );
    }
    sizes.set(node, size);
    return size;
  };
  for (const node of nodes) sizeOf(node, 0);
}

function* sameInstance(index: SchemaIndex, node: SchemaNode): Generator<SchemaNode> {
  const { schema, resource, at } = node;
  if (typeof schema === 'boolean') return;
  for (const [name, value] of readMembers(schema, resource.draft)) {
    const keywordAt = at + pointerSegment(name);
    const isReference = name === '$ref' || (name === '$dynamicRef' && resource.draft === '2020-12');
    if (isReference && typeof value === 'string') yield index.resolve(value, node, keywordAt).node;
    const shape = KEYWORD_SHAPES[resource.draft].get(name);
    if (!SAME_INSTANCE.has(name) || shape === undefined) continue;
    for (const [key] of subschemas(shape, value)) {
      yield index.get(key === null ? keywordAt : keywordAt + pointerSegment(key));
    }
  }
}
