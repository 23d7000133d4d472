import { childOf, namedChildren, type SyntaxNode } from '../syntax/syntax-node.js';
import { type CodeOperator, calleeOf, replaced, type Scope } from './operator.js';

type Relatives = Readonly<Record<string, string>>;

/** Functions and methods with a relative that a slip of the pen calls. */
const COMMON: Relatives = {
  ...{ min: 'max', max: 'min', any: 'all', all: 'any', floor: 'ceil', ceil: 'floor', trunc: 'ceil' },
};

const PYTHON: Relatives = {
  ...{ startswith: 'endswith', endswith: 'startswith', upper: 'lower', lower: 'upper' },
  ...{ isupper: 'islower', islower: 'isupper', isdigit: 'isalpha', isalpha: 'isdigit' },
  ...{ strip: 'lstrip', lstrip: 'rstrip', rstrip: 'lstrip', find: 'rfind', rfind: 'find' },
  ...{ sorted: 'list', reversed: 'list', set: 'list', extend: 'append', keys: 'values', values: 'keys' },
};

const JAVASCRIPT: Relatives = {
  ...{ some: 'every', every: 'some', round: 'floor', startsWith: 'endsWith', endsWith: 'startsWith' },
  ...{
    toUpperCase: 'toLowerCase',
    toLowerCase: 'toUpperCase',
    indexOf: 'lastIndexOf',
    lastIndexOf: 'indexOf',
  },
  ...{ trim: 'trimStart', trimStart: 'trimEnd', trimEnd: 'trimStart', push: 'unshift', unshift: 'push' },
  ...{ pop: 'shift', shift: 'pop' },
};

const BY_GRAMMAR: Readonly<Record<string, Relatives>> = {
  ...{ python: PYTHON, javascript: JAVASCRIPT, typescript: JAVASCRIPT, tsx: JAVASCRIPT },
  go: {
    ...{
      Min: 'Max',
      Max: 'Min',
      Floor: 'Ceil',
      Ceil: 'Floor',
      HasPrefix: 'HasSuffix',
      HasSuffix: 'HasPrefix',
    },
    ...{ ToUpper: 'ToLower', ToLower: 'ToUpper', Index: 'LastIndex', LastIndex: 'Index' },
    ...{ TrimLeft: 'TrimRight', TrimRight: 'TrimLeft' },
  },
  rust: {
    ...{ starts_with: 'ends_with', ends_with: 'starts_with', first: 'last', last: 'first' },
    ...{ to_uppercase: 'to_lowercase', to_lowercase: 'to_uppercase', push_back: 'push_front' },
    ...{ is_some: 'is_none', is_none: 'is_some', is_ok: 'is_err', is_err: 'is_ok', find: 'rfind' },
    ...{ trim: 'trim_start', trim_start: 'trim_end', trim_end: 'trim_start' },
  },
  java: {
    ...{ startsWith: 'endsWith', endsWith: 'startsWith', indexOf: 'lastIndexOf', lastIndexOf: 'indexOf' },
    ...{ toUpperCase: 'toLowerCase', toLowerCase: 'toUpperCase', anyMatch: 'allMatch', allMatch: 'anyMatch' },
  },
};

export const swapFunctions: CodeOperator = (node, scope) => {
  const { language, textOf } = scope;
  const own = BY_GRAMMAR[language.grammar];
  if (!language.calls.has(node.type) || !own) return [];
  const name = nameNode(childOf(node, 'function') ?? childOf(node, 'name'));
  const other = name && { ...COMMON, ...own }[textOf(name)];
  return name && typeof other === 'string' ? [replaced('function_swapped', name, other)] : [];
};

/** The last name of `a.b.c`. */
function nameNode(node: SyntaxNode | undefined): SyntaxNode | undefined {
  const last = node && namedChildren(node).at(-1);
  return last ? nameNode(last) : node;
}

/** Functions of which the order of arguments does not matter, or whose arguments are of different kinds. */
const UNORDERED =
  /^(?:min|max|gcd|lcm|hypot|isclose|isinstance|issubclass|hasattr|getattr|setattr|map|filter|reduce|open|print|imul|Min|Max|add|Equal)$/;

export const swapArguments: CodeOperator = (node, scope) => {
  const { language, textOf, source } = scope;
  if (!language.calls.has(node.type)) return [];
  const list = childOf(node, 'arguments');
  const [first, second] = list ? namedChildren(list) : [];
  if (!first || !second || !isPositional(first) || !isPositional(second)) return [];
  if (textOf(first) === textOf(second)) return [];
  if (UNORDERED.test(/\w*$/.exec(calleeOf(node, scope))?.[0] ?? '')) return [];
  const between = source.slice(first.end, second.start);
  const text = textOf(second) + between + textOf(first);
  return [replaced('arguments_swapped', { start: first.start, end: second.end }, text)];
};

function isPositional({ type }: SyntaxNode): boolean {
  return !/keyword|splat|spread|generator|lambda|arrow|function|block|closure|variadic/.test(type);
}

/** Calls whose last arguments are the bounds of a range. */
const RANGES = /^(?:range|slice|substring|subarray|substr|islice)$/;

/** Bounds of ranges and slices move by one; literal bounds are numbers, which have an operator of their own. */
export const shiftBounds: CodeOperator = (node, scope) => {
  const bounds = boundsOf(node, scope);
  return bounds.flatMap(({ bound, step }) => {
    const text = scope.textOf(bound);
    if (scope.language.numbers.has(bound.type)) return [];
    return [replaced('range_bound', bound, `(${text}) ${step}`)];
  });
};

interface Bound {
  bound: SyntaxNode;
  step: '+ 1' | '- 1';
}

function boundsOf(node: SyntaxNode, scope: Scope): Bound[] {
  if (node.type === 'slice') return pythonSlice(node, scope);
  if (node.type === 'slice_expression') return ended(childOf(node, 'start'), childOf(node, 'end'));
  if (node.type === 'range_expression') {
    const at = node.children.findIndex(({ isNamed }) => !isNamed);
    return ended(node.children[at - 1], node.children[at + 1]);
  }
  if (!RANGES.test(/\w*$/.exec(calleeOf(node, scope))?.[0] ?? '')) return [];
  const list = childOf(node, 'arguments');
  const [first, second] = list ? namedChildren(list).filter(isPositional) : [];
  return scope.language.grammar === 'python' && !second ? ended(undefined, first) : ended(first, second);
}

function pythonSlice({ children }: SyntaxNode, { textOf }: Scope): Bound[] {
  const colon = children.findIndex((child) => textOf(child) === ':');
  const start = children[colon - 1];
  const end = children[colon + 1];
  return ended(start, end?.isNamed ? end : undefined);
}

function ended(start: SyntaxNode | undefined, end: SyntaxNode | undefined): Bound[] {
  return [
    ...(start ? [{ bound: start, step: '+ 1' } as const] : []),
    ...(end ? [{ bound: end, step: '- 1' } as const] : []),
  ];
}
