import { BARE, C_SWAPS, type Language } from './language.js';

export const BASH: Language = {
  ...BARE,
  grammar: 'bash',
  // Here documents are texts of their own.
  untouched: new Set(['comment', 'heredoc_body', 'heredoc_redirect', 'file_redirect', 'regex']),
  operations: new Set(['binary_expression', 'list', 'unary_expression', 'test_operator']),
  swaps: {
    ...C_SWAPS,
    '=': [['comparison_negation', '!=']],
    '-lt': [
      ['comparison_boundary', '-le'],
      ['comparison_negation', '-ge'],
    ],
    '-le': [
      ['comparison_boundary', '-lt'],
      ['comparison_negation', '-gt'],
    ],
    '-gt': [
      ['comparison_boundary', '-ge'],
      ['comparison_negation', '-le'],
    ],
    '-ge': [
      ['comparison_boundary', '-gt'],
      ['comparison_negation', '-lt'],
    ],
    '-eq': [['comparison_negation', '-ne']],
    '-ne': [['comparison_negation', '-eq']],
    '-z': [['comparison_negation', '-n']],
    '-n': [['comparison_negation', '-z']],
  },
  numbers: new Set(['number']),
  strings: new Set(['string', 'raw_string']),
  branches: new Set(['if_statement', 'elif_clause', 'while_statement']),
  truth: ['true', 'false'],
  openLoops: new Set(['while_statement']),
  boundedLoops: new Set(['for_statement']),
  blocks: new Set([
    'program',
    'compound_statement',
    'do_group',
    'if_statement',
    'elif_clause',
    'else_clause',
  ]),
  functions: new Set(['function_definition']),
  deletable: new Set(['command', 'redirected_statement', 'pipeline', 'list']),
  nothing: ':',
  calls: new Set(['command']),
  quiet: /^(?:set|shopt|trap|cd|mkdir|export|source|\.|sleep|chmod|logger|true|:)$/,
};
