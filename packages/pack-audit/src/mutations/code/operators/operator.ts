import type { Edit } from '../../edits/edit.js';
import type { Language } from '../languages/language.js';
import type { SyntaxNode } from '../syntax/syntax-node.js';

/** The source that operators look at. */
export interface Scope {
  source: string;
  language: Language;
  textOf: (node: SyntaxNode) => string;
}

/** The edits of one node. It looks at no children but those that belong to the node's own form. */
export type CodeOperator = (node: SyntaxNode, scope: Scope) => Edit[];

/** The edit that replaces a node. */
export function replaced(
  operator: string,
  { start, end }: Pick<SyntaxNode, 'start' | 'end'>,
  text: string,
): Edit {
  return { operator, start, end, text };
}

/** The function of a call, without its arguments; empty for other nodes. */
export function calleeOf(node: SyntaxNode, { language, textOf, source }: Scope): string {
  if (!language.calls.has(node.type)) return '';
  const end = node.children.find(({ field, type }) => field === 'arguments' || type === 'token_tree');
  if (end) return source.slice(node.start, end.start).replace(/^new\s+|[\s!]+$/g, '');
  const name = node.children.find(({ field }) => field === 'name');
  return name ? textOf(name) : '';
}
