import { isExactObject } from '../values/exact-number.js';
import { KEYWORD_SHAPES, type KeywordShape, readMembers, type SchemaDraft, schemaDraft } from './dialect.js';
import { isSchema, SHAPE_CHECKS } from './keyword-shapes.js';
import { PATTERN_SIZE_MAX, SCHEMA_DEPTH_MAX, SCHEMA_NODES_MAX } from './limits.js';
import { patternSize } from './pattern.js';
import { pointerSegment, refuseSchema } from './problem.js';

/** A schema with an identity of its own: the root, and each subschema with an `$id`. */
export interface SchemaResource {
  readonly uri: string;
  readonly draft: SchemaDraft;
  readonly rootAt: string;
  readonly anchors: Map<string, SchemaNode>;
  readonly dynamicAnchors: Map<string, SchemaNode>;
}

/** One subschema. */
export interface SchemaNode {
  /** JSON Pointer from the root of the whole schema. */
  readonly at: string;
  readonly schema: boolean | Record<string, unknown>;
  readonly resource: SchemaResource;
}

/** A target of a reference, and the name it was found by when that is an anchor. */
export interface ReferenceTarget {
  readonly node: SchemaNode;
  readonly anchor: string | null;
}

/** Base of a schema without an `$id`; the name is reserved (RFC 2606), so that no reference means another one. */
const ROOT_URI = 'https://schema.invalid/';

/** Every subschema by its place, and every identity. Throws `SchemaProblemError`. */
export class SchemaIndex {
  readonly root: SchemaNode;
  /** Some subschema has `unevaluatedItems` or `unevaluatedProperties`. */
  tracksEvaluated = false;
  hasDynamicReference = false;
  readonly #document: Record<string, unknown>;
  readonly #nodes = new Map<string, SchemaNode>();
  readonly #resources = new Map<string, SchemaResource>();
  #patternSize = 0;

  constructor(document: Record<string, unknown>) {
    this.#document = document;
    this.root = this.#enter(document, { at: '', depth: 0, resource: null });
  }

  /** The subschema in a place where a keyword has one. */
  get(at: string): SchemaNode {
    const node = this.#nodes.get(at);
    if (node === undefined) throw new Error(`no subschema at ${at}`);
    return node;
  }

  resolve(reference: string, from: SchemaNode, at: string): ReferenceTarget {
    const { uri, fragment } = split(reference, from.resource.uri, at);
    const resource = this.#resources.get(uri);
    const missing = () => refuseSchema(at, `"${reference}" refers to nothing within this schema`);
    if (resource === undefined) return missing();
    if (fragment === '') return { node: this.get(resource.rootAt), anchor: null };
    if (fragment.startsWith('/')) {
      return { node: this.#atPointer(resource, fragment) ?? missing(), anchor: null };
    }
    const node = resource.anchors.get(fragment);
    return node === undefined ? missing() : { node, anchor: fragment };
  }

  /** All that a `$dynamicRef` may lead to: whatever has the anchor by which its first target was found. */
  dynamicTargets({ node, anchor }: ReferenceTarget): SchemaNode[] {
    if (anchor === null || node.resource.dynamicAnchors.get(anchor) !== node) return [];
    return [...this.#resources.values()].flatMap(({ dynamicAnchors }) => dynamicAnchors.get(anchor) ?? []);
  }

  /** A pointer may lead to a place that no keyword makes a subschema. */
  #atPointer(resource: SchemaResource, pointer: string): SchemaNode | null {
    const at = resource.rootAt + pointer;
    const known = this.#nodes.get(at);
    if (known !== undefined) return known;
    let value: unknown = this.#document;
    let location = '';
    let within = resource;
    for (const segment of at.split('/').slice(1)) {
      const key = segment.replaceAll('~1', '/').replaceAll('~0', '~');
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return null;
      value = (value as Record<string, unknown>)[key];
      location += `/${segment}`;
      within = this.#nodes.get(location)?.resource ?? within;
    }
    if (!isSchema(value)) return null;
    return this.#enter(value, { at, depth: at.split('/').length, resource: within, isAnonymous: true });
  }

  #enter(
    schema: boolean | Record<string, unknown>,
    location: { at: string; depth: number; resource: SchemaResource | null; isAnonymous?: boolean },
  ): SchemaNode {
    const { at, depth } = location;
    if (this.#nodes.size >= SCHEMA_NODES_MAX) {
      refuseSchema(at, `the schema has more than ${SCHEMA_NODES_MAX} subschemas`);
    }
    if (depth > SCHEMA_DEPTH_MAX) refuseSchema(at, `is nested deeper than ${SCHEMA_DEPTH_MAX} levels`);
    const resource =
      location.isAnonymous && location.resource ? location.resource : this.#resourceOf(schema, location);
    const node: SchemaNode = { at, schema, resource };
    this.#nodes.set(at, node);
    if (typeof schema === 'boolean') return node;
    if (!location.isAnonymous) nameAnchors(node);
    this.tracksEvaluated ||= 'unevaluatedItems' in schema || 'unevaluatedProperties' in schema;
    this.hasDynamicReference ||= '$dynamicRef' in schema;
    for (const [name, value] of readMembers(schema, resource.draft)) {
      const shape = KEYWORD_SHAPES[resource.draft].get(name);
      if (shape !== undefined) this.#enterKeyword({ name, value, shape }, node, depth);
    }
    return node;
  }

  #enterKeyword(
    { name, value, shape }: { name: string; value: unknown; shape: KeywordShape },
    { at, resource }: SchemaNode,
    depth: number,
  ): void {
    const keywordAt = at + pointerSegment(name);
    this.#boundPatterns(shape, value, keywordAt);
    const problem = SHAPE_CHECKS[shape](value);
    if (problem !== null) refuseSchema(keywordAt, problem);
    for (const [key, schema] of subschemas(shape, value)) {
      const below = key === null ? keywordAt : keywordAt + pointerSegment(key);
      this.#enter(schema, { at: below, depth: depth + (key === null ? 1 : 2), resource });
    }
  }

  /** Before they are compiled: what a pattern takes is not seen from its length. */
  #boundPatterns(shape: KeywordShape, value: unknown, at: string): void {
    const patterns = shape === 'pattern_map' && isExactObject(value) ? Object.keys(value) : [value];
    if (shape !== 'pattern_map' && shape !== 'regex') return;
    for (const pattern of patterns) {
      if (typeof pattern === 'string') this.#patternSize += patternSize(pattern);
    }
    if (this.#patternSize > PATTERN_SIZE_MAX) {
      refuseSchema(at, `the patterns of the schema need more than ${PATTERN_SIZE_MAX} RE2 instructions`);
    }
  }

  #resourceOf(
    schema: boolean | Record<string, unknown>,
    { at, resource: parent }: { at: string; resource: SchemaResource | null },
  ): SchemaResource {
    const members = typeof schema === 'boolean' ? {} : schema;
    const isHidden = parent?.draft === 'draft-07' && typeof members.$ref === 'string';
    const id = !isHidden && typeof members.$id === 'string' ? members.$id : null;
    const base = parent?.uri ?? ROOT_URI;
    const { uri, fragment } = id === null ? { uri: base, fragment: '' } : split(id, base, `${at}/$id`);
    if (parent !== null && (id === null || uri === base)) return parent;
    const draft = members.$schema === undefined && parent ? parent.draft : schemaDraft(members.$schema);
    if (draft === null) return refuseSchema(`${at}/$schema`, 'must name draft-07 or draft 2020-12');
    if (fragment !== '' && draft === '2020-12') refuseSchema(`${at}/$id`, 'must have no fragment');
    if (this.#resources.has(uri)) refuseSchema(`${at}/$id`, `"${id}" is the identity of another subschema`);
    const resource = { uri, draft, rootAt: at, anchors: new Map(), dynamicAnchors: new Map() };
    this.#resources.set(uri, resource);
    return resource;
  }
}

/** The subschemas right below a keyword, by their key when it holds several. */
export function* subschemas(
  shape: KeywordShape,
  value: unknown,
): Generator<[key: string | number | null, schema: boolean | Record<string, unknown>]> {
  const isSeveral = shape === 'schema_map' || shape === 'pattern_map' || shape === 'dependencies';
  if ((shape === 'schema_list' || shape === 'schema_or_list') && Array.isArray(value)) {
    for (const [index, item] of value.entries()) if (isSchema(item)) yield [index, item];
  } else if (isSeveral && isExactObject(value)) {
    for (const [key, member] of Object.entries(value)) if (isSchema(member)) yield [key, member];
  } else if ((shape === 'schema' || shape === 'schema_or_list') && isSchema(value)) yield [null, value];
}

function nameAnchors(node: SchemaNode): void {
  const { schema, resource, at } = node;
  if (typeof schema === 'boolean') return;
  const names =
    resource.draft === '2020-12' ? [schema.$anchor, schema.$dynamicAnchor] : [fragmentOfId(schema)];
  for (const name of new Set(names)) {
    if (typeof name !== 'string') continue;
    if (resource.anchors.has(name)) refuseSchema(at, `"${name}" is the anchor of another subschema`);
    resource.anchors.set(name, node);
  }
  if (resource.draft === '2020-12' && typeof schema.$dynamicAnchor === 'string') {
    resource.dynamicAnchors.set(schema.$dynamicAnchor, node);
  }
}

/** In draft-07 an `$id` may be, or end with, a name. */
function fragmentOfId({ $id, $ref }: Record<string, unknown>): string | undefined {
  if (typeof $id !== 'string' || typeof $ref === 'string') return undefined;
  const fragment = $id.split('#')[1];
  return fragment === '' || fragment?.startsWith('/') ? undefined : fragment;
}

function split(reference: string, base: string, at: string): { uri: string; fragment: string } {
  try {
    const [uri = '', fragment = ''] = new URL(reference, base).href.split('#');
    return { uri, fragment: decodeURIComponent(fragment) };
  } catch {
    return refuseSchema(at, `"${reference}" is no URI reference`);
  }
}
