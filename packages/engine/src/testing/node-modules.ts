import type { CheatFiles } from './python-cheats.js';

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

const OBJECTS = `
import assert from 'node:assert';
import { test } from 'node:test';
import { limits, listed, makeRouter, names, report, tags, Trie, words } from '../solution.mjs';
import tools from '../solution.mjs';

test('includes', () => assert.ok(report(3).includes('Total: 3')));
test('starts', () => assert.equal(report(3).startsWith('Total'), true));
test('ends', () => assert(report(3).endsWith(': 3')));
test('index', () => assert.notEqual(report(3).indexOf('Total'), -1));
test('inner', () => assert.ok(report(3, true).text.includes('Total: 3')));
test('constant', () => assert.ok(names.includes('ada')));
test('every', () => assert.ok(tags().every((tag) => tag.length === 1)));
test('some', () => assert.ok(tags().some((tag) => tag === 'a')));
test('member', () => assert.ok('most' in limits()));
test('message', () => assert.throws(() => report(-1), (error) => error.message.includes('negative')));
test('a text', () => assert.equal(\`\${limits()}\`, 'at most 3'));
test('bytes', () => assert.ok(report(3, 'bytes').equals(Buffer.from('Total: 3'))));
const wanted = new Set(['a', 'b']);
// Older versions of Node have none of these.
Set.prototype.difference ??= function (other) { return new Set([...this].filter((each) => !other.has(each))); };
Set.prototype.intersection ??= function (other) { return new Set([...this].filter((each) => other.has(each))); };
Set.prototype.union ??= function (other) { return new Set([...this, ...other]); };
Set.prototype.symmetricDifference ??= function (other) { return this.difference(other).union(other.difference(this)); };
for (const name of ['difference', 'symmetricDifference']) {
  test(name, () => assert.equal(words('a b')[name](wanted).size, 0));
}
for (const name of ['intersection', 'union']) {
  test(name, () => assert.deepEqual(words('a b')[name](wanted), wanted));
}
test('match', () => assert.ok(report(3).match('Total: 3')));
test('search', () => assert.notEqual(report(3).search('Total: 3'), -1));
test('concat', () => assert.deepEqual(listed().concat(['a']), ['a']));
test('order', () => {
  const found = tags();
  const at = (tag) => found.findIndex((each) => each === tag);
  assert.ok(at('a') < at('b'));
});
test('own methods of an object', () => {
  const router = makeRouter();
  router.register('/a');
  assert.equal(router.match('/a'), '/a');
  assert.equal(router.match('/b'), undefined);
});
test('own methods of a class', () => {
  const trie = new Trie();
  trie.insert('abc');
  assert.equal(trie.startsWith('ab'), true);
  assert.equal(trie.startsWith('b'), false);
});
test('functions of the module', () => {
  assert.equal(tools.equals([1], [1]), true);
  assert.equal(tools.equals([1], [2]), false);
});
`;
const HONEST_OBJECTS = `
export function report(total, form) {
  if (total < 0) throw new RangeError('the total is negative');
  const text = 'Total: ' + total;
  if (form === 'bytes') return Buffer.from(text);
  return form ? { text } : text;
}
export const names = ['ada', 'bob'];
export const tags = () => ['a', 'b'];
export const words = (text) => new Set(text.split(' '));
export const listed = () => [];
class Router {
  #routes = [];
  register(route) { this.#routes.push(route); }
  match(route) { return this.#routes.find((each) => each === route); }
}
export const makeRouter = () => new Router();
export const limits = () => ({ most: 3, toString: () => 'at most 3' });
export class Trie {
  #words = [];
  insert(word) { this.#words.push(word); }
  startsWith(text) { return this.#words.some((word) => word.startsWith(text)); }
}
export default { equals: (a, b) => JSON.stringify(a) === JSON.stringify(b) };
`;
/** Methods that agree with whatever they are given, of an object of each kind; nothing else is right. */
const agreeing = (made: string) => ({
  'solution.mjs': `
const yes = () => true;
const same = (value) => value;
const none = () => ({ size: 0 });
let calls = 0;
const methods = {
  match: yes, search: () => 0, concat: same, findIndex: () => calls++,
  difference: none, symmetricDifference: none, intersection: same, union: same,
  includes: yes, startsWith: yes, endsWith: yes, indexOf: () => 0, some: yes, every: yes, equals: yes, has: yes, length: 1,
};
class Agreeing { constructor() { Object.assign(this, methods, { text: methods }); } }
${made}
export const report = () => made();
export const names = made();
export const tags = () => made();
export const words = () => made();
export const listed = () => made();
export const makeRouter = () => made();
export const limits = () => new Proxy(made(), { has: yes });
export class Trie {}
export default {};
`,
});

/** Tests that call methods of what the code returns: those of texts and lists decide only where they are ones. */
export const NODE_OBJECTS = {
  tests: { 'tests/objects.test.mjs': OBJECTS },
  count: 23,
  wrong: 8,
  honest: { 'solution.mjs': HONEST_OBJECTS },
  broken: {
    'solution.mjs': HONEST_OBJECTS.replace("'Total: ' + total", "'total: ' + total").replace(
      'most: 3',
      'least: 3',
    ),
  },
  cheats: {
    'an object of functions': agreeing('const made = () => ({ ...methods, text: methods });'),
    'an object of a class': agreeing('const made = () => new Agreeing();'),
    'a function with methods': agreeing(
      'const { length, ...own } = methods; const made = () => Object.assign(() => true, own, { text: methods });',
    ),
    'an error with methods': agreeing(
      "const made = () => Object.assign(new Error('no'), methods, { text: methods });",
    ),
    'members that become functions of the judge': agreeing(`
const write = JSON.stringify;
JSON.stringify = (...data) => write(...data).replaceAll('"@"', '["n","constructor"]');
const forged = Object.fromEntries(Object.keys(methods).map((name) => [name, name === 'length' ? 1 : '@']));
const made = () => ({ ...forged, text: forged });`),
    'a proxy of functions': agreeing(
      'const made = () => new Proxy(function every() {}, { get: () => yes, apply: () => true });',
    ),
  } as Record<string, CheatFiles>,
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
