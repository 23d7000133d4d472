import type { Edit } from '../edits/edit.js';
import type { Language } from './languages/language.js';
import { shiftBounds, swapArguments, swapFunctions } from './operators/calls.js';
import { changeNumbers, changeStrings, flipBooleans } from './operators/literals.js';
import { keepsLoopRunning } from './operators/loops.js';
import type { CodeOperator, Scope } from './operators/operator.js';
import {
  changeThrows,
  deleteStatements,
  emptyReturns,
  fixConditions,
  isQuiet,
  swapLoopControls,
} from './operators/statements.js';
import { removePrefixes, swapTokens } from './operators/tokens.js';
import { childOf, namedChildren, type SyntaxNode } from './syntax/syntax-node.js';

const OPERATORS: readonly CodeOperator[] = [
  swapTokens,
  removePrefixes,
  changeNumbers,
  changeStrings,
  flipBooleans,
  fixConditions,
  deleteStatements,
  swapLoopControls,
  emptyReturns,
  changeThrows,
  swapFunctions,
  swapArguments,
  shiftBounds,
];

/** All edits of a program that its graders may notice. */
export function codeEdits(root: SyntaxNode, source: string, language: Language): Edit[] {
  const scope: Scope = { source, language, textOf: ({ start, end }) => source.slice(start, end) };
  const edits: Edit[] = [];
  // No recursion: how deep an untrusted source nests is up to its author.
  const pending = [root];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (isUntouched(node, scope)) continue;
    const found = OPERATORS.flatMap((operator) => operator(node, scope));
    if (found.length > 0 && !keepsLoopRunning(node, scope)) edits.push(...found);
    // No spread: a list of a program can have more items than a call may have arguments.
    if (!language.throws.has(node.type))
      for (const child of reachedChildren(node, scope)) pending.push(child);
  }
  return edits;
}

function isUntouched(node: SyntaxNode, scope: Scope): boolean {
  const { language, textOf } = scope;
  if (language.untouched.has(node.type)) return true;
  // Documentation, and directives such as "use strict".
  if (language.strings.has(node.type) && node.parent?.type === 'expression_statement') return true;
  if (node.type === 'if_statement') {
    const condition = childOf(node, 'condition');
    if (condition && /__name__|require\.main|import\.meta\.main/.test(textOf(condition))) return true;
  }
  // Commands that write to standard error.
  if (node.type === 'redirected_statement' && /[^2]>&2\s*$/.test(textOf(node))) return true;
  return isQuiet(node, scope);
}

/** The children without statements that no run reaches, as they come after a `return`. */
function reachedChildren({ type, children }: SyntaxNode, { language }: Scope): readonly SyntaxNode[] {
  if (!language.blocks.has(type)) return children;
  const end = children.findIndex((child) => language.endings.has(child.type) || endsInside(child, language));
  return end === -1 ? children : children.slice(0, end + 1);
}

/** Where a `return` is an expression, its statement has nothing else. */
function endsInside(child: SyntaxNode, { endings }: Language): boolean {
  return child.type === 'expression_statement' && namedChildren(child).some(({ type }) => endings.has(type));
}
