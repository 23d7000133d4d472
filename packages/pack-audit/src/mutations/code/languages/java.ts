import { ancestorOf, childOf, type SyntaxNode } from '../syntax/syntax-node.js';
import { BARE, C_SWAPS, type Language } from './language.js';

const METHODS = new Set(['method_declaration']);

export const JAVA: Language = {
  ...BARE,
  grammar: 'java',
  untouched: new Set([
    'line_comment',
    'block_comment',
    'import_declaration',
    'package_declaration',
    'annotation',
    'marker_annotation',
    'assert_statement',
    'type_arguments',
  ]),
  operations: new Set(['binary_expression', 'assignment_expression', 'update_expression']),
  swaps: C_SWAPS,
  numbers: new Set(['decimal_integer_literal', 'decimal_floating_point_literal']),
  strings: new Set(['string_literal']),
  booleans: { true: 'false', false: 'true' },
  prefixed: new Set(['unary_expression']),
  negations: new Set(['!', '-', '~']),
  branches: new Set(['if_statement', 'ternary_expression']),
  truth: ['true', 'false'],
  openLoops: new Set(['while_statement', 'do_statement']),
  boundedLoops: new Set(['for_statement', 'enhanced_for_statement']),
  breaks: { break_statement: 'continue', continue_statement: 'break' },
  blocks: new Set(['block', 'switch_block_statement_group']),
  functions: new Set(['method_declaration', 'constructor_declaration', 'lambda_expression']),
  endings: new Set(['return_statement', 'throw_statement', 'break_statement', 'continue_statement']),
  deletable: new Set(['expression_statement']),
  nothing: ';',
  returns: new Set(['return_statement']),
  defaultOf,
  throws: new Set(['throw_statement']),
  calls: new Set(['method_invocation', 'object_creation_expression']),
  quiet: /^(?:System\.err|log(?:ger)?|LOG(?:GER)?)\.\w+$/,
};

function defaultOf(returned: SyntaxNode, textOf: (node: SyntaxNode) => string): string | undefined {
  const type = childOf(ancestorOf(returned, METHODS), 'type');
  if (!type) return undefined;
  if (/^(?:integral_type|floating_point_type)$/.test(type.type)) return '0';
  return textOf(type) === 'boolean' ? 'false' : 'null';
}
