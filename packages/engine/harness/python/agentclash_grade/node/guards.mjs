/** Members of objects of the code, guarded where their name is one by which values of the language decide or iterate. */
import { DECIDING, refusedMethod, Uses } from './deciding.mjs';
import { ITERATING } from './items.mjs';

/** `judge` has what the process of the tests knows about values of the code. */
export function guardedMembers({ targets, request, toData, selfOf, isOfTest, items, refuse }) {
  const uses = new Uses();
  const guards = new WeakMap();

  /** A member of an object of the code, or of its copy `owner`. A deciding one takes no value of the test. */
  function method(name, value, owner) {
    if (name === 'toString' && owner !== undefined && targets.has(Object(value))) giveTextAlone(owner, value);
    if (name === 'valueOf' && typeof value === 'function' && targets.has(value)) return refuse;
    if (DECIDING.has(name)) return guardOf(name, value, guarding);
    return ITERATING.has(name) ? iterating(name, value) : guardOf(name, value, noting);
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
          self: selfOf(self),
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

  function wrapped(value, apply) {
    const guard = new Proxy(value, { apply });
    targets.set(guard, targets.get(value));
    return guard;
  }

  function guarding(name, value) {
    return wrapped(value, (_, self, args) => {
      if (!args.every((each) => targets.has(Object(each))) && !uses.isOwn(self, name))
        throw refusedMethod(name);
      return Reflect.apply(value, self, args);
    });
  }

  /** Which methods the test calls of an object shows what it means. */
  function noting(name, value) {
    return wrapped(value, (_, self, args) => {
      uses.add(self, name);
      return Reflect.apply(value, self, args);
    });
  }

  return { method, iterating };
}
