/** The exports of the module under test, as the modules that replace it have them. Data that changes is changed here too. */
export class Exports {
  values = new Map();
  bindings = [];

  set(name, value) {
    const kept = this.values.has(name) ? refreshed(this.values.get(name), value) : value;
    this.values.set(name, kept);
    for (const binding of this.bindings) if (Object.hasOwn(binding, name)) binding[name](kept);
  }

  /** `binding` has a function for each name, which changes an exported variable. */
  bind(binding) {
    this.bindings.push(binding);
  }
}

const kindOf = (value) =>
  [Array, Map, Set, Object].find((each) => value && Object.getPrototypeOf(value) === each.prototype);

/** The same object with the data of `value`, where it is one of the same kind. */
function refreshed(old, value) {
  const kind = kindOf(value);
  if (kind === undefined || kindOf(old) !== kind || Object.isFrozen(old)) return value;
  if (kind === Array) old.splice(0, old.length, ...value);
  else if (kind === Object) {
    for (const key of Object.keys(old)) delete old[key];
    Object.defineProperties(old, Object.getOwnPropertyDescriptors(value));
  } else {
    old.clear();
    for (const item of value) kind === Map ? old.set(...item) : old.add(item);
  }
  return old;
}
