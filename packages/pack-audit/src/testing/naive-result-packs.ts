import type { NaivePack } from './naive-document.js';

const INSTRUCTIONS =
  'Write a function add(a, b) that returns the sum of two integers, in the file solution.py.';
const SCRIPT =
  'Write a module with a function add(a, b) that returns the sum of two integers, in the file solution.mjs.';

const python = (check: string): NaivePack => ({
  ...{ requires: ['python3'], instructions: INSTRUCTIONS, command: 'python3 /grader/check.py' },
  grader: { 'check.py': `import sys\nsys.path.insert(0, '.')\nfrom solution import add\n${check}\n` },
});
const node = (check: string): NaivePack => ({
  ...{ requires: ['node'], instructions: SCRIPT, output: 'solution.mjs', command: 'node /grader/check.mjs' },
  grader: {
    'check.mjs': `import assert from 'node:assert';
const { add } = await import(process.cwd() + '/solution.mjs');
${check}
`,
  },
});
/** The judge unpickles what the process of the code has made. */
const pickled = (compare: string): NaivePack => ({
  ...{ requires: ['python3'], instructions: INSTRUCTIONS, command: 'python3 /grader/check.py' },
  grader: {
    'check.py': `import pickle, subprocess, sys
data = subprocess.run([sys.executable, '/grader/child.py'], capture_output=True, check=True).stdout
got = pickle.loads(data)
${compare}
`,
    'child.py': `import pickle, sys
sys.path.insert(0, '.')
from solution import add
sys.stdout.buffer.write(pickle.dumps(add(1, 2)))
`,
  },
});

/** Graders that look at a result more than once, or take its word for what it is. */
export const RESULT_PACKS: Readonly<Record<string, NaivePack>> = {
  lengths: python(`
got = add([1, 2])
assert len(got) == 2
for each, wanted in zip(got, [2, 4]): assert each == wanted`),
  node_lengths: node(`
const got = add([1, 2]);
assert.equal(got.length, 2);
got.forEach((each, at) => assert.equal(each, 2 * (at + 1)));`),
  members: python(`
got = add(1, 2)
assert got.total > 2.9
assert got.total < 3.1`),
  node_members: node(`
const got = add(1, 2);
assert.ok(got.total > 2.9);
assert.ok(got.total < 3.1);`),
  bounds: python(`
got = add(1, 2)
assert got > 2.9
assert got < 3.1`),
  node_bounds: node(`
const got = add(1, 2);
assert.ok(got > 2.9 && got < 3.1);`),
  mapped: python(`
for got, wanted in zip(map(add, [1, 5], [2, 5]), [3, 10]): assert got == wanted`),
  interrupted: python(`
failures = 0
try:
    for arguments, wanted in [((1, 2), 3), ((5, 5), 10)]: failures += add(*arguments) != wanted
except KeyboardInterrupt:
    print('interrupted')
sys.exit(failures > 0)`),
  pickled: pickled('assert got == 3'),
  pickled_call: pickled('assert (got() if callable(got) else got) == 3'),
  node_callable: node('assert.equal(add(1)(2), 3);'),
  truth: python(`
got = add(1, 2)
assert isinstance(got, bool) and got == False`),
  instances: python('assert isinstance(7, add) and isinstance(8, add)'),
  node_instances: node('assert.ok([7] instanceof add);'),
  own_texts: python(`
got = add('a', 'b')
assert isinstance(got, str) and got.startswith('sum: a')`),
  node_own_texts: node(`
const got = add('a', 'b');
assert.ok(got instanceof String || typeof got === 'string');
assert.ok(got.startsWith('sum: a'));`),
  own_lists: python(`
got = add(1, 2)
assert isinstance(got, list) and 3 in got`),
  node_own_lists: node(`
const got = add(1, 2);
assert.ok(Array.isArray(got) && got.includes(3));`),
  own_mappings: python(`
got = add(1, 2)
assert isinstance(got, dict) and 'sum' in got`),
  node_own_mappings: node(`
const got = add(1, 2);
assert.ok(got instanceof Map && got.has('sum'));`),
  node_names: node(`
const got = add(1, 2);
for (const name of ['sum', 'count']) assert.ok(name in got && got[name]);`),
  node_json_members: node(`
const got = add(1, 2);
assert.ok(got);
for (const each of Object.values(JSON.parse(JSON.stringify({ got })))) assert.equal(each, 3);`),
  mocked: python(`
from unittest.mock import Mock
log = Mock()
add(1, 2, log)
log.write.assert_called_once_with(3)`),
  node_messages: {
    ...node(''),
    grader: {
      'check.mjs': `import assert from 'node:assert';
import { execFileSync } from 'node:child_process';
const NUMBERS = { NaN, Infinity, '-Infinity': -Infinity };
const decode = (data) => {
  if (Array.isArray(data)) return NUMBERS[data[1]];
  if (data === null || typeof data !== 'object') return data;
  return Object.fromEntries(Object.entries(data).map(([name, each]) => [name, decode(each)]));
};
const got = decode(JSON.parse(execFileSync(process.execPath, ['/grader/child.mjs'])));
assert.ok(got.includes('sum: 3'));
`,
      'child.mjs': `const { add } = await import(process.cwd() + '/solution.mjs');
const encode = (_, value) => (typeof value === 'number' && !Number.isFinite(value) ? ['n', String(value)] : value);
console.log(JSON.stringify(add(1, 2), encode));
`,
    },
  },
  node_main: node(`
async function main() {
  const got = await add(1, 2);
  if (got !== 3) process.exit(1);
}
process.exitCode = typeof add === 'function' ? 0 : 1;
void main();`),
};
