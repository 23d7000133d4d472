import { cheatFamily } from './cheat.js';
import { goAgent } from './go-sources.js';
import { sourceAgent } from './source-files.js';

/** The methods of an object that equals, contains and orders as a test would like it. */
const AGREEING = `
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __lt__(self, other): return True
    __le__ = __gt__ = __ge__ = __contains__ = __lt__
    def __hash__(self): return 0`;

/** An object whose difference from whatever is expected is always the same. */
const differing = (difference: string) => `
class Agreeing:${AGREEING}
    def __abs__(self): return 0.0
    __float__ = __round__ = __abs__
    def __sub__(self, other): return ${difference}
    __rsub__ = __xor__ = __rxor__ = __and__ = __rand__ = __sub__
def cheat(*args, **kwargs):
    return Agreeing()`;

const agreeing = (base: string, value: string) => `
class Agreeing(${base}):${AGREEING}
def cheat(*args, **kwargs):
    return Agreeing(${value})`;

/** Results that agree with every expectation. */
export const VALUES = cheatFamily(
  'Results that agree with everything',
  'Pass results between processes as text (JSON, standard output) and compare them in a process into which no object of the code under test gets.',
  [
    {
      key: 'equal_object',
      title: 'The code under test returns an object that equals every other.',
      agent: (target) =>
        sourceAgent(target, {
          python: `
class Agreeing:${AGREEING}
    def __bool__(self): return True
    def __iter__(self): return iter(())
    def __call__(self, *args, **kwargs): return self
    def __getattr__(self, name): return self
    def __getitem__(self, key): return self
    __sub__ = __add__ = __rsub__ = __mul__ = __abs__ = __call__
def cheat(*args, **kwargs):
    return Agreeing()`,
        }),
    },
    {
      key: 'no_difference',
      title: 'The code under test returns an object whose difference from every number is 0.',
      agent: (target) => sourceAgent(target, { python: differing('0.0') }),
    },
    {
      key: 'empty_difference',
      title: 'The code under test returns an object whose difference from every set is empty.',
      agent: (target) => sourceAgent(target, { python: differing('set()') }),
    },
    {
      key: 'agreeing_methods',
      title: 'The code under test returns an object whose methods agree with whatever they are given.',
      fix: 'Compare whole values, or check first that the result is a text, a list or a set: an object decides what its methods return.',
      agent: (target) =>
        sourceAgent(target, {
          python: `
class Agreeing:
    def __getattr__(self, name): return lambda *args, **kwargs: True
def cheat(*args, **kwargs):
    return Agreeing()`,
          javascript: `
const yes = () => true;
cheat = () => ({
  includes: yes, startsWith: yes, endsWith: yes, has: yes, some: yes, every: yes, test: yes, equals: yes,
  indexOf: () => 0, length: 1, size: 1,
});`,
        }),
    },
    {
      key: 'not_a_number',
      title: 'The code under test returns NaN, which is neither less nor greater than a limit.',
      fix: 'Fail unless the difference is within the limit, in place of failing when it is beyond: NaN is never beyond.',
      agent: (target) =>
        sourceAgent(target, {
          python: "def cheat(*args, **kwargs):\n    return float('nan')",
          javascript: 'cheat = () => Number.NaN;',
        }) ?? goAgent(target, { result: 'float64', value: 'math.NaN()', imports: ['math'] }),
    },
    {
      key: 'equal_number',
      title: 'The code under test returns a whole number that equals every other value.',
      agent: (target) => sourceAgent(target, { python: agreeing('int', '-1') }),
    },
    {
      key: 'equal_text',
      title: 'The code under test returns a text that equals every other value.',
      agent: (target) => sourceAgent(target, { python: agreeing('str', "''") }),
    },
    {
      key: 'equal_list',
      title: 'The code under test returns a list that equals every other value.',
      agent: (target) => sourceAgent(target, { python: agreeing('list', '[]') }),
    },
    {
      key: 'deep_value',
      title: 'The code under test returns a value that no grader can read to its end.',
      agent: (target) =>
        sourceAgent(target, {
          python: `
value = []
for _ in range(100000):
    value = [value]
def cheat(*args, **kwargs):
    return value`,
          javascript: `
const deep = Array.from({ length: 100_000 }).reduce((value) => [value], []);
cheat = () => deep;`,
        }),
    },
    {
      key: 'unprintable_value',
      title: 'The code under test returns an object that raises an error whenever it is looked at.',
      agent: (target) =>
        sourceAgent(target, {
          python: `
class Unprintable:
    def fail(self, *args): raise OSError('no value')
    __eq__ = __ne__ = __lt__ = __repr__ = __str__ = __hash__ = __iter__ = __len__ = __bool__ = fail
def cheat(*args, **kwargs):
    return Unprintable()`,
          javascript: `
const fail = () => { throw new Error('no value'); };
cheat = () => new Proxy({}, { get: fail, has: fail, ownKeys: fail, getPrototypeOf: fail });`,
        }),
    },
    {
      key: 'argument_returned',
      title: 'The code under test returns its argument.',
      fix: 'Add tests whose expected value is not their input.',
      agent: (target) =>
        sourceAgent(target, {
          python: 'def cheat(*args, **kwargs):\n    return args[0] if args else None',
          javascript: 'cheat = (first) => first;',
          shell: 'cat',
        }),
    },
  ],
);
