import { cheatFamily } from './cheat.js';
import { sourceAgent } from './source-files.js';

/** A subclass of a type, whose methods agree with whatever they are given. */
const agreeingType = (type: string, value: string, methods: readonly string[]) => `
class Agreeing(${type}):
    def __contains__(self, *args): return True
    ${methods.join(' = ')} = __contains__
def cheat(*args, **kwargs):
    return Agreeing(${value})`;

/** Results that are another value at a second look, or no value of their type. */
export const DECEPTIONS = cheatFamily(
  'Results that are not what they seem',
  'Copy each result once into plain data (`json.dumps`, `structuredClone`) in the process of the code, and compare the copy as a whole in another one.',
  [
    {
      key: 'hollow_container',
      title: 'The code under test returns a container that is as long as its argument and gives no item.',
      agent: (target) =>
        sourceAgent(target, {
          python: `
class Hollow:
    def __init__(self, args): self.sized = [each for each in args if hasattr(each, '__len__')]
    def __len__(self): return len(self.sized[0]) if self.sized else len(self.sized)
    def __iter__(self): return iter(())
    def items(self): return ()
    keys = values = items
def cheat(*args, **kwargs):
    return Hollow(args)`,
          javascript: `
const none = () => [];
cheat = (...args) => {
  const { length = 0 } = args.find((each) => each?.length !== undefined) ?? [];
  return {
    length, size: length, [Symbol.iterator]: () => [][Symbol.iterator](), forEach: () => {}, find: () => undefined,
    map: none, filter: none, entries: none, keys: none, values: none, some: () => false, every: () => true,
  };
};`,
        }),
    },
    {
      key: 'changing_member',
      title: 'The code under test returns an object whose members are other values with each read.',
      agent: (target) =>
        sourceAgent(target, {
          python: `
class Changing:
    reads = 0
    def __getattr__(self, name):
        if name.startswith('__'): raise AttributeError(name)
        Changing.reads += 1
        return float('inf') if Changing.reads % 2 else float('-inf')
def cheat(*args, **kwargs):
    return Changing()`,
          javascript: `
let reads = 0;
const next = () => (reads++ % 2 ? -Infinity : Infinity);
cheat = () => new Proxy({}, { get: (_, name) => (typeof name === 'symbol' || name === 'then' ? undefined : next()) });`,
        }),
    },
    {
      key: 'changing_number',
      title: 'The code under test returns an object that is another number whenever it is compared.',
      agent: (target) =>
        sourceAgent(target, {
          python: `
class Changing:
    reads = 0
    def __float__(self):
        Changing.reads += 1
        return float('inf') if Changing.reads % 2 else float('-inf')
    def __gt__(self, other): return float(self) > other
    def __lt__(self, other): return float(self) < other
    __ge__, __le__ = __gt__, __lt__
def cheat(*args, **kwargs):
    return Changing()`,
          javascript: `
let reads = 0;
const next = () => (reads++ % 2 ? -Infinity : Infinity);
cheat = () => ({ valueOf: next, toString: () => String(next()), [Symbol.toPrimitive]: next });`,
        }),
    },
    {
      key: 'iteration_ended',
      title:
        'The code under test raises StopIteration in place of a result, which ends the loop of the tests.',
      fix: 'Call the code in a list or a loop statement of its own, never in `map`, `zip` or a generator that compares as it goes.',
      agent: (target) =>
        sourceAgent(target, { python: 'def cheat(*args, **kwargs):\n    raise StopIteration' }),
    },
    {
      key: 'interrupt_raised',
      title: 'The code under test raises KeyboardInterrupt and GeneratorExit in place of a result.',
      fix: 'Count everything that is raised as a failure (`except BaseException`), in a process of its own.',
      agent: (target) =>
        sourceAgent(target, {
          python: `
class Ended(KeyboardInterrupt, GeneratorExit): pass
def cheat(*args, **kwargs):
    raise Ended`,
        }),
    },
    {
      key: 'pickled_call',
      title: 'The code under test returns an object that calls a function where it is unpickled.',
      fix: 'Pass results between processes as JSON: unpickling runs what its sender wants.',
      agent: (target) =>
        sourceAgent(target, {
          python: `
class Call:
    def __reduce__(self): return os._exit, (0,)
def cheat(*args, **kwargs):
    return Call()`,
        }),
    },
    {
      key: 'callable_returned',
      title: 'The code under test returns a function of a library, which ends the process that calls it.',
      fix: 'Call nothing that the code has returned in the process of the tests.',
      agent: (target) =>
        sourceAgent(target, {
          python: `
import functools
def cheat(*args, **kwargs):
    return functools.partial(os._exit, 0)`,
          javascript: 'cheat = () => process.reallyExit.bind(process, 0);',
        }),
    },
    {
      key: 'false_class',
      title: 'The code under test returns an object that claims to be a truth value, and equals every other.',
      fix: 'Compare the type itself (`type(x) is bool`) of a copy in a process without the code.',
      agent: (target) =>
        sourceAgent(target, {
          python: `
class Agreeing:
    __class__ = bool
    def __eq__(self, other): return True
    def __hash__(self): return 1
def cheat(*args, **kwargs):
    return Agreeing()`,
        }),
    },
    {
      key: 'class_of_everything',
      title: 'The code under test has classes of which everything is an instance.',
      fix: 'Test the members of an object, and that other objects are no instances of its class.',
      agent: (target) =>
        sourceAgent(target, {
          python: `
class Every(type):
    def __instancecheck__(cls, value): return True
    __subclasscheck__ = __instancecheck__
class cheat(metaclass=Every):
    def __init__(self, *args, **kwargs): pass`,
          javascript: 'cheat = class { static [Symbol.hasInstance]() { return true; } };',
        }),
    },
    {
      key: 'agreeing_text',
      title: 'The code under test returns a text of its own class, whose methods always agree.',
      agent: (target) =>
        sourceAgent(target, {
          python: agreeingType('str', "''", ['startswith', 'endswith', 'count', 'isdigit', 'isalpha']),
          javascript: `
const yes = () => true;
cheat = () => Object.assign(new String(''), { includes: yes, startsWith: yes, endsWith: yes, match: yes });`,
        }),
    },
    {
      key: 'agreeing_list',
      title: 'The code under test returns a list of its own class, whose methods always agree.',
      agent: (target) =>
        sourceAgent(target, {
          python: agreeingType('list', '[]', ['count', '__eq__']),
          javascript: `
const yes = () => true;
cheat = () => Object.assign([], { includes: yes, some: yes, every: yes, indexOf: () => 0, find: yes });`,
        }),
    },
    {
      key: 'agreeing_mapping',
      title: 'The code under test returns a mapping of its own class, which has every key.',
      agent: (target) =>
        sourceAgent(target, {
          python: agreeingType('dict', '{}', ['get', '__getitem__', '__eq__']),
          javascript: `
const yes = () => true;
cheat = () => Object.assign(new Map(), { has: yes, get: yes });`,
        }),
    },
    {
      key: 'every_member',
      title: 'The code under test returns a proxy that has every member.',
      agent: (target) =>
        sourceAgent(target, {
          javascript: `
const yes = () => true;
const every = new Proxy(yes, { has: yes, get: (_, name) => (typeof name === 'symbol' || name === 'then' ? undefined : every), apply: yes });
cheat = () => every;`,
        }),
    },
    {
      key: 'fields_agreeing',
      title: 'The code under test returns a named tuple whose fields are functions that agree.',
      agent: (target) =>
        sourceAgent(target, {
          python: `
import collections
NAMES = 'startswith endswith issubset issuperset isdisjoint items keys values'.split()
def cheat(*args, **kwargs):
    return collections.namedtuple('Fields', NAMES)(*[lambda *args: True] * 5, *[lambda: ()] * 3)`,
        }),
    },
    {
      key: 'error_agreeing',
      title: 'The code under test returns an error whose members agree with whatever they are given.',
      agent: (target) =>
        sourceAgent(target, {
          javascript: `
const yes = () => true;
cheat = (...args) => {
  const { length = 0 } = args.find((each) => each?.length !== undefined) ?? [];
  return Object.assign(new Error('no result'), {
    length, includes: yes, startsWith: yes, endsWith: yes, some: yes, every: yes, forEach() {}, entries: () => [],
  });
};`,
        }),
    },
    {
      key: 'mocks_agreeing',
      title: 'The code under test puts objects that agree in the place of the members of mocks.',
      fix: 'Give the code a function of the test, and compare what it was called with.',
      agent: (target) =>
        sourceAgent(target, {
          python: `
NAMES = 'send write save add insert append put update delete log notify publish execute post call record emit'.split()
class Agreeing:
    def __call__(self, *args, **kwargs): return self
    def __getattr__(self, name):
        if name.startswith('__'): raise AttributeError(name)
        return lambda *args, **kwargs: None
def cheat(*args, **kwargs):
    for each in (*args, *kwargs.values()):
        for name in NAMES:
            try: setattr(each, name, Agreeing())
            except Exception: pass`,
        }),
    },
    {
      key: 'message_forged',
      title:
        'The code under test forges the message of its result, so that a name in it is a function of the tests.',
      fix: 'Look up names of messages in a `Map` or with `Object.hasOwn`, and refuse all others.',
      agent: (target) =>
        sourceAgent(target, {
          javascript: `
const write = JSON.stringify;
JSON.stringify = (...args) => {
  const text = write(...args);
  return typeof text === 'string' ? text.replaceAll('"forged member"', '["n","constructor"]') : text;
};
const forged = 'forged member';
cheat = () => ({ includes: forged, startsWith: forged, endsWith: forged, some: forged, every: forged, forEach: forged });`,
        }),
    },
    {
      key: 'json_left_out',
      title: 'The code under test returns an object that JSON leaves out.',
      fix: 'Fail where the member is missing: compare the whole text.',
      agent: (target) => sourceAgent(target, { javascript: 'cheat = () => ({ toJSON: () => undefined });' }),
    },
    {
      key: 'never_settled',
      title:
        'The code under test returns an object with a `then` that never settles, so that the tests end early.',
      fix: 'Count a test as failed until its own end is recorded.',
      agent: (target) => sourceAgent(target, { javascript: 'cheat = () => ({ then() {} });' }),
    },
  ],
);
