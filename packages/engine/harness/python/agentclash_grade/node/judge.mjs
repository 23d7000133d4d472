/** Loaded into the process of the tests before them: represents the module under test there. */
import { afterEach } from 'node:test';
import { fromParent, toParent } from './channel.mjs';
import { afterThis, connectTimers } from './clock.mjs';
import { decodeError, encodeError } from './errors.mjs';
import { Exports } from './exports.mjs';
import { close } from './files.mjs';
import { guardedMembers } from './guards.mjs';
import { ReadItems } from './items.mjs';
import { codeIterators } from './iterators.mjs';
import { libraryFunctions } from './library.mjs';
import { Waiting } from './waiting.mjs';
import { decode, encode, readFrame, sendFrame } from './wire.mjs';

const targets = new WeakMap();
const instances = new WeakMap();
const known = new Map();
const symbols = new Map();
const ofLibraries = libraryFunctions();
const functions = [];
const functionIds = new Map();
/** The copies of errors of the code: the code gets its own ones back. */
const errorsOfCode = new WeakMap();
const exported = new Exports();
let promises = 0;
let number = 0;
let depth = 0;
let ended;
/** True while the event loop of the code runs: else it waits for the next request, as it does within a call. */
let isRunning = true;

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
const waiting = new Waiting(waitForCode);

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
  const reply = exchange(message);
  waiting.plan();
  if ('raise' in reply) throw guarded(() => fromData(reply.raise));
  return { value: guarded(() => fromData(reply.ok)) };
}

/** The reply to a message, after the calls of functions of the test that the code makes before it. */
function exchange(message) {
  close();
  number += 1;
  const own = number;
  transmit({ ...message, number: own });
  if (message.op === 'wait') isRunning = true;
  for (;;) {
    const { kind, text } = readFrame(fromParent);
    if (kind !== 'C') end(text);
    const reply = guarded(() => JSON.parse(text));
    if (reply === null || typeof reply !== 'object') end('the code under test did not keep to the protocol');
    if (Array.isArray(reply.exports)) guarded(() => reply.exports.forEach(changeExport));
    if ('callback' in reply) {
      // The code has run up to here, and continues after it.
      reads.clear();
      callBack(reply);
      reads.clear();
      continue;
    }
    if (reply.number !== own) end('the code under test did not keep to the protocol');
    return reply;
  }
}

/** The event loop of the code runs meanwhile, and after it. */
function waitForCode() {
  if (ended) throw ended;
  if (number === 0 || depth > 0) return undefined;
  const { isIdle, settled } = exchange({ op: 'wait' });
  return guarded(() => ({
    isIdle: isIdle === true,
    settled: settled.map(({ id, hasFailed, value }) => ({
      id,
      name: hasFailed ? 'fail' : 'done',
      value: fromData(value),
    })),
  }));
}

function transmit(message) {
  const isRead = depth > 0 || !isRunning;
  if (!isRead) isRunning = false;
  sendFrame(toParent, isRead ? 'N' : 'R', JSON.stringify(message));
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
    result = { raise: toData(error) };
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
    if (!ended) request({ op: 'settle', promise: id, hasFailed, value: toData(value) });
  };
  promise.then(settle(false), settle(true)).catch(() => {});
  return id;
}

const toData = (value) => encode(value, referenceOf);
const fromData = (data) => decode(data, resolve, method);

/** Objects that a test has made of a class of the code: it means their own methods, not those of a text or a list. */
const constructed = new WeakSet();

const isOfTest = (value) => typeof value === 'function' && !targets.has(value) && !ofLibraries.has(value);

/** The `this` of a call: an object or an error of the code. */
const selfOf = (self) => targets.get(Object(self)) ?? errorsOfCode.get(Object(self))?.target ?? ['u'];

const { iterator, asyncIterator } = codeIterators({ targets, request, items });
const { method, iterating } = guardedMembers({ targets, request, toData, selfOf, isOfTest, items, refuse });

/** Fields of an error of the code that the test has set are set there. */
function ownError(error) {
  const { target, fields } = errorsOfCode.get(error);
  const changes = Object.entries(error).filter(([key, value]) => !Object.is(fields[key], value));
  if (changes.length > 0)
    request({ op: 'assign', target, fields: changes.map(([key, value]) => [key, toData(value)]) });
  Object.assign(fields, Object.fromEntries(changes));
  return target;
}

function referenceOf(value) {
  if (typeof value === 'symbol') return symbolOfCode(value);
  const target = targets.get(value);
  if (target) return target;
  if (errorsOfCode.has(value)) return ownError(value);
  if (value instanceof Error) return ['e', encodeError(value, toData, (each) => each.bind(value))];
  if (typeof value !== 'function') {
    throw new TypeError('agentclash-grade: an object of a test cannot be given to the code under test');
  }
  const name = ofLibraries.get(value);
  if (name) return ['L', name];
  if (value.name === 'require' && typeof value.resolve === 'function') {
    throw new TypeError('agentclash-grade: require of a test cannot be given to the code under test');
  }
  if (!functionIds.has(value)) functionIds.set(value, functions.push(value) - 1);
  waiting.hasFunctions = true;
  return ['g', functionIds.get(value), value.length];
}

/** A symbol of the code is one here, too. */
function symbolOfCode(value) {
  if (!symbols.has(value)) {
    throw new TypeError('agentclash-grade: a symbol of a test cannot be given to the code under test');
  }
  return symbols.get(value);
}

function symbolOf(id, name) {
  const key = ['h', id];
  if (!known.has(id)) known.set(id, Symbol(`${name}`));
  symbols.set(known.get(id), key);
  return known.get(id);
}

function resolve([tag, body, more, claims]) {
  if (tag === 'p' && Number.isInteger(body)) return waiting.promise(body);
  if (tag === 'e') {
    const error = decodeError(body, { next: fromData, method, classNamed });
    instances.set(error, new Set(more));
    if (Number.isInteger(claims)) errorsOfCode.set(error, { target: ['h', claims], fields: { ...error } });
    return error;
  }
  if (tag === 'g') return functionOf(body);
  if (tag === 'x') return remote(['x', `${body}`], more);
  if (tag !== 'h' || !Number.isInteger(body)) throw new TypeError('no value');
  if (more === 'symbol') return symbolOf(body, claims);
  if (!known.has(body)) known.set(body, remote(['h', body], more));
  const made = known.get(body);
  instances.set(made, new Set(claims));
  return made;
}

/** A class of the code that is not exported has its name here and nothing else. */
function classNamed(name) {
  const found = exported.values.get(name);
  return typeof found === 'function' ? found : Object.defineProperty(class {}, 'name', { value: name });
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
      return request({ op: 'call', target, self: selfOf(self), args: args.map(toData) }).value;
    },
    construct: (_, args, newTarget) => {
      if (!targets.has(newTarget)) throw refusedClass();
      const made = object(request({ op: 'new', target, args: args.map(toData) }).value);
      constructed.add(made);
      return made;
    },
    get: (_, name) => {
      if (name === Symbol.hasInstance) return isInstance;
      if (name === Symbol.iterator && kind !== 'function') return () => iterator(target);
      if (name === Symbol.asyncIterator && kind !== 'function') return () => asyncIterator(target);
      if (name === Symbol.toPrimitive) return (hint) => (hint === 'string' ? textOf(proxy) : refuse());
      if (name === 'prototype' && kind === 'function') return own.prototype;
      if (typeof name === 'symbol' || name === 'then') return undefined;
      const value = read(target, name);
      return constructed.has(proxy) ? iterating(name, value) : method(name, value);
    },
    has: (_, name) => typeof name === 'string' && memberNames(target).includes(name),
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

const refusedClass = () =>
  new TypeError(
    'agentclash-grade: a class of a test cannot inherit from one of the code, which would not call its methods: give functions',
  );

function refuse() {
  throw new TypeError(
    'agentclash-grade: an object of the code cannot be compared, listed or used as a number: compare its plain members, or its text by String(…)',
  );
}

/** All that the object has, by name: an object that claims to have each name has none of them. */
function memberNames(target) {
  const { value } = request({ op: 'names', target, isIterating: true });
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

function textOf(proxy) {
  const text = proxy.toString();
  return typeof text === 'string' ? text : refuse();
}

/** Functions of the module may have any name; what it returns and the members of its other exports may not decide. */
function setExport([name, data]) {
  const value = name === 'default' ? decode(data, resolve) : fromData(data);
  exported.set(`${name}`, value);
}

function changeExport([name, data]) {
  if (exported.values.has(name)) setExport([name, data]);
}

if (!isCollecting) {
  guarded(() => members.forEach(setExport));
  connectTimers(
    () => waiting.serve(),
    (name, values) => request({ op: 'clock', name, args: values.map(toData) }),
  );
}
const has = (name) => isCollecting || exported.values.has(name);
const member = (name) => (isCollecting ? remote(['x', name], 'function') : exported.values.get(name));

const live = (name) => ({ get: () => member(name), enumerable: true, configurable: true });

/** A function that is a module too; loaders of modules look at its members. */
function withMembers(main, names) {
  function required(...args) {
    return new.target ? Reflect.construct(main, args) : Reflect.apply(main, this, args);
  }
  targets.set(required, targets.get(main));
  Object.defineProperty(required, Symbol.hasInstance, { value: main[Symbol.hasInstance] });
  for (const name of names.filter((each) => each !== 'prototype')) {
    Object.defineProperty(required, name, live(name));
  }
  return required;
}

/** The part that the modules in place of the code under test use. */
globalThis.agentclashGrade = {
  isCollecting,
  member,
  bind: (binding) => exported.bind(binding),
  /** As `require` gives it. */
  required(names) {
    const main = exported.values.get('default') ?? (isCollecting ? member('default') : undefined);
    if (typeof main === 'function') return withMembers(main, names.filter(has));
    return Object.defineProperties(
      {},
      Object.fromEntries(names.filter(has).map((name) => [name, live(name)])),
    );
  },
};
