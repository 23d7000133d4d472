/** Loaded into the process of the tests before them: represents the module under test there. */
import { afterEach } from 'node:test';
import { fromParent, toParent } from './channel.mjs';
import { close } from './files.mjs';
import { ITERATING, ReadItems } from './items.mjs';
import { libraryFunctions } from './library.mjs';
import { decode, decodeError, encode, encodeError, readFrame, sendFrame } from './wire.mjs';

const targets = new WeakMap();
const instances = new WeakMap();
const known = new Map();
const ofLibraries = libraryFunctions();
const functions = [];
const functionIds = new Map();
let promises = 0;
let number = 0;
let depth = 0;
let ended;

sendFrame(toParent, 'H', '');
const { isCollecting, members = [] } = JSON.parse(readFrame(fromParent).text);

// By default, this signal opens a debugger to every process.
process.on('SIGUSR1', () => {});

class CodeEnded extends Error {}

/** All that was not at its end by then has failed, whatever the test makes of the error. */
afterEach(() => {
  if (ended) throw ended;
});

function end(reason) {
  ended ??= new CodeEnded(`agentclash-grade: ${reason}`);
  throw ended;
}

const reads = new Map();
const items = new ReadItems();
const READS_MAX = 100;
const afterThis = setImmediate;

/** Those whose value is the number of items. */
const LENGTHS = ['length', 'size'];

/**
 * A member of an object of the code: until the code is called, or time passes, the same one. Else a number that is less than
 * ten at its first read and more than five at its second one would pass tests. A loop that waits sees a change at last.
 */
function read(target, name) {
  const key = JSON.stringify([target, name]);
  let found = reads.get(key);
  if (found === undefined || found.count >= READS_MAX) {
    if (reads.size === 0) afterThis(forget);
    found = { value: request({ op: 'get', target, name }).value, count: 0 };
    reads.set(key, found);
  }
  found.count += 1;
  if (LENGTHS.includes(name) && Number.isInteger(found.value)) {
    items.learn(target, found.value);
  }
  return found.value;
}

function forget() {
  reads.clear();
  items.forget();
}

function request({ isIterating = false, ...message }) {
  if (message.op !== 'get') reads.clear();
  if (message.op !== 'get' && !isIterating) items.forget();
  if (isCollecting) throw new CodeEnded('agentclash-grade: there is no code while tests are listed');
  if (ended) throw ended;
  close();
  number += 1;
  const own = number;
  transmit({ ...message, number: own });
  for (;;) {
    const { kind, text } = readFrame(fromParent);
    if (kind !== 'C') end(text);
    const reply = guarded(() => JSON.parse(text));
    if (reply !== null && typeof reply === 'object' && 'callback' in reply) {
      // The code has run up to here, and continues after it.
      reads.clear();
      callBack(reply);
      reads.clear();
      continue;
    }
    if (reply?.number !== own) end('the code under test did not keep to the protocol');
    if (reply.pending === true) return { isPending: true };
    if ('raise' in reply) throw guarded(() => fromData(reply.raise));
    return { value: guarded(() => fromData(reply.ok)) };
  }
}

function transmit(message) {
  sendFrame(toParent, depth > 0 ? 'N' : 'R', JSON.stringify(message));
}

/** A message that cannot be read ends the code. */
function guarded(action) {
  try {
    return action();
  } catch (error) {
    return end(`the code under test did not keep to the protocol: ${error.message}`);
  }
}

function callBack({ callback, args }) {
  const target = guarded(() => functionOf(callback));
  const values = guarded(() => args.map(fromData));
  depth += 1;
  let result;
  try {
    const value = target(...values);
    result = value instanceof Promise ? { promise: settleLater(value) } : { ok: toData(value) };
  } catch (error) {
    result = { raise: error instanceof Error ? ['e', encodeError(error, toData)] : toData(error) };
  }
  if (ended) throw ended;
  transmit(result);
  depth -= 1;
}

/** A function of the test that the code was given. */
function functionOf(id) {
  if (!Number.isInteger(id) || !Object.hasOwn(functions, id)) throw new TypeError('no function of the test');
  return functions[id];
}

function settleLater(promise) {
  promises += 1;
  const id = promises;
  const settle = (hasFailed) => (value) => {
    const data = value instanceof Error ? ['e', encodeError(value, toData)] : toData(value);
    if (!ended) request({ op: 'settle', promise: id, hasFailed, value: data });
  };
  promise.then(settle(false), settle(true)).catch(() => {});
  return id;
}

const toData = (value) => encode(value, referenceOf);
const fromData = (data) => decode(data, resolve, method);

/**
 * Methods by which texts, lists, sets and bytes decide about their argument. Those of an object of the code could always
 * agree with what a test expects.
 */
const DECIDING = new Set([
  ...[
    'includes',
    'startsWith',
    'endsWith',
    'localeCompare',
    'indexOf',
    'lastIndexOf',
    'some',
    'every',
    'equals',
    'hasOwnProperty',
  ],
  ...['isSubsetOf', 'isSupersetOf', 'isDisjointFrom'],
]);
const guards = new WeakMap();
/** Objects that a test has made of a class of the code: it means their own methods, not those of a text or a list. */
const constructed = new WeakSet();

/** A member of an object of the code, or of its copy `owner`. A deciding one takes no value of the test. */
function method(name, value, owner) {
  if (name === 'toString' && owner !== undefined && targets.has(Object(value))) giveTextAlone(owner, value);
  if (name === 'valueOf' && typeof value === 'function' && targets.has(value)) return refuse;
  if (!DECIDING.has(name)) return iterating(name, value);
  return guardOf(name, value, guarding);
}

/** A copy whose text the code makes gives no number: it could be another one with each comparison. */
function giveTextAlone(owner, toText) {
  const toPrimitive = (hint) => (hint === 'string' ? Reflect.apply(toText, owner, []) : refuse());
  Object.defineProperty(owner, Symbol.toPrimitive, { value: toPrimitive });
}

/** A member of an object whose methods may decide: those that iterate give no fewer items than it has. */
function iterating(name, value) {
  return ITERATING.has(name) ? guardOf(name, value, iteratingGuard) : value;
}

/** One guard for each name and function. */
function guardOf(name, value, make) {
  if (typeof value !== 'function' || !targets.has(value)) return value;
  const ofValue = guards.get(value) ?? new Map();
  guards.set(value, ofValue);
  if (!ofValue.has(name)) ofValue.set(name, make(name, value));
  return ofValue.get(name);
}

function iteratingGuard(name, value) {
  const target = targets.get(value);
  const guard = new Proxy(value, {
    apply: (_, self, args) => {
      const own = targets.get(Object(self));
      const tally = own ? items.tally(own) : items.tallyOf(Object(self));
      const given = args.map((each) => (isOfTest(each) ? tally.counting(each) : each));
      const result = request({
        op: 'call',
        target,
        self: own ?? ['u'],
        args: given.map(toData),
        isIterating: true,
      }).value;
      const isCounted = given.some((each, at) => each !== args[at]);
      if (isCounted || args.length === 0) tally.end(name, result, targets.get(Object(result)));
      return result;
    },
  });
  targets.set(guard, target);
  return guard;
}

const isOfTest = (value) => typeof value === 'function' && !targets.has(value) && !ofLibraries.has(value);

function guarding(name, value) {
  const guard = new Proxy(value, {
    apply: (_, self, args) => {
      if (args.every((each) => targets.has(Object(each)))) return Reflect.apply(value, self, args);
      throw new TypeError(
        `agentclash-grade: ${name} is a method of the code under test, which would decide about a value of the test: compare plain values`,
      );
    },
  });
  targets.set(guard, targets.get(value));
  return guard;
}

function referenceOf(value) {
  const target = targets.get(value);
  if (target) return target;
  if (value instanceof Error) return ['e', encodeError(value, toData)];
  if (typeof value !== 'function') {
    throw new TypeError('agentclash-grade: an object of a test cannot be given to the code under test');
  }
  const name = ofLibraries.get(value);
  if (name) return ['L', name];
  if (value.name === 'require' && typeof value.resolve === 'function') {
    throw new TypeError('agentclash-grade: require of a test cannot be given to the code under test');
  }
  if (!functionIds.has(value)) functionIds.set(value, functions.push(value) - 1);
  return ['g', functionIds.get(value)];
}

function resolve([tag, body, more, claims]) {
  if (tag === 'p' && Number.isInteger(body)) return settled(body);
  if (tag === 'e') {
    const error = decodeError(body, fromData, method);
    instances.set(error, new Set(more));
    return error;
  }
  if (tag === 'g') return functionOf(body);
  if (tag === 'x') return remote(['x', `${body}`], more);
  if (tag !== 'h' || !Number.isInteger(body)) throw new TypeError('no value');
  if (!known.has(body)) known.set(body, remote(['h', body], more));
  const made = known.get(body);
  instances.set(made, new Set(claims));
  return made;
}

function settled(promise) {
  return new Promise((done, fail) => {
    const poll = () => {
      try {
        const { isPending, value } = request({ op: 'await', promise });
        if (isPending) setImmediate(poll);
        else done(value);
      } catch (error) {
        fail(error);
      }
    };
    setImmediate(poll);
  });
}

class RemoteObject {}

/** A function or an object of the code. It equals itself alone, and cannot be compared by its members. */
function remote(target, kind) {
  const own = kind === 'function' ? function remoteFunction() {} : new RemoteObject();
  const isInstance = (value) =>
    value !== null &&
    /^(?:object|function)$/.test(typeof value) &&
    (instances.get(value)?.has(target[1]) ?? false);
  const proxy = new Proxy(own, {
    apply: (_, self, args) => {
      const reference = targets.get(Object(self)) ?? ['u'];
      return request({ op: 'call', target, self: reference, args: args.map(toData) }).value;
    },
    construct: (_, args) => {
      const made = object(request({ op: 'new', target, args: args.map(toData) }).value);
      constructed.add(made);
      return made;
    },
    get: (_, name) => {
      if (name === Symbol.hasInstance) return isInstance;
      if (name === Symbol.iterator && kind !== 'function') return () => iterator(target);
      if (name === Symbol.toPrimitive) return () => refuse();
      if (name === 'prototype' && kind === 'function') return own.prototype;
      if (typeof name === 'symbol' || name === 'then') return undefined;
      const value = read(target, name);
      return constructed.has(proxy) ? iterating(name, value) : method(name, value);
    },
    has: refuse,
    set: (_, name, value) =>
      request({ op: 'set', target, name: `${String(name)}`, value: toData(value) }).value,
    ownKeys: refuse,
    getOwnPropertyDescriptor: refuse,
  });
  targets.set(proxy, target);
  return proxy;
}

function object(value) {
  return value !== null && typeof value === 'object' ? value : end('a class made no object');
}

function refuse() {
  throw new TypeError(
    'agentclash-grade: an object of the code cannot be compared: compare its plain members',
  );
}

function iterator(target) {
  const tally = items.tally(target);
  const { value: own } = request({ op: 'iterate', target, isIterating: true });
  const { next } = own;
  const [call, self] = [targets.get(next), targets.get(own) ?? ['u']];
  return {
    next: () => {
      const step = call
        ? request({ op: 'call', target: call, self, args: [], isIterating: true }).value
        : own.next();
      return tally.step(step);
    },
    [Symbol.iterator]() {
      return this;
    },
  };
}

const byName = new Map();
if (!isCollecting) {
  guarded(() => {
    // Functions of the module may have any name; what it returns and the members of its other exports may not decide.
    const ofModule = (data) => decode(data, resolve);
    for (const [name, data] of members) {
      byName.set(`${name}`, name === 'default' ? ofModule(data) : fromData(data));
    }
  });
}
const has = (name) => isCollecting || byName.has(name);
const member = (name) => (isCollecting ? remote(['x', name], 'function') : byName.get(name));

/** A function that is a module too; loaders of modules look at its members. */
function withMembers(main, names) {
  function required(...args) {
    return new.target ? Reflect.construct(main, args) : Reflect.apply(main, this, args);
  }
  targets.set(required, targets.get(main));
  Object.defineProperty(required, Symbol.hasInstance, { value: main[Symbol.hasInstance] });
  for (const name of names.filter((each) => each !== 'prototype')) {
    Object.defineProperty(required, name, { value: member(name), enumerable: true, configurable: true });
  }
  return required;
}

/** The part that the modules in place of the code under test use. */
globalThis.agentclashGrade = {
  member,
  /** As `require` gives it. */
  required(names) {
    const main = byName.get('default') ?? (isCollecting ? member('default') : undefined);
    if (typeof main === 'function') return withMembers(main, names.filter(has));
    return Object.fromEntries(names.filter(has).map((name) => [name, member(name)]));
  },
};
