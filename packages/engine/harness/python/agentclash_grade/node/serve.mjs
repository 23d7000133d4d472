/** The process of the code under test: it loads the module, and does what the judge requests. */
import { read } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { types } from 'node:util';
import { libraryFunction } from './library.mjs';
import { decode, decodeError, encode, encodeError, readFrame, sendFrame } from './wire.mjs';

const [requests, replies, nested, file] = [...process.argv.slice(2, 5).map(Number), process.argv[5]];
const PENDING_MS = 20;
const handles = [];
const ids = new Map();
const promises = [];
let module = {};

function referenceOf(value) {
  if (types.isPromise(value)) {
    const entry = { isSettled: false };
    const settle = (result) => Object.assign(entry, { isSettled: true, ...result });
    entry.done = value.then(
      (ok) => settle({ ok }),
      (error) => settle({ error }),
    );
    return ['p', promises.push(entry) - 1];
  }
  if (types.isNativeError(value)) return ['e', encodeError(value, toData), instanceNames(value)];
  if (!ids.has(value)) ids.set(value, handles.push(value) - 1);
  return ['h', ids.get(value), typeof value === 'function' ? 'function' : 'object', instanceNames(value)];
}

/** The exported classes that a value is of. */
function instanceNames(value) {
  return Object.keys(module).filter((name) => {
    const member = module[name];
    return typeof member === 'function' && member.prototype && value instanceof member;
  });
}

const toData = (value) => encode(value, referenceOf);
const fromData = (data) => decode(data, resolve);

function resolve([tag, body]) {
  if (tag === 'x') return member(body);
  if (tag === 'h') return handles[body];
  if (tag === 'e') return decodeError(body, fromData);
  if (tag === 'g') return callbackOf(body);
  if (tag === 'L') return libraryFunction(body);
  throw new TypeError('no value');
}

const callbacks = new Map();
function callbackOf(id) {
  if (!callbacks.has(id)) callbacks.set(id, (...values) => callBack(id, values));
  return callbacks.get(id);
}

/** Calls a function of the test, which may call the code again before it returns. */
function callBack(id, values) {
  sendFrame(replies, 'C', JSON.stringify({ callback: id, args: values.map(toData) }));
  for (;;) {
    const message = JSON.parse(readFrame(nested).text);
    if ('op' in message) reply(message);
    else if ('raise' in message) throw fromData(message.raise);
    else if ('promise' in message) return new Promise((...ends) => waiting.set(message.promise, ends));
    else return fromData(message.ok);
  }
}

const waiting = new Map();
const OPERATIONS = {
  call: ({ target, self, args }) => Reflect.apply(fromData(target), fromData(self), args.map(fromData)),
  new: ({ target, args }) => Reflect.construct(fromData(target), args.map(fromData)),
  get: ({ target, name }) => fromData(target)[name],
  set: ({ target, name, value }) => Reflect.set(fromData(target), name, fromData(value)),
  iterate: ({ target }) => fromData(target)[Symbol.iterator](),
  settle: ({ promise, hasFailed, value }) => waiting.get(promise)?.[hasFailed ? 1 : 0](fromData(value)),
  await: ({ promise }) => {
    const { isSettled, ok, error } = promises[promise];
    if (!isSettled) return PENDING;
    if (error !== undefined) throw error;
    return ok;
  },
};
const PENDING = Symbol('pending');

function reply(message) {
  let result;
  try {
    const value = OPERATIONS[message.op](message);
    result = value === PENDING ? { pending: true } : { ok: toData(value) };
  } catch (error) {
    result = { raise: types.isNativeError(error) ? referenceOf(error) : toData(error) };
  }
  sendFrame(replies, 'C', JSON.stringify({ ...result, number: message.number }));
}

/** Of the module, or of the function that it is. */
const member = (name) => (name in module ? module[name] : module.default?.[name]);

/** Functions, classes and objects stay here and are named; constants are copied. */
function described() {
  const ofMain = typeof module.default === 'function' ? Object.keys(module.default) : [];
  const members = [...new Set([...Object.keys(module), ...ofMain])].map((name) => {
    const value = member(name);
    const data = toData(value);
    return [name, Array.isArray(data) && data[0] === 'h' ? ['x', name, data[2]] : data];
  });
  return JSON.stringify({ members });
}

function bytes(length) {
  return new Promise((done) => {
    const buffer = Buffer.alloc(length);
    const from = (at) => {
      if (at === length) return done(buffer);
      read(requests, buffer, at, length - at, null, (error, count) => {
        if (error || count === 0) process.exit(0);
        from(at + count);
      });
    };
    from(0);
  });
}

try {
  module = await import(pathToFileURL(file).href);
  sendFrame(replies, 'C', described());
} catch (error) {
  sendFrame(replies, 'C', JSON.stringify({ error: `${error}` }));
}
for (;;) {
  const length = (await bytes(4)).readUInt32BE();
  const message = JSON.parse((await bytes(length)).toString().slice(1));
  if (message.op === 'await') {
    const late = new Promise((done) => setTimeout(done, PENDING_MS));
    await Promise.race([promises[message.promise]?.done, late]);
  }
  reply(message);
}
