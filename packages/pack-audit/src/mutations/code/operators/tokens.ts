import { namedChildren, type SyntaxNode } from '../syntax/syntax-node.js';
import { type CodeOperator, replaced, type Scope } from './operator.js';

/** Comparisons, arithmetic and connectives: one token for another, as the language's table has them. */
export const swapTokens: CodeOperator = (node, scope) => {
  const { language, textOf } = scope;
  if (!node.parent || !language.operations.has(node.parent.type)) return [];
  const isToken = !node.isNamed || node.type === 'test_operator';
  const token = textOf(node).replaceAll(/\s+/g, ' ');
  if (!isToken || !Object.hasOwn(language.swaps, token)) return [];
  if (isWithoutEffect(token, node.parent, scope)) return [];
  return (language.swaps[token] ?? []).map(([operator, other]) => replaced(operator, node, other));
};

const IDENTITIES: Readonly<Record<string, RegExp>> = {
  '+': /^0(?:\.0)?$/,
  '-': /^0(?:\.0)?$/,
  '*': /^-?1(?:\.0)?$/,
  '/': /^-?1(?:\.0)?$/,
  '//': /^1$/,
  '**': /^1$/,
};

/** Operators that change nothing, such as `* 1`; and a `+` of strings, whose swap no program survives. */
function isWithoutEffect(token: string, parent: SyntaxNode, { language, textOf }: Scope): boolean {
  const operands = namedChildren(parent);
  const right = operands.at(-1);
  if (right && IDENTITIES[token]?.test(textOf(right))) return true;
  return token.startsWith('+') && operands.some(({ type }) => language.strings.has(type));
}

/** `not x` and `-x` without the operator. */
export const removePrefixes: CodeOperator = (node, scope) => {
  const { language, textOf } = scope;
  const [first, ...rest] = node.children;
  if (!language.prefixed.has(node.type) || !first || first.isNamed) return [];
  const token = textOf(first);
  const operand = rest.find(({ isNamed }) => isNamed);
  if (!operand || !language.negations.has(token) || /^0(?:\.0)?$/.test(textOf(operand))) return [];
  const operator = token === '!' || token === 'not' ? 'negation_removed' : 'sign_removed';
  return [replaced(operator, { start: first.start, end: operand.start }, '')];
};
