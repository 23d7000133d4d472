/** Errors between the judge and the code under test: copies, whose members are as they were when the error was sent. */
const ERRORS = {
  AggregateError,
  Error,
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
};
const KINDS = new Map(Object.entries(ERRORS).map(([kind, { prototype }]) => [prototype, kind]));
const OF_ERRORS = new Set(['stack', 'message', 'name', 'constructor', 'toString', 'valueOf', '__proto__']);
const { toString: textOfErrors } = Error.prototype;
const TEXT_MAX = 500;

/** Those that are copied at this time: one that holds itself is copied without its members there. */
const copied = new Set();

/** Up to the class of the language; `null` is that of another context of `vm`. */
function* levels(error) {
  for (
    let at = error;
    at !== null && at !== Object.prototype && !KINDS.has(at);
    at = Object.getPrototypeOf(at)
  )
    yield at;
}

function kindOf(error) {
  const classes = [...levels(error)];
  return KINDS.get(Object.getPrototypeOf(classes.at(-1))) ?? 'Error';
}

/** Own fields, and fields, getters and methods of its classes. The private fields that getters read are not there. */
function membersOf(error) {
  const found = new Map();
  for (const level of levels(error)) {
    for (const [key, { enumerable }] of Object.entries(Object.getOwnPropertyDescriptors(level))) {
      if (!OF_ERRORS.has(key) && !found.has(key)) found.set(key, level === error && enumerable);
    }
  }
  return [...found];
}

/** A member without a value raises its reason where it is read. */
function encodeMember(key, isListed, read) {
  try {
    return [key, isListed, read()];
  } catch (error) {
    return [key, isListed, null, `${error?.message}`.slice(0, TEXT_MAX)];
  }
}

function ownText(error) {
  try {
    return error.toString === textOfErrors ? null : `${error.toString()}`;
  } catch {
    return null;
  }
}

/** `next` encodes a member, after `ofMethod` has made of a function what is called without the error. */
export function encodeError(error, next, ofMethod = (method) => method) {
  const members = [];
  if (!copied.has(error)) {
    copied.add(error);
    const read = (key) => {
      const value = error[key];
      return next(typeof value === 'function' ? ofMethod(value) : value);
    };
    for (const [key, isListed] of membersOf(error))
      members.push(encodeMember(key, isListed, () => read(key)));
    copied.delete(error);
  }
  const { name: className } = error.constructor ?? {};
  return [
    kindOf(error),
    `${error.name}`,
    `${error.message}`,
    members,
    ownText(error),
    typeof className === 'string' ? className : 'Error',
  ];
}

const hidden = (value) => ({ value, configurable: true, writable: true });

/** `classNamed` gives the class of an error by its name, when it is read. */
export function decodeError([kind, name, message, members, own, className], { next, method, classNamed }) {
  if (!Object.hasOwn(ERRORS, text(kind))) throw new TypeError('no kind of error');
  const error =
    kind === 'AggregateError' ? new AggregateError([], text(message)) : new ERRORS[kind](text(message));
  if (error.name !== text(name)) Object.defineProperty(error, 'name', hidden(name));
  // The text of an error is a text, whatever its process sends.
  if (own !== null) {
    text(own);
    Object.defineProperty(
      error,
      'toString',
      hidden(() => own),
    );
  }
  text(className);
  const get = () => classNamed(className);
  if (classNamed && className !== kind)
    Object.defineProperty(error, 'constructor', { get, configurable: true });
  for (const [key, isListed, value, reason] of members) {
    if (OF_ERRORS.has(text(key))) continue;
    const about = { enumerable: isListed === true, configurable: true };
    if (reason === undefined)
      Object.assign(about, { value: method(key, next(value), error), writable: true });
    else
      about.get = () =>
        raise(`agentclash-grade: ${key} of this error did not reach the other process: ${text(reason)}`);
    Object.defineProperty(error, key, about);
  }
  return error;
}

function raise(message) {
  throw new TypeError(message);
}

function text(value) {
  if (typeof value !== 'string') throw new TypeError('no text');
  return value;
}
