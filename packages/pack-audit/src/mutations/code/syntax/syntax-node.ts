/** A node of a syntax tree. Offsets are UTF-16 code units of the source. */
export interface SyntaxNode {
  type: string;
  /** Literal tokens, such as `<` and `and`, are not named. */
  isNamed: boolean;
  /** The name that its parent gives it. */
  field: string | undefined;
  start: number;
  end: number;
  parent: SyntaxNode | undefined;
  children: readonly SyntaxNode[];
}

/** The tree as a worker sends it: six numbers for each node, parents first. */
export interface FlatTree {
  /** Indexes in `types`, start, end, 1 for a named node, index of the parent or -1, index in `fields` or -1. */
  nodes: Int32Array;
  types: readonly string[];
  fields: readonly string[];
  /** Parts of the source are no syntax of its language; the tree lacks them. */
  isBroken: boolean;
}

const NUMBERS_OF_NODE = 6;

/** The root; undefined for a tree without nodes. */
export function treeOf({ nodes, types, fields }: FlatTree): SyntaxNode | undefined {
  const made: (SyntaxNode & { children: SyntaxNode[] })[] = [];
  for (let at = 0; at < nodes.length; at += NUMBERS_OF_NODE) {
    const [type = 0, start = 0, end = 0, named = 0, parentIndex = -1, field = -1] = nodes.subarray(
      at,
      at + NUMBERS_OF_NODE,
    );
    const parent = made[parentIndex];
    const node = {
      ...{ type: types[type] ?? '', isNamed: named === 1, field: fields[field], start, end, parent },
      children: [],
    };
    parent?.children.push(node);
    made.push(node);
  }
  return made[0];
}

export function childOf(node: SyntaxNode | undefined, field: string): SyntaxNode | undefined {
  return node?.children.find((child) => child.field === field);
}

export function namedChildren({ children }: SyntaxNode): SyntaxNode[] {
  return children.filter(({ isNamed, type }) => isNamed && !/comment/.test(type));
}

/** The nearest ancestor of one of the types. */
export function ancestorOf(node: SyntaxNode, types: ReadonlySet<string>): SyntaxNode | undefined {
  for (let each = node.parent; each; each = each.parent) if (types.has(each.type)) return each;
  return undefined;
}
