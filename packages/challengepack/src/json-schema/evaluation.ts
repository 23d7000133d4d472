import type { DynamicScope } from './dynamic-scope.js';
import type { Instance } from './instance.js';
import { EVALUATION_DEPTH_MAX } from './limits.js';
import { INVALID, type Outcome, VALID } from './outcome.js';
import { pointerSegment } from './problem.js';
import type { SchemaNode } from './schema-index.js';

/** A place in a value that does not conform, and to what. */
export interface Violation {
  /** JSON Pointer into the value. */
  readonly path: string;
  readonly keyword: string;
  readonly message: string;
}

/** One keyword of one subschema, ready to be applied. */
export type KeywordCheck = (at: Evaluation) => boolean;

/** The keywords of a subschema in the order in which they are applied. */
export type CompiledNode = readonly KeywordCheck[];

/** References lead in a circle, or evaluation nests too deeply: no verdict can be reached. */
export class EvaluationLimit extends Error {
  override readonly name = 'EvaluationLimit';
}

export interface EvaluatorOptions {
  compiled: (node: SchemaNode) => CompiledNode;
  /** Some subschema depends on which members and items others evaluated. */
  tracks: boolean;
  /** True when the dynamic scope can matter. */
  isScoped: boolean;
  /** Values that must not be looked into, by JSON Pointer: of them only the type is tested. */
  opaque: ReadonlySet<string>;
}

/** Applies subschemas to the places of one value. */
export class Evaluator {
  readonly tracks: boolean;
  readonly #options: EvaluatorOptions;
  #depth = 0;

  constructor(options: EvaluatorOptions) {
    this.#options = options;
    this.tracks = options.tracks;
  }

  isOpaque(instance: Instance): boolean {
    return this.#options.opaque.size > 0 && this.#options.opaque.has(instance.path);
  }

  evaluate(node: SchemaNode, location: Location): Outcome {
    if (node.schema === true) return VALID;
    this.#depth += 1;
    if (this.#depth > EVALUATION_DEPTH_MAX) throw new EvaluationLimit('evaluation nests too deeply');
    const { isScoped } = this.#options;
    const evaluation = new Evaluation(this, isScoped ? within(location, node) : location);
    let isValid = true;
    for (const check of this.#options.compiled(node)) {
      if (check(evaluation)) continue;
      isValid = false;
      if (location.sink === null) break;
    }
    this.#depth -= 1;
    return isValid ? evaluation.outcome() : INVALID;
  }

  /** Evaluates what a reference leads to, each subschema in each place once. */
  follow(node: SchemaNode, location: Location): Outcome {
    const { instance, scope, sink } = location;
    const known = instance.outcomesOf(node);
    const outcome = known.get(scope);
    if (outcome === 'open') throw new EvaluationLimit('a reference leads back to itself');
    if (outcome !== undefined && (sink === null || outcome.isValid || instance.reported.has(node))) {
      return outcome;
    }
    known.set(scope, 'open');
    const found = this.evaluate(node, location);
    known.set(scope, found);
    if (sink !== null) instance.reported.add(node);
    return found;
  }
}

export interface Location {
  readonly instance: Instance;
  readonly scope: DynamicScope;
  /** Takes the violations; null when only the verdict is wanted. */
  readonly sink: Violation[] | null;
}

function within({ instance, scope, sink }: Location, { resource }: SchemaNode): Location {
  return { instance, scope: scope.enter(resource), sink };
}

/** One subschema on one place. */
export class Evaluation {
  readonly instance: Instance;
  readonly scope: DynamicScope;
  #properties: Set<string> | undefined;
  #items: Set<number> | undefined;

  constructor(
    private readonly evaluator: Evaluator,
    private readonly location: Location,
  ) {
    this.instance = location.instance;
    this.scope = location.scope;
  }

  get tracks(): boolean {
    return this.evaluator.tracks;
  }

  get isOpaque(): boolean {
    return this.evaluator.isOpaque(this.instance);
  }

  /** Applies a subschema to this very place; what it took account of counts here too. */
  applyHere(node: SchemaNode): boolean {
    return this.#merged(this.evaluator.evaluate(node, this.location));
  }

  followHere(node: SchemaNode): boolean {
    return this.#merged(this.evaluator.follow(node, this.location));
  }

  /** As `applyHere`, but failing is no violation by itself. */
  isMetHere(node: SchemaNode): boolean {
    const { instance, scope } = this.location;
    return this.#merged(this.evaluator.evaluate(node, { instance, scope, sink: null }));
  }

  applyToMember(node: SchemaNode, name: string): boolean {
    return this.#applyTo(node, this.instance.member(name));
  }

  applyToItem(node: SchemaNode, index: number): boolean {
    return this.#applyTo(node, this.instance.item(index));
  }

  isMetBy(node: SchemaNode, instance: Instance): boolean {
    return this.evaluator.evaluate(node, { instance, scope: this.location.scope, sink: null }).isValid;
  }

  /** True when all pass; what comes after a failure is of interest only where violations are collected. */
  every<T>(items: Iterable<T>, test: (item: T) => boolean): boolean {
    let isValid = true;
    for (const item of items) {
      if (test(item)) continue;
      isValid = false;
      if (this.location.sink === null) break;
    }
    return isValid;
  }

  took(name: string): void {
    if (!this.tracks) return;
    this.#properties ??= new Set();
    this.#properties.add(name);
  }

  tookItem(index: number): void {
    if (!this.tracks) return;
    this.#items ??= new Set();
    this.#items.add(index);
  }

  hasTaken(name: string): boolean {
    return this.#properties?.has(name) ?? false;
  }

  hasTakenItem(index: number): boolean {
    return this.#items?.has(index) ?? false;
  }

  /** Records a violation of this place, or of one of its members; returns false. */
  fail(keyword: string, message: string, member?: string): false {
    if (this.location.sink !== null) {
      const path = this.instance.path + (member === undefined ? '' : pointerSegment(member));
      this.location.sink.push({ path, keyword, message });
    }
    return false;
  }

  outcome(): Outcome {
    if (this.#properties === undefined && this.#items === undefined) return VALID;
    return {
      isValid: true,
      properties: this.#properties ?? VALID.properties,
      items: this.#items ?? VALID.items,
    };
  }

  #applyTo(node: SchemaNode, instance: Instance): boolean {
    const { scope, sink } = this.location;
    return this.evaluator.evaluate(node, { instance, scope, sink }).isValid;
  }

  #merged(outcome: Outcome): boolean {
    if (!outcome.isValid) return false;
    for (const name of outcome.properties) this.took(name);
    for (const index of outcome.items) this.tookItem(index);
    return true;
  }
}
