import { isExactObject } from '../values/exact-number.js';
import { equalityKey } from '../values/json-text.js';
import type { DynamicScope } from './dynamic-scope.js';
import type { Outcome } from './outcome.js';
import { pointerSegment } from './problem.js';
import type { SchemaNode } from './schema-index.js';

/** A place within the value that is validated; what was found out about it is kept with it. */
export class Instance {
  #outcomes: Map<SchemaNode, Map<DynamicScope, Outcome | 'open'>> | undefined;
  #reported: Set<SchemaNode> | undefined;
  #children: Map<string | number, Instance> | undefined;
  #key: string | undefined;

  constructor(
    readonly value: unknown,
    private readonly parent: Instance | null = null,
    private readonly location: string | number = '',
  ) {}

  /** The outcomes of a referenced subschema at this value, by scope; `open` while it is being evaluated. */
  outcomesOf(node: SchemaNode): Map<DynamicScope, Outcome | 'open'> {
    this.#outcomes ??= new Map();
    const known = this.#outcomes.get(node) ?? new Map<DynamicScope, Outcome | 'open'>();
    this.#outcomes.set(node, known);
    return known;
  }

  /** Subschemas whose violations of this place have been collected. */
  get reported(): Set<SchemaNode> {
    this.#reported ??= new Set();
    return this.#reported;
  }

  /** JSON Pointer from the root of the value. */
  get path(): string {
    return this.parent === null ? '' : this.parent.path + pointerSegment(this.location);
  }

  /** Equal for equal values only. */
  get key(): string {
    this.#key ??= equalityKey(this.value);
    return this.#key;
  }

  get object(): Record<string, unknown> | null {
    return isExactObject(this.value) ? this.value : null;
  }

  get list(): unknown[] | null {
    return Array.isArray(this.value) ? this.value : null;
  }

  member(name: string): Instance {
    return this.#child(name, this.object?.[name]);
  }

  item(index: number): Instance {
    return this.#child(index, this.list?.[index]);
  }

  /** One instance for each position with something below it, so that each is evaluated once however it is reached. */
  #child(key: string | number, value: unknown): Instance {
    const known = this.#children?.get(key);
    if (known !== undefined) return known;
    const child = new Instance(value, this, key);
    if (typeof value !== 'object' || value === null) return child;
    this.#children ??= new Map();
    this.#children.set(key, child);
    return child;
  }
}
