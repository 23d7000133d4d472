import type { Regex } from '../text/regex.js';
import { isExactObject } from '../values/exact-number.js';
import { ASSERTIONS, hasAll } from './assertions.js';
import type { SchemaDraft } from './dialect.js';
import type { Evaluation, KeywordCheck } from './evaluation.js';
import { Instance } from './instance.js';
import { isSchema } from './keyword-shapes.js';
import type { ReferenceTarget, SchemaNode } from './schema-index.js';

/** Keywords that apply subschemas: to the place itself, to its members and items, and to what is left of them. */
const APPLICATORS: Readonly<Record<string, Keyword>> = {
  $ref: (value, { resolve }) => {
    const { node } = resolve(String(value));
    return (at) => at.followHere(node);
  },
  $dynamicRef: (value, { resolve }) => {
    const { node, anchor } = resolve(String(value));
    const isDynamic =
      anchor !== null && typeof node.schema === 'object' && node.schema.$dynamicAnchor === anchor;
    return (at) => at.followHere((isDynamic ? at.scope.outermost(anchor) : undefined) ?? node);
  },
  allOf: (value, context) => {
    const nodes = listBelow(value, context);
    return (at) => at.every(nodes, (node) => at.applyHere(node));
  },
  anyOf: (value, context) => {
    const nodes = listBelow(value, context);
    return (at) => {
      const count = at.tracks ? nodes.filter((node) => at.isMetHere(node)).length : 0;
      const isMet = count > 0 || (!at.tracks && nodes.some((node) => at.isMetHere(node)));
      return isMet || at.fail('anyOf', 'must match a schema in anyOf');
    };
  },
  oneOf: (value, context) => {
    const nodes = listBelow(value, context);
    return (at) => {
      let met = 0;
      for (const node of nodes) {
        if (at.isMetHere(node)) met += 1;
        if (met > 1) break;
      }
      return met === 1 || at.fail('oneOf', 'must match exactly one schema in oneOf');
    };
  },
  not: (_value, context) => {
    const node = context.below();
    return (at) => !at.isMetBy(node, at.instance) || at.fail('not', 'must NOT be valid');
  },
  if: (_value, context) => {
    const node = context.below();
    const [whenMet, otherwise] = [context.beside('then'), context.beside('else')];
    return (at) => {
      const branch = at.isMetHere(node) ? whenMet : otherwise;
      return branch === null || at.applyHere(branch);
    };
  },
  dependentSchemas: (value, context) => {
    const names = Object.keys(value as object);
    const nodes = names.map((name) => [name, context.below(name)] as const);
    return (at) => at.every(nodes, ([name, node]) => !hasMember(at.instance, name) || at.applyHere(node));
  },
  dependencies: (value, context) => {
    const checks = Object.entries(value as object).map(([name, needed]): [string, KeywordCheck] => {
      if (!isSchema(needed)) return [name, (at) => hasAll(at, needed, 'dependentRequired')];
      const node = context.below(name);
      return [name, (at) => at.applyHere(node)];
    });
    return (at) => at.every(checks, ([name, check]) => !hasMember(at.instance, name) || check(at));
  },
  propertyNames: (_value, context) => {
    const node = context.below();
    return (at) =>
      at.every(namesOf(at), (name) => {
        return at.isMetBy(node, new Instance(name)) || at.fail('propertyNames', 'is not a valid name', name);
      });
  },
  properties: (value, context) => {
    const nodes = Object.keys(value as object).map((name) => [name, context.below(name)] as const);
    return (at) =>
      at.every(nodes, ([name, node]) => {
        if (!hasMember(at.instance, name)) return true;
        at.took(name);
        return at.applyToMember(node, name);
      });
  },
  patternProperties: (value, context) => {
    const nodes = Object.keys(value as object).map(
      (pattern) => [context.regex(pattern), context.below(pattern)] as const,
    );
    return (at) =>
      at.every(namesOf(at), (name) =>
        at.every(nodes, ([regex, node]) => {
          if (!regex.test(name)) return true;
          at.took(name);
          return at.applyToMember(node, name);
        }),
      );
  },
  additionalProperties: (_value, context) => {
    const node = context.below();
    const { properties, patternProperties } = context.siblings;
    const named = isExactObject(properties) ? properties : {};
    const patterns = isExactObject(patternProperties)
      ? Object.keys(patternProperties).map(context.regex)
      : [];
    return (at) =>
      at.every(namesOf(at), (name) => {
        if (Object.hasOwn(named, name) || patterns.some((regex) => regex.test(name))) return true;
        at.took(name);
        if (node.schema === false) return at.fail('additionalProperties', 'is unexpected', name);
        return at.applyToMember(node, name);
      });
  },
  prefixItems: (value, context) => prefix(value, context),
  items: (value, context) => {
    if (Array.isArray(value)) return prefix(value, context);
    return itemsFrom('items', prefixLength(context.siblings.prefixItems), context);
  },
  additionalItems: (_value, context) => {
    const { items } = context.siblings;
    return Array.isArray(items) ? itemsFrom('additionalItems', items.length, context) : null;
  },
  contains: (_value, context) => {
    const node = context.below();
    const { minContains, maxContains } = context.draft === '2020-12' ? context.siblings : {};
    const [least, most] = [Number(minContains ?? 1), Number(maxContains ?? Number.POSITIVE_INFINITY)];
    return (at) => {
      const { list } = at.instance;
      if (list === null) return true;
      let found = 0;
      for (const index of list.keys()) {
        if (!at.isMetBy(node, at.instance.item(index))) continue;
        found += 1;
        at.tookItem(index);
        if (!at.tracks && found >= least && most === Number.POSITIVE_INFINITY) return true;
      }
      if (found < least) return at.fail('contains', `must contain at least ${least} valid item(s)`);
      return found <= most || at.fail('contains', `must contain at most ${most} valid item(s)`);
    };
  },
  unevaluatedProperties: (_value, context) => {
    const node = context.below();
    return (at) =>
      at.every(namesOf(at), (name) => {
        if (at.hasTaken(name)) return true;
        at.took(name);
        if (node.schema === false) return at.fail('unevaluatedProperties', 'is unexpected', name);
        return at.applyToMember(node, name);
      });
  },
  unevaluatedItems: (_value, context) => {
    const node = context.below();
    return (at) =>
      at.every(at.instance.list?.keys() ?? [], (index) => {
        if (at.hasTakenItem(index)) return true;
        at.tookItem(index);
        if (node.schema === false) return at.fail('unevaluatedItems', 'is unexpected', String(index));
        return at.applyToItem(node, index);
      });
  },
};

function prefix(value: unknown, context: KeywordContext): KeywordCheck {
  const nodes = listBelow(value, context);
  return (at) => {
    const length = Math.min(nodes.length, at.instance.list?.length ?? 0);
    return at.every(nodes.slice(0, length).entries(), ([index, node]) => {
      at.tookItem(index);
      return at.applyToItem(node, index);
    });
  };
}

function itemsFrom(name: string, start: number, context: KeywordContext): KeywordCheck {
  const node = context.below();
  return (at) => {
    const { list } = at.instance;
    if (list === null || list.length <= start) return true;
    if (node.schema === false) return at.fail(name, `must NOT have more than ${start} items`);
    return at.every(list.keys(), (index) => {
      if (index < start) return true;
      at.tookItem(index);
      return at.applyToItem(node, index);
    });
  };
}

function prefixLength(prefixItems: unknown): number {
  return Array.isArray(prefixItems) ? prefixItems.length : 0;
}

function listBelow(value: unknown, context: KeywordContext) {
  return (Array.isArray(value) ? value : []).map((_schema, index) => context.below(index));
}

function namesOf({ instance: { object } }: Evaluation): string[] {
  return object === null ? [] : Object.keys(object);
}

function hasMember({ object }: Instance, name: string): boolean {
  return object !== null && Object.hasOwn(object, name);
}

/** The context of a keyword while it is compiled. */
export interface KeywordContext {
  readonly draft: SchemaDraft;
  /** The schema that the keyword is a member of. */
  readonly siblings: Readonly<Record<string, unknown>>;
  readonly assertsFormats: boolean;
  /** The subschema below the keyword, or below one of its keys. */
  below(key?: string | number): SchemaNode;
  /** The subschema below a sibling keyword. */
  beside(keyword: string): SchemaNode | null;
  resolve(reference: string): ReferenceTarget;
  regex(pattern: string): Regex;
}

/** Makes a keyword ready; null when its value asserts nothing. */
export type Keyword = (value: unknown, context: KeywordContext) => KeywordCheck | null;

/** In the order in which they are applied: cheap assertions first, what depends on the others last. */
export const KEYWORDS: readonly (readonly [name: string, keyword: Keyword])[] = [
  ...Object.entries(ASSERTIONS),
  ...Object.entries(APPLICATORS),
];
