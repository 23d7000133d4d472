import type { SyntaxNode } from '../syntax/syntax-node.js';
import type { Scope } from './operator.js';
import { conditionOf } from './statements.js';

const NAMES = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
const ASSIGNED = /^(.*?)(?:\*\*|\/\/|<<|>>|[-+*/%&|^])?(?<![=!<>])=(?!=)/s;

/**
 * True for a node whose change could let a loop run forever: a statement that moves the loop towards its end. Mutants that
 * never end are noticed by time limits, which shows nothing about tests and takes long.
 */
export function keepsLoopRunning(node: SyntaxNode, scope: Scope): boolean {
  const { language } = scope;
  if (node.field === 'increment' || node.field === 'update') return true;
  let child = node;
  let statement: SyntaxNode | undefined;
  for (let each = node.parent; each; each = each.parent) {
    if (child.field === 'increment' || child.field === 'update') return true;
    if (!statement && language.blocks.has(each.type)) statement = child;
    if (language.functions.has(each.type)) return false;
    if (isOpenLoop(each, scope) && statement && movesLoop(each, { node, statement, scope })) return true;
    child = each;
  }
  return false;
}

function isOpenLoop(node: SyntaxNode, { language }: Scope): boolean {
  if (language.openLoops.has(node.type)) return true;
  return (
    language.grammar === 'go' &&
    node.type === 'for_statement' &&
    !/_clause$/.test(node.children[1]?.type ?? '')
  );
}

interface Changed {
  node: SyntaxNode;
  /** The nearest one around the node. */
  statement: SyntaxNode;
  scope: Scope;
}

function movesLoop(loop: SyntaxNode, { node, statement, scope }: Changed): boolean {
  const { language, textOf } = scope;
  const condition = conditionOf(loop);
  if (condition && node.start >= condition.start && node.end <= condition.end) return false;
  const target = targetOf(textOf(statement));
  const isEndless = !condition || textOf(condition) === language.truth[0];
  if (isEndless) return target !== undefined || /\b(?:break|return)\b/.test(textOf(statement));
  const names = new Set(textOf(condition).match(NAMES));
  return (target?.match(NAMES) ?? []).some((name) => names.has(name));
}

/** The part of a statement that names what it changes; undefined for a statement that holds others. */
function targetOf(statement: string): string | undefined {
  if (/^(?:if|elif|else|for|while|try|with|switch|match|do|case|return)\b/.test(statement)) return undefined;
  return ASSIGNED.exec(statement)?.[1] ?? /^[^(]*/.exec(statement)?.[0];
}
