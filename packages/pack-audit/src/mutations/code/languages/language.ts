import type { SyntaxNode } from '../syntax/syntax-node.js';

/** An operator of mutations and the token that it puts in the place of another. */
type TokenSwap = readonly [operator: string, token: string];

/** The tokens and node types of a language that operators look for. Sets are empty where it has none. */
export interface Language {
  grammar: string;
  /** Never changed, with all that is below them: comments, imports, types. */
  untouched: ReadonlySet<string>;
  /** Nodes whose tokens `swaps` has. */
  operations: ReadonlySet<string>;
  swaps: Readonly<Record<string, readonly TokenSwap[]>>;
  numbers: ReadonlySet<string>;
  strings: ReadonlySet<string>;
  /** Node type of a literal and the token that replaces it. */
  booleans: Readonly<Record<string, string>>;
  /** Operand of a prefix operator, by node type; the operator is its first child. */
  prefixed: ReadonlySet<string>;
  negations: ReadonlySet<string>;
  /** Nodes with a condition, and the literals that replace it. */
  branches: ReadonlySet<string>;
  truth: readonly [always: string, never: string];
  /** Loops that end by their condition alone. */
  openLoops: ReadonlySet<string>;
  /** All loops in which a `continue` ends. */
  boundedLoops: ReadonlySet<string>;
  breaks: Readonly<Record<string, string>>;
  /** Sequences of statements. */
  blocks: ReadonlySet<string>;
  functions: ReadonlySet<string>;
  /** No statement after one of these is reached. */
  endings: ReadonlySet<string>;
  /** Statements that may be deleted, and the text in their place. */
  deletable: ReadonlySet<string>;
  nothing: string;
  returns: ReadonlySet<string>;
  /** The value in the place of that of a `return`; undefined where its type has none. */
  defaultOf: (returned: SyntaxNode, textOf: (node: SyntaxNode) => string) => string | undefined;
  throws: ReadonlySet<string>;
  calls: ReadonlySet<string>;
  /** Calls, by the text of the function, of which graders see nothing: logs and standard error. */
  quiet: RegExp;
  /** Values of parameters that callers may leave out. */
  defaults: ReadonlySet<string>;
  slices: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/** A language that has none of the optional parts. */
export const BARE = {
  ...{ untouched: NONE, operations: NONE, swaps: {}, numbers: NONE, strings: NONE, booleans: {} },
  ...{ prefixed: NONE, negations: NONE, branches: NONE, openLoops: NONE, boundedLoops: NONE, breaks: {} },
  ...{ blocks: NONE, functions: NONE, endings: NONE, deletable: NONE, returns: NONE },
  ...{ throws: NONE, calls: NONE, defaults: NONE, slices: NONE },
  defaultOf: () => undefined,
  quiet: /^(?!)/,
} satisfies Omit<Language, 'grammar' | 'truth' | 'nothing'>;

/** Of languages with the operators of C. */
export const C_SWAPS: Language['swaps'] = {
  '<': [
    ['comparison_boundary', '<='],
    ['comparison_negation', '>='],
  ],
  '<=': [
    ['comparison_boundary', '<'],
    ['comparison_negation', '>'],
  ],
  '>': [
    ['comparison_boundary', '>='],
    ['comparison_negation', '<='],
  ],
  '>=': [
    ['comparison_boundary', '>'],
    ['comparison_negation', '<'],
  ],
  '==': [['comparison_negation', '!=']],
  '!=': [['comparison_negation', '==']],
  '&&': [['boolean_connective', '||']],
  '||': [['boolean_connective', '&&']],
  '+': [['arithmetic', '-']],
  '-': [['arithmetic', '+']],
  '*': [['arithmetic', '/']],
  '/': [['arithmetic', '*']],
  '%': [['arithmetic', '*']],
  '&': [['arithmetic', '|']],
  '|': [['arithmetic', '&']],
  '^': [['arithmetic', '&']],
  '<<': [['arithmetic', '>>']],
  '>>': [['arithmetic', '<<']],
  '+=': [['arithmetic', '-=']],
  '-=': [['arithmetic', '+=']],
  '*=': [['arithmetic', '+=']],
  '/=': [['arithmetic', '*=']],
  '%=': [['arithmetic', '*=']],
  '&=': [['arithmetic', '|=']],
  '|=': [['arithmetic', '&=']],
  '++': [['arithmetic', '--']],
  '--': [['arithmetic', '++']],
};
