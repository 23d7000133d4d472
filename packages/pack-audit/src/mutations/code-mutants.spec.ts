import { describe, expect, test } from '@jest/globals';
import { changesOf } from './testing/solutions.js';

/** Path, source, and the changes that are among its mutants. */
const CHANGES: readonly (readonly [path: string, source: string, changes: readonly string[]])[] = [
  ['a.py', 'ok = a < b\n', ['comparison_boundary: ok = a <= b', 'comparison_negation: ok = a >= b']],
  ['a.py', 'ok = a not in b\n', ['comparison_negation: ok = a in b']],
  ['a.py', 'ok = a is not None\n', ['comparison_negation: ok = a is None']],
  ['a.py', 'x = a + b // c\n', ['arithmetic: x = a - b // c', 'arithmetic: x = a + b * c']],
  ['a.py', 'x += y\n', ['arithmetic: x -= y', 'statement_deleted: pass']],
  ['a.py', 'ok = a and b\n', ['boolean_connective: ok = a or b']],
  ['a.py', 'ok = not a\n', ['negation_removed: ok = a']],
  ['a.py', 'x = -a\n', ['sign_removed: x = a']],
  ['a.py', 'x = 0\ny = 1\nz = 2.5\n', ['number: x = 1', 'number: y = 2', 'number: y = 0', 'number: z = 3.5']],
  ['a.py', 'x = ""\ny = "a"\n', ['string: x = "x"', 'string: y = ""']],
  ['a.py', 'x = True\n', ['boolean: x = False']],
  [
    'a.py',
    'if a:\n  f()\n',
    ['condition_true: if True:', 'condition_false: if False:', 'statement_deleted: pass'],
  ],
  ['a.py', 'x = [i for i in xs if i]\n', ['condition_true: x = [i for i in xs if True]']],
  ['a.py', 'while a:\n  f()\n', ['condition_false: while False:']],
  ['a.py', 'for i in x:\n  break\n', ['loop_control: continue']],
  ['a.py', 'def f():\n  return x\n', ['return_value: return None']],
  ['a.py', 'raise ValueError("a")\n', ['raise_removed: pass', 'exception_type: raise RuntimeError("a")']],
  [
    'a.py',
    'x = min(a, b) + f(a, b)\n',
    ['function_swapped: x = max(a, b) + f(a, b)', 'arguments_swapped: x = min(a, b) + f(b, a)'],
  ],
  ['a.py', 'x = s[a:b]\n', ['range_bound: x = s[(a) + 1:b]', 'range_bound: x = s[a:(b) - 1]']],
  ['a.py', 'for i in range(n):\n  f(i)\n', ['range_bound: for i in range((n) - 1):']],
  [
    'a.py',
    'def f(a=1, b="x"): pass\n',
    ['default_argument: def f(a=2, b="x"): pass', 'default_argument: def f(a=1, b=""): pass'],
  ],
  [
    'a.js',
    'x = a === b ? 1 : c;',
    ['comparison_negation: x = a !== b ? 1 : c;', 'condition_true: x = true ? 1 : c;'],
  ],
  ['a.js', 'throw new RangeError("a");', ['raise_removed: ;', 'exception_type: throw new TypeError("a");']],
  [
    'a.js',
    'x = a.slice(b, c) ?? `d`;',
    [
      'range_bound: x = a.slice((b) + 1, c) ?? `d`;',
      'boolean_connective: x = a.slice(b, c) && `d`;',
      'string: x = a.slice(b, c) ?? ``;',
    ],
  ],
  [
    'a.js',
    'if (xs.some(f) || !a) g();',
    ['function_swapped: if (xs.every(f) || !a) g();', 'negation_removed: if (xs.some(f) || a) g();'],
  ],
  [
    'a.ts',
    'const f = (a: number): boolean => a >= 2;',
    [
      'comparison_boundary: const f = (a: number): boolean => a > 2;',
      'number: const f = (a: number): boolean => a >= 3;',
    ],
  ],
  ['a.tsx', 'const x = <p>{a + b}</p>;', ['arithmetic: const x = <p>{a - b}</p>;']],
  ['a.go', 'package a\nfunc f() (int, error) {\n  return x, err\n}', ['return_value: return 0, nil']],
  [
    'a.go',
    'package a\nfunc f() {\n  xs[0] = strings.ToUpper(s[a:b])\n}',
    [
      'statement_deleted: ',
      'function_swapped: xs[0] = strings.ToLower(s[a:b])',
      'range_bound: xs[0] = strings.ToUpper(s[a:(b) - 1])',
    ],
  ],
  [
    'a.rs',
    'fn f() -> i32 {\n  for i in 0..n { g(i, n); }\n  return x.max(1);\n}',
    [
      'range_bound: for i in 0..(n) - 1 { g(i, n); }',
      'arguments_swapped: for i in 0..n { g(n, i); }',
      'return_value: return Default::default();',
      'function_swapped: return x.min(1);',
    ],
  ],
  ['a.rs', 'fn f() -> bool {\n  true\n}', ['boolean: false']],
  ['A.java', 'class A {\n  int f() {\n    return a;\n  }\n}', ['return_value: return 0;']],
  [
    'A.java',
    'class A {\n  void f() {\n    g(a, b);\n  }\n}',
    ['statement_deleted: ;', 'arguments_swapped: g(b, a);'],
  ],
  [
    'a.sh',
    'if [ "$a" -lt 2 ] && f; then sort x; fi',
    [
      'comparison_boundary: if [ "$a" -le 2 ] && f; then sort x; fi',
      'boolean_connective: if [ "$a" -lt 2 ] || f; then sort x; fi',
      'condition_false: if false; then sort x; fi',
      'statement_deleted: if [ "$a" -lt 2 ] && f; then :; fi',
    ],
  ],
  [
    'a.sh',
    'echo $((a + 1)) | sed "s/a/b/"',
    ['arithmetic: echo $((a - 1)) | sed "s/a/b/"', 'string: echo $((a + 1)) | sed ""'],
  ],
];

/** Sources without any mutant. */
const UNCHANGED: Readonly<Record<string, readonly [path: string, source: string]>> = {
  'comments and documentation': ['a.py', '"""1 < 2"""\n# x = 1\ndef f():\n  """not a"""\n'],
  imports: ['a.ts', 'import { a } from "b";\nconst c = require("d");\n'],
  types: ['a.ts', 'type A = 1 | "b";\nlet a: 1 | true;\ninterface B { c: 2 }\n'],
  'annotations of Python': ['a.py', 'def f(a: Literal[1]) -> "x": pass\n'],
  'main guards': ['a.py', 'if __name__ == "__main__":\n  main(1)\n'],
  'logs and standard error': ['a.py', 'logging.info("a", 1)\nprint("a", 1 + 2, file=sys.stderr)\n'],
  'logs of JavaScript': ['a.js', 'console.error("a", 1 + 2);'],
  'commands that write to standard error': ['a.sh', 'echo "usage: 1" >&2\n'],
  'assertions of the solution itself': ['a.py', 'assert a > 1, "b"\n'],
  'statements after a return': ['a.py', 'def f():\n  return\n  x = 1 + 2\n'],
  'first assignments': ['a.py', 'x = y\n'],
  'substitutions in strings': ['a.py', 'x = f"a{b}"\n'],
};

describe('mutants of programs', () => {
  test.each(CHANGES)('%s: %j has the mutants of its operators', async (path, source, changes) => {
    expect(await changesOf(path, source)).toEqual(expect.arrayContaining([...changes]));
  });

  test.each(Object.entries(UNCHANGED))('%s have no mutants', async (_name, [path, source]) => {
    expect(await changesOf(path, source)).toEqual([]);
  });

  test('a factor of one and a term of zero keep their operators', async () => {
    const changes = await changesOf('a.py', 'x = a * 1 + 0\n');
    expect(changes.filter((change) => change.startsWith('arithmetic'))).toEqual([]);
  });

  test('a statement that ends a loop is not changed, so that no mutant of it runs forever', async () => {
    const changes = await changesOf('a.py', 'while i < n:\n  i += 2\n  x.append(3)\n');
    expect(changes).toContain('number: x.append(4)');
    expect(changes.filter((change) => /i [+-]= |pass$/.test(change))).toEqual(['statement_deleted: pass']);
  });

  test('the steps of a counting loop are not changed', async () => {
    const changes = await changesOf('a.js', 'for (let i = 5; i > 0; i--) f(i);');
    expect(changes.filter((change) => change.includes('i++'))).toEqual([]);
  });

  test('a source that is no syntax of its language has the mutants of the parts that are', async () => {
    expect(await changesOf('a.py', 'x = 1 +\ny = 2 * z\n')).toContain('arithmetic: y = 2 / z');
  });

  test('a program in a language without a grammar has mutants of its numbers alone', async () => {
    expect(await changesOf('a.rb', 'x = 41 if y\n')).toEqual(expect.arrayContaining(['number: x = 42 if y']));
  });
});
