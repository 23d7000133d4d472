/**
 * Methods by which texts, lists, sets and bytes decide about their argument. Those of an object of the code could always
 * agree with what a test expects.
 */
export const DECIDING = new Set([
  ...[
    'includes',
    'startsWith',
    'endsWith',
    'localeCompare',
    'indexOf',
    'lastIndexOf',
    'match',
    'matchAll',
    'search',
  ],
  ...['some', 'every', 'equals', 'concat', 'hasOwnProperty', 'propertyIsEnumerable', 'isPrototypeOf'],
  ...['isSubsetOf', 'isSupersetOf', 'isDisjointFrom'],
  ...['difference', 'intersection', 'symmetricDifference', 'union'],
]);

/** `Set` of older versions of Node lacks its own. */
const OF_SETS = new Set([
  ...['isSubsetOf', 'isSupersetOf', 'isDisjointFrom'],
  ...['difference', 'intersection', 'symmetricDifference', 'union'],
]);
const CLASSES = [String, Array, Uint8Array, Buffer, Set];

const hasMethod = (each, name) => name in each.prototype || (each === Set && OF_SETS.has(name));

/**
 * The methods that tests have called of objects of the code. A test that calls `insert` of an object and then `startsWith`
 * means no text: `startsWith` is then a method like any other.
 */
export class Uses {
  calls = new WeakMap();

  add(owner, name) {
    if (owner === null || !/^(?:object|function)$/.test(typeof owner)) return;
    const names = this.calls.get(owner) ?? new Set();
    this.calls.set(owner, names.add(name));
  }

  /** True where no value that has the deciding method has all others that the test has called. */
  isOwn(owner, name) {
    if (name in Object.prototype) return false;
    const called = [...(this.calls.get(owner) ?? [])];
    return !CLASSES.some((each) => hasMethod(each, name) && called.every((other) => hasMethod(each, other)));
  }
}

export function refusedMethod(name) {
  return new TypeError(
    `agentclash-grade: ${name} is a method of the code under test, which would decide about a value of the test: compare plain values, or call it of an object that the test has made with new`,
  );
}
