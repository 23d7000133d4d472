import type { SchemaNode, SchemaResource } from './schema-index.js';

/** The resources that evaluation has passed through, outermost first. The same way leads to the same object. */
export class DynamicScope {
  readonly #inner = new Map<SchemaResource, DynamicScope>();

  private constructor(private readonly resources: readonly SchemaResource[]) {}

  static empty(): DynamicScope {
    return new DynamicScope([]);
  }

  /** A resource that is in already changes nothing: only the first with an anchor counts. */
  enter(resource: SchemaResource): DynamicScope {
    if (this.resources.includes(resource)) return this;
    const known = this.#inner.get(resource);
    if (known !== undefined) return known;
    const inner = new DynamicScope([...this.resources, resource]);
    this.#inner.set(resource, inner);
    return inner;
  }

  outermost(anchor: string): SchemaNode | undefined {
    return this.resources.find((resource) => resource.dynamicAnchors.has(anchor))?.dynamicAnchors.get(anchor);
  }
}
