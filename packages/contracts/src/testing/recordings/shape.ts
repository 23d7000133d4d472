import { z } from 'zod';

/**
 * The members of every object in a schema, by the path to it: `workspace_id limit?`, sorted, with a question mark after
 * those that may be absent. Variants of a union have paths of their own.
 */
export type Shape = Readonly<Record<string, string>>;

interface Schema {
  type?: string | string[];
  const?: unknown;
  $ref?: string;
  $defs?: Record<string, Schema>;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  prefixItems?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

export function shapeOf(schema: z.ZodType): Shape {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema;
  const members = new Map<string, string>();
  note(json, { at: '', defs: json.$defs ?? {}, within: [], members });
  return Object.fromEntries([...members].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * The incompatible differences of two shapes, in both directions: members that are removed or renamed, newly required,
 * or no longer required.
 */
export function breaksBetween(then: Shape, now: Shape): string[] {
  return Object.entries(then).flatMap(([path, line]) => {
    const [before, after] = [membersIn(line), membersIn(now[path] ?? '')];
    const change = (what: string, name: string) => `${path === '' ? '' : `${path}.`}${name} ${what}`;
    const known = [...before].flatMap(([name, isOptional]) => {
      const isOptionalNow = after.get(name);
      if (isOptionalNow === undefined) return [change('is gone', name)];
      if (isOptionalNow === isOptional) return [];
      return [change(isOptionalNow ? 'may be absent now' : 'must be there now', name)];
    });
    const demanded = [...after].flatMap(([name, isOptional]) =>
      before.has(name) || isOptional ? [] : [change('is new and must be there', name)],
    );
    return [...known, ...demanded];
  });
}

interface Walk {
  at: string;
  defs: Record<string, Schema>;
  /** References that are being followed: a schema may hold itself. */
  within: readonly string[];
  members: Map<string, string>;
}

function note(schema: Schema, walk: Walk): void {
  const { at, defs, within, members } = walk;
  const { $ref, properties, required = [], additionalProperties, items } = schema;
  const go = (inner: Schema, step: string) => note(inner, { ...walk, at: `${at}${step}` });
  if ($ref !== undefined) {
    const found = defs[$ref.slice($ref.lastIndexOf('/') + 1)];
    if (found !== undefined && !within.includes($ref)) note(found, { ...walk, within: [...within, $ref] });
  }
  if (properties !== undefined) {
    const names = Object.keys(properties).sort();
    members.set(at, names.map((name) => (required.includes(name) ? name : `${name}?`)).join(' '));
    for (const name of names) go(properties[name] ?? {}, at === '' ? name : `.${name}`);
  }
  if (typeof additionalProperties === 'object') go(additionalProperties, '.*');
  if (items !== undefined) go(items, '[]');
  for (const [index, item] of (schema.prefixItems ?? []).entries()) go(item, `[${index}]`);
  for (const part of schema.allOf ?? []) go(part, '');
  const variants = (schema.anyOf ?? schema.oneOf ?? []).filter(({ type }) => type !== 'null');
  for (const [index, variant] of variants.entries()) {
    go(variant, variants.length === 1 ? '' : `<${labelOf(variant) ?? index}>`);
  }
}

/** The members that distinguish a variant from the others. */
function labelOf({ properties = {} }: Schema): string | undefined {
  const tag = Object.entries(properties).find(([, { const: value }]) => value !== undefined);
  return tag && `${tag[0]}=${String(tag[1].const)}`;
}

/** Each member, and whether it may be absent. */
function membersIn(line: string): Map<string, boolean> {
  const words = line.split(' ').filter(Boolean);
  return new Map(words.map((word) => [word.replace(/\?$/, ''), word.endsWith('?')]));
}
