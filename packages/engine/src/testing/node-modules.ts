/** Modules whose tests exchange values of all kinds with them. */
export const NODE_VALUES = {
  tests: {
    'tests/values.test.mjs': `
import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { add, later, each, LIMIT, Point, Bad, makePoint, range, counter } from '../solution.mjs';
import main from '../solution.mjs';
import * as all from '../solution.mjs';

test('small', () => assert.equal(add(17, 25), 42));
describe('suite', () => {
  it('negative', () => assert.equal(add(-40, 3), -37));
  it('mixed', () => assert.throws(() => add('a', 1), TypeError));
  it('bad', () => assert.throws(() => all.add(null, 1), Bad));
  it('bad2', () => assert.throws(() => all.add(null, 1), { name: 'Bad', code: 7 }));
});
test('async', async () => { assert.equal(await later(3), 4); await assert.rejects(later(-1), RangeError); });
test('callbacks', async (t) => {
  assert.deepEqual(each([1, 2], (x) => add(x, 1)), [2, 3]);
  await t.test('async callback', async () => assert.deepEqual(await all.eachAsync([1, 2], async (x) => x * 2), [2, 4]));
});
test('constants', () => { assert.equal(LIMIT, 5); assert.equal(main(1), 1); });
test('objects', () => {
  const p = new Point(1, 2);
  assert.equal(p.x, 1); assert.equal(p.sum(), 3); assert.ok(p instanceof Point);
  p.x = 5; assert.equal(p.sum(), 7);
  assert.deepEqual(p.toJSON(), { x: 5, y: 2 });
  assert.ok(makePoint() instanceof Point);
  assert.deepEqual([...range(3)], [0, 1, 2]);
  const c = counter(); assert.equal(c(), 1); assert.equal(c(), 2);
});
`,
  },
  honest: {
    'solution.mjs': `
export class Bad extends Error { constructor(m) { super(m); this.name = 'Bad'; this.code = 7; } }
export const LIMIT = 5;
export function add(a, b) { if (a === null) throw new Bad('x'); if (typeof a !== 'number') throw new TypeError('no'); return a + b; }
export async function later(x) { await new Promise((r) => setTimeout(r, 50)); if (x < 0) throw new RangeError('neg'); return x + 1; }
export const each = (list, f) => list.map((x) => f(x));
export const eachAsync = (list, f) => Promise.all(list.map((x) => f(x)));
export class Point { constructor(x, y) { this.x = x; this.y = y; } sum() { return this.x + this.y; } toJSON() { return { x: this.x, y: this.y }; } }
export const makePoint = () => new Point(0, 0);
export function* range(n) { for (let i = 0; i < n; i++) yield i; }
export function counter() { let n = 0; return () => ++n; }
export default (x) => x;
`,
  },
  count: 9,
};

/** A module that is required, and is a function with members. */
export const NODE_REQUIRED = {
  tests: {
    'tests/required.test.js': `
const assert = require('node:assert');
const test = require('node:test');
const main = require('../lib/solution.js');
const { twice, LIMIT } = require('../lib/solution.js');
test('a function', () => assert.strictEqual(main(1, 2), 3));
test('a member', () => assert.strictEqual(twice(2), 4));
test('a member of the function', () => assert.strictEqual(main.twice(3), 6));
test('a constant', () => assert.strictEqual(LIMIT, 7));
`,
  },
  honest: {
    'lib/solution.js': `
module.exports = (a, b) => a + b;
module.exports.twice = (a) => 2 * a;
module.exports.LIMIT = 7;
`,
  },
  count: 4,
};
