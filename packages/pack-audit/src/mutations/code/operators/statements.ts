import { ancestorOf, childOf, namedChildren, type SyntaxNode } from '../syntax/syntax-node.js';
import { type CodeOperator, calleeOf, replaced, type Scope } from './operator.js';

/** The condition of a branch becomes true, and false; that of a loop only false. */
export const fixConditions: CodeOperator = (node, { language, textOf }) => {
  if (!language.branches.has(node.type)) return [];
  const condition = conditionOf(node);
  if (!condition || language.truth.includes(textOf(condition)) || /^let\b/.test(textOf(condition))) return [];
  const [always, never] = language.truth;
  const isLoop = language.openLoops.has(node.type);
  return [
    ...(isLoop ? [] : [replaced('condition_true', condition, always)]),
    replaced('condition_false', condition, never),
  ];
};

/** The condition of a branch or a loop, without its parentheses. */
export function conditionOf(node: SyntaxNode): SyntaxNode | undefined {
  const named = namedChildren(node);
  const found =
    childOf(node, 'condition') ??
    (node.type === 'conditional_expression' ? named[1] : undefined) ??
    (node.type === 'if_clause' || node.type === 'elif_clause' ? named[0] : undefined) ??
    (node.type === 'for_statement' && !named.some(({ type }) => /^(?:for|range)_clause$/.test(type))
      ? named.find(({ field }) => field === undefined)
      : undefined);
  return found?.type === 'parenthesized_expression' ? namedChildren(found)[0] : found;
}

/** A statement whose effect others depend on is left out: a call, or a change of what is there already. */
export const deleteStatements: CodeOperator = (node, scope) => {
  const { language } = scope;
  const { parent } = node;
  if (!parent || !language.deletable.has(node.type) || !language.blocks.has(parent.type)) return [];
  if (node.field === 'condition' || !hasEffect(node, scope)) return [];
  return [replaced('statement_deleted', node, language.nothing)];
};

function hasEffect(statement: SyntaxNode, scope: Scope): boolean {
  const { language, textOf } = scope;
  if (language.grammar === 'bash') return bashHasEffect(statement, scope);
  const inner = /^(?:expression|delete)_statement$/.test(statement.type)
    ? namedChildren(statement)[0]
    : statement;
  if (!inner) return false;
  const core = /^(?:await|await_expression|try_expression)$/.test(inner.type)
    ? namedChildren(inner)[0]
    : inner;
  if (!core) return false;
  if (language.calls.has(core.type)) return !isQuiet(core, scope);
  if (/^(?:augmented_assignment|compound_assignment)|^update_expression|^(?:inc|dec)_st/.test(core.type))
    return true;
  if (!/^assignment/.test(core.type)) return statement.type === 'delete_statement';
  const left = childOf(core, 'left');
  if (!left || !/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(textOf(left))) return true;
  return isAssignedBefore(textOf(left), core, scope);
}

/** The first assignment of a name is no statement to delete: without it, no program runs. */
function isAssignedBefore(name: string, { start, ...node }: SyntaxNode, scope: Scope): boolean {
  const { source, language } = scope;
  const from = ancestorOf({ start, ...node }, language.functions)?.start ?? 0;
  return new RegExp(`(?<![\\p{L}\\p{N}_$.])${escaped(name)}(?![\\p{L}\\p{N}_$])`, 'u').test(
    source.slice(from, start),
  );
}

function escaped(name: string): string {
  return name.replaceAll('$', '\\$');
}

function bashHasEffect(statement: SyntaxNode, scope: Scope): boolean {
  const text = scope.textOf(statement);
  const command = firstCommand(statement);
  if (!command || isQuiet(command, scope) || /(?:1?>&2|>\s*\/dev\/null)\s*$/.test(text)) return false;
  return !/^(?:break|continue|exit|return)\b/.test(text);
}

function firstCommand(node: SyntaxNode): SyntaxNode | undefined {
  for (let each: SyntaxNode | undefined = node; each; each = namedChildren(each)[0]) {
    if (each.type === 'command') return each;
  }
  return undefined;
}

/** A call of which graders see nothing: a log, or a line on standard error. */
export function isQuiet(node: SyntaxNode, scope: Scope): boolean {
  const callee = calleeOf(node, scope);
  if (callee === '') return false;
  return (
    scope.language.quiet.test(callee) ||
    (callee === 'print' && /file\s*=\s*sys\.stderr/.test(scope.textOf(node)))
  );
}

/** `break` becomes `continue` in a loop that ends by itself, and `continue` becomes `break`. */
export const swapLoopControls: CodeOperator = (node, { language, textOf }) => {
  const other = Object.hasOwn(language.breaks, node.type) ? language.breaks[node.type] : undefined;
  if (other === undefined || !/^(?:break|continue)\b\s*;?$/.test(textOf(node))) return [];
  const loop = ancestorOf(
    node,
    new Set([...language.openLoops, ...language.boundedLoops, 'switch_statement']),
  );
  if (!loop || loop.type === 'switch_statement') return [];
  if (other === 'continue' && !language.boundedLoops.has(loop.type)) return [];
  return [
    replaced('loop_control', { start: node.start, end: node.start + tokenLength(textOf(node)) }, other),
  ];
};

function tokenLength(text: string): number {
  return /^\w+/.exec(text)?.[0].length ?? 0;
}

const EMPTY = /^(?:None|null|nil|undefined|true|false|True|False)$/;

/** A returned value becomes the empty value of its type. */
export const emptyReturns: CodeOperator = (node, { language, textOf }) => {
  if (!language.returns.has(node.type)) return [];
  const values = namedChildren(node);
  const [first] = values;
  const last = values.at(-1);
  const value = language.defaultOf(node, textOf);
  if (!first || !last || value === undefined) return [];
  // Booleans have an operator of their own, and an empty value is often as good as false.
  if (values.length === 1 && EMPTY.test(textOf(first))) return [];
  return [replaced('return_value', { start: first.start, end: last.end }, value)];
};

const OTHER_EXCEPTION: Readonly<Record<string, string>> = {
  ...{ ValueError: 'RuntimeError', TypeError: 'ValueError', KeyError: 'ValueError', IndexError: 'KeyError' },
  ...{ RangeError: 'TypeError', SyntaxError: 'TypeError', RuntimeError: 'ValueError' },
  ...{ IllegalArgumentException: 'RuntimeException', IllegalStateException: 'RuntimeException' },
};

/** An exception is not raised, or is one of another type. */
export const changeThrows: CodeOperator = (node, { language, textOf, source }) => {
  if (!language.throws.has(node.type)) return [];
  const removed = replaced('raise_removed', node, language.nothing);
  const name = /\b([A-Z]\w*)/.exec(textOf(node));
  const other =
    name?.[1] !== undefined && Object.hasOwn(OTHER_EXCEPTION, name[1]) ? OTHER_EXCEPTION[name[1]] : undefined;
  if (!name?.[1] || other === undefined) return [removed];
  const start = source.indexOf(name[1], node.start);
  return [removed, replaced('exception_type', { start, end: start + name[1].length }, other)];
};
