import { ancestorOf, childOf, namedChildren, type SyntaxNode } from '../syntax/syntax-node.js';
import { BARE, C_SWAPS, type Language } from './language.js';

const FUNCTIONS = new Set(['function_declaration', 'method_declaration', 'func_literal']);

export const GO: Language = {
  ...BARE,
  grammar: 'go',
  untouched: new Set([
    'comment',
    'package_clause',
    'import_declaration',
    'type_declaration',
    'parameter_list',
    'array_type',
    'slice_type',
    'map_type',
    'type_arguments',
  ]),
  operations: new Set(['binary_expression', 'assignment_statement', 'inc_statement', 'dec_statement']),
  swaps: C_SWAPS,
  numbers: new Set(['int_literal', 'float_literal']),
  strings: new Set(['interpreted_string_literal', 'raw_string_literal']),
  booleans: { true: 'false', false: 'true' },
  prefixed: new Set(['unary_expression']),
  negations: new Set(['!', '-', '^']),
  branches: new Set(['if_statement']),
  truth: ['true', 'false'],
  boundedLoops: new Set(['for_statement']),
  breaks: { break_statement: 'continue', continue_statement: 'break' },
  blocks: new Set(['statement_list']),
  functions: FUNCTIONS,
  endings: new Set(['return_statement', 'break_statement', 'continue_statement', 'goto_statement']),
  deletable: new Set(['expression_statement', 'assignment_statement', 'inc_statement', 'dec_statement']),
  nothing: '',
  returns: new Set(['return_statement']),
  defaultOf,
  calls: new Set(['call_expression']),
  quiet: /^(?:log|slog|logger|t|b)\.\w+$|^fmt\.Fprint(?:f|ln)?$|^(?:fmt\.Errorf|errors\.New|panic)$/,
  slices: new Set(['slice_expression']),
};

const ZERO = /^(?:u?int(?:8|16|32|64)?|byte|rune|float(?:32|64))$/;

/** The zero values of all results, as the declaration of the function has them. */
function defaultOf(returned: SyntaxNode, textOf: (node: SyntaxNode) => string): string | undefined {
  const result = childOf(ancestorOf(returned, FUNCTIONS), 'result');
  if (!result) return undefined;
  const list = result.type === 'parameter_list' ? namedChildren(result) : [result];
  const zeros = list.map((each) => zeroOf(textOf(childOf(each, 'type') ?? each)));
  return zeros.includes(undefined) ? undefined : zeros.join(', ');
}

function zeroOf(type: string): string | undefined {
  if (ZERO.test(type)) return '0';
  if (type === 'string') return '""';
  if (type === 'bool') return 'false';
  return /^(?:error|any)$|^(?:\[\]|\*|map\[|func\b|chan\b|interface\b)/.test(type) ? 'nil' : undefined;
}
