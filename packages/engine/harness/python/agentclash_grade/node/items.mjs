/**
 * The items of objects of the code: an iteration gives no fewer than the length that the test has read, in whichever way it
 * iterates. Else the assertions of a loop would pass by not being reached.
 */
const EACH = ['forEach', 'map', 'filter', 'flatMap'];
const FOLDING = ['reduce', 'reduceRight'];
const SEARCHING = ['find', 'findIndex', 'findLast', 'findLastIndex'];
const LISTING = ['entries', 'keys', 'values'];
export const ITERATING = new Set([...EACH, ...FOLDING, ...SEARCHING, ...LISTING]);

export class ReadItems {
  /** Changes with each call of the code but those that iterate: what was read before may be outdated after it. */
  epoch = 0;
  lengths = new Map();
  listed = new Map();

  forget() {
    this.lengths.clear();
    this.listed.clear();
    this.epoch += 1;
  }

  /** The test has read this length. */
  learn(target, length) {
    this.lengths.set(JSON.stringify(target), length);
  }

  /** Of an object of the code. */
  tally(target) {
    const key = JSON.stringify(target);
    return this.listed.get(key) ?? new Tally(this, this.lengths.get(key));
  }

  /** Of a copy whose methods are the code's. */
  tallyOf({ length, size }) {
    return new Tally(this, [length, size].find(Number.isInteger));
  }
}

class Tally {
  count = 0;
  isFound = false;

  constructor(items, wanted = 0) {
    Object.assign(this, { items, wanted, epoch: items.epoch });
  }

  /** Throws unless there were as many items, or the code was called meanwhile. */
  check(count = this.count) {
    if (this.items.epoch !== this.epoch || count >= this.wanted) return;
    throw new TypeError(
      'agentclash-grade: this object of the code has fewer items than its length: compare its items',
    );
  }

  counting(callback) {
    return (...values) => {
      this.count += 1;
      const result = callback(...values);
      this.isFound ||= Boolean(result);
      return result;
    };
  }

  step(step) {
    if (step?.done) this.check();
    else this.count += 1;
    return step;
  }

  /** `target` is that of a result which is no copy: its items are counted as they are read. */
  end(name, result, target) {
    if (FOLDING.includes(name)) this.check(this.count + 1);
    else if (SEARCHING.includes(name)) this.endSearch(result);
    else if (EACH.includes(name)) this.check();
    else if (target) this.items.listed.set(JSON.stringify(target), this);
    else this.check(result?.length ?? result?.size ?? 0);
  }

  endSearch(result) {
    if (this.isFound) return;
    this.check();
    const isNone = result === undefined || result === -1 || result === null;
    if (isNone || (this.wanted === 0 && typeof result !== 'number')) return;
    throw new TypeError('agentclash-grade: this object of the code finds what the test does not');
  }
}
