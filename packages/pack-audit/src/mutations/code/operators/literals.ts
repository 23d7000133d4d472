import type { SyntaxNode } from '../syntax/syntax-node.js';
import { type CodeOperator, replaced, type Scope } from './operator.js';

/** A decimal number, and a suffix such as `u8`. */
const NUMBER = /^(\d[\d_]*)(\.\d+)?([a-z_]\w*)?$/i;

/** `n` becomes `n + 1`, and 1 becomes 0 as well. */
export const changeNumbers: CodeOperator = (node, scope) => {
  const { language, textOf } = scope;
  const isNumber = language.numbers.has(node.type) || (node.type === 'word' && /^\d+$/.test(textOf(node)));
  const parts = isNumber ? NUMBER.exec(textOf(node)) : null;
  if (!parts) return [];
  const [, whole = '', fraction = '', suffix = ''] = parts;
  const digits = whole.replaceAll('_', '');
  if (digits.length > 15) return [];
  const value = Number(digits);
  const values = value === 1 && fraction === '' ? [2, 0] : [value + 1];
  return values.map((each) => replaced(nameOf('number', node, scope), node, `${each}${fraction}${suffix}`));
};

/** A string becomes empty, an empty one becomes `x`. */
export const changeStrings: CodeOperator = (node, scope) => {
  const { language, textOf } = scope;
  if (!language.strings.has(node.type) || hasSubstitution(node, language.grammar)) return [];
  const parts = /^(\w*(?:"""|'''|["'`]))(.*)("""|'''|["'`])$/s.exec(textOf(node));
  if (!parts) return [];
  const [, open = '', content, close = ''] = parts;
  const text = `${open}${content === '' ? 'x' : ''}${close}`;
  return [replaced(nameOf('string', node, scope), node, text)];
};

function hasSubstitution({ children }: SyntaxNode, grammar: string): boolean {
  if (grammar === 'bash') return false;
  return children.some(({ type }) => type === 'interpolation' || type === 'template_substitution');
}

/** True becomes false, and false true. */
export const flipBooleans: CodeOperator = (node, scope) => {
  const { language, textOf } = scope;
  if (!node.isNamed || !Object.hasOwn(language.booleans, node.type)) return [];
  const other = language.booleans[node.type] || (textOf(node) === 'true' ? 'false' : 'true');
  return [replaced(nameOf('boolean', node, scope), node, other)];
};

/** Literals that are defaults of parameters have an operator of their own. */
function nameOf(kind: string, node: SyntaxNode, { language }: Scope): string {
  const isDefault = node.parent && language.defaults.has(node.parent.type) && node.field !== 'name';
  return isDefault ? 'default_argument' : kind;
}
