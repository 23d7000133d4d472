/** The process of the code under test: it loads the module, and does what the judge requests. */
import { Socket } from 'node:net';
import { pathToFileURL } from 'node:url';
import { types } from 'node:util';
import { decodeError, encodeError } from './errors.mjs';
import { libraryFunction } from './library.mjs';
import { decode, encode, readFrame, sendFrame } from './wire.mjs';

const [requests, replies, nested, file] = [...process.argv.slice(2, 5).map(Number), process.argv[5]];
const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis;
const HEADER_BYTES = 4;
const TURN_MS = 1;
/** Exported data beyond it is that of the start. */
const EXPORT_LENGTH_MAX = 65_536;
const handles = [];
const ids = new Map();
let promises = 0;
let settled = [];
let module = {};

function handleOf(value) {
  if (!ids.has(value)) ids.set(value, handles.push(value) - 1);
  return ids.get(value);
}

function referenceOf(value) {
  if (types.isPromise(value)) return ['p', watched(value)];
  if (types.isNativeError(value)) {
    return ['e', encodeError(value, toData), instanceNames(value), handleOf(value)];
  }
  if (typeof value === 'symbol') return ['h', handleOf(value), 'symbol', value.description];
  return ['h', handleOf(value), typeof value === 'function' ? 'function' : 'object', instanceNames(value)];
}

function watched(promise) {
  const id = promises;
  promises += 1;
  promise.then(
    (value) => settled.push({ id, hasFailed: false, value }),
    (value) => settled.push({ id, hasFailed: true, value }),
  );
  return id;
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
const keep = (_, value) => value;

function resolve([tag, body, more]) {
  if (tag === 'x') return member(body);
  if (tag === 'h') return handles[body];
  if (tag === 'e') return decodeError(body, { next: fromData, method: keep });
  if (tag === 'g') return callbackOf(body, more);
  if (tag === 'L') return libraryFunction(body);
  throw new TypeError('no value');
}

const callbacks = new Map();
function callbackOf(id, length) {
  if (!callbacks.has(id)) {
    const callback = (...values) => callBack(id, values);
    callbacks.set(id, Object.defineProperty(callback, 'length', { value: length, configurable: true }));
  }
  return callbacks.get(id);
}

/** Calls a function of the test, which may call the code again before it returns. */
function callBack(id, values) {
  send({ callback: id, args: values.map(toData) });
  for (;;) {
    const message = JSON.parse(readFrame(nested).text);
    if ('op' in message) reply(message);
    else if ('raise' in message) throw fromData(message.raise);
    else if ('promise' in message) return new Promise((...ends) => waiting.set(message.promise, ends));
    else return fromData(message.ok);
  }
}

function send(message) {
  const changes = changedExports();
  sendFrame(replies, 'C', JSON.stringify(changes.length > 0 ? { ...message, exports: changes } : message));
}

/** Names of members, of its classes too. */
function namesOf(object) {
  const names = new Set();
  for (let at = object; at !== null; at = Object.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  }
  return [...names];
}

const waiting = new Map();
const OPERATIONS = {
  call: ({ target, self, args }) => Reflect.apply(fromData(target), fromData(self), args.map(fromData)),
  new: ({ target, args }) => Reflect.construct(fromData(target), args.map(fromData)),
  get: ({ target, name }) => fromData(target)[name],
  set: ({ target, name, value }) => Reflect.set(fromData(target), name, fromData(value)),
  assign: ({ target, fields }) => {
    const object = fromData(target);
    for (const [name, value] of fields) object[name] = fromData(value);
  },
  names: ({ target }) => namesOf(fromData(target)),
  iterate: ({ target }) => fromData(target)[Symbol.iterator](),
  iterateLater: ({ target }) => {
    const object = fromData(target);
    return object[Symbol.asyncIterator] ? object[Symbol.asyncIterator]() : object[Symbol.iterator]();
  },
  settle: ({ promise, hasFailed, value }) => waiting.get(promise)?.[hasFailed ? 1 : 0](fromData(value)),
  clock: ({ name, args }) => control(name, args.map(fromData)),
};

/** The fake timers of node:test, as the test controls its own ones. */
function control(name, args) {
  const { timers } = libraryFunction(['test']).mock;
  if (name === 'enable') timers.reset();
  timers[name](...args);
}

function reply(message) {
  let result;
  try {
    result = { ok: toData(OPERATIONS[message.op](message)) };
  } catch (error) {
    result = { raise: toData(error) };
  }
  send({ ...result, number: message.number });
}

/** Of the module, or of the function that it is. */
const member = (name) => (name in module ? module[name] : module.default?.[name]);

/** Functions, classes and objects stay here and are named; constants are copied. */
function described() {
  const ofMain = typeof module.default === 'function' ? Object.keys(module.default) : [];
  const members = [...new Set([...Object.keys(module), ...ofMain])].map((name) => {
    const value = member(name);
    const data = toData(value);
    watchExport(name);
    return [
      name,
      Array.isArray(data) && data[0] === 'h' && data[2] !== 'symbol' ? ['x', name, data[2]] : data,
    ];
  });
  return JSON.stringify({ members });
}

const exportTexts = new Map();

/** The text of exported data; undefined for functions, objects of classes, promises and errors. */
function exportText(name) {
  const value = member(name);
  const refer = (each) => {
    if (each === value || types.isPromise(each) || types.isNativeError(each)) throw new TypeError('no data');
    return referenceOf(each);
  };
  try {
    return JSON.stringify(encode(value, refer));
  } catch {
    return undefined;
  }
}

function watchExport(name) {
  const text = exportText(name);
  if (text !== undefined && text.length <= EXPORT_LENGTH_MAX) exportTexts.set(name, text);
}

function changedExports() {
  const changes = [];
  for (const [name, text] of exportTexts) {
    const next = exportText(name);
    if (next === undefined || next === text) continue;
    exportTexts.set(name, next);
    changes.push([name, JSON.parse(next)]);
  }
  return changes;
}

/**
 * The event loop runs while the judge waits, and else stops until its next request, as it does in one process while a test
 * is at work. The first request after it comes by a socket, which does not keep the loop alive: so the end of all other
 * work is known.
 */
const socket = new Socket({ fd: requests, readable: true, writable: false });
let received = [];
let missing = HEADER_BYTES;
let current;

socket.on('data', (chunk) => {
  received.push(chunk);
  missing -= chunk.length;
  if (missing > 0) return;
  const frame = Buffer.concat(received);
  received = [frame];
  missing = HEADER_BYTES + frame.readUInt32BE() - frame.length;
  if (missing > 0) return;
  received = [];
  missing = HEADER_BYTES;
  socket.pause();
  serve(JSON.parse(frame.toString('utf8', 5)));
});
socket.on('close', () => process.exit(0));

function serve(first) {
  let message = first;
  while (message.op !== 'wait') {
    reply(message);
    message = JSON.parse(readFrame(nested).text);
  }
  current = { number: message.number, timer: startTimer(() => endWait(false), TURN_MS).unref() };
  socket.resume();
  socket.unref();
}

/** All that is due has run by then. */
function endWait(isIdle) {
  if (current === undefined) return;
  stopTimer(current.timer);
  const { number } = current;
  const values = settled.map(settledData);
  current = undefined;
  settled = [];
  send({ number, isIdle, settled: values });
}

function settledData({ id, hasFailed, value }) {
  try {
    return { id, hasFailed, value: toData(value) };
  } catch (error) {
    return { id, hasFailed: true, value: toData(error) };
  }
}

process.on('beforeExit', () => {
  socket.ref();
  endWait(true);
});

try {
  module = await import(pathToFileURL(file).href);
  sendFrame(replies, 'C', described());
} catch (error) {
  sendFrame(replies, 'C', JSON.stringify({ error: `${error}` }));
}
socket.resume();
