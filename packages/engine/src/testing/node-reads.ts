import type { CheatFiles } from './python-cheats.js';

const TESTS = `
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import v8 from 'node:v8';
import { Counter, doubled, lines, load, mean, named, pairs, revive } from '../solution.mjs';

writeFileSync('/tmp/read.json', '{"a": [1, 2]}');
test('one number', () => {
  const found = mean([9, 10, 11]);
  assert.ok(found > 9.99 && found < 10.01);
});
test('one member', () => {
  const found = lines('a b');
  assert.ok(found.length > 1);
  assert.ok(found.length < 3);
});
test('a member that changes', async () => {
  const counter = new Counter();
  assert.equal(counter.count, 0);
  counter.add();
  assert.equal(counter.count, 1);
  counter.addEach([1, 2], () => assert.ok(counter.count > 0));
  assert.equal(counter.count, 3);
  counter.addLater();
  while (counter.count === 3) await new Promise((done) => setTimeout(done, 5));
  assert.equal(counter.count, 4);
});
test('each item', () => {
  const list = doubled([1, 2]);
  assert.equal(list.length, 2);
  list.forEach((each, at) => assert.equal(each, 2 * (at + 1)));
});
test('no item', () => {
  const list = named(['ann', 'bob']);
  assert.equal(list.length, 2);
  assert.equal(list.find((each) => each.length !== 3), undefined);
});
test('entries', () => {
  const list = pairs([5, 6]);
  assert.equal(list.length, 2);
  for (const [at, each] of list.entries()) assert.equal(each, at + 5);
});
test('items', () => {
  const list = pairs([5, 6]);
  assert.equal(list.length, 2);
  let at = 5;
  for (const each of list) assert.equal(each, at++);
});
test('items that change', () => {
  const list = doubled([1, 2]);
  assert.equal(list.length, 2);
  list.clear();
  for (const each of list) assert.equal(each, undefined);
  list.forEach(() => assert.fail());
  assert.equal(list.length, 0);
  const other = doubled([1, 2, 3]);
  assert.equal(other.length, 3);
  for (const each of other) if (each === 2) other.clear();
  assert.equal(other.find((each) => each > 0), undefined);
});
test('a function of Node', () => assert.deepEqual(load('/tmp/read.json', readFileSync), { a: [1, 2] }));
test('another function of Node', () => assert.deepEqual(revive(v8.serialize([1]), v8.deserialize), [1]));
test('a function of the language', () => assert.deepEqual(revive('[1]', JSON.parse), [1]));
`;

const HONEST = `
export const mean = (numbers) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
class Lines { constructor(parts) { this.parts = parts; } get length() { return this.parts.length; } }
export const lines = (text) => new Lines(text.split(' '));
class List {
  constructor(items) { this.own = items; }
  get length() { return this.own.length; }
  forEach(action) { this.own.forEach(action); }
  find(isSought) { return this.own.find(isSought); }
  *entries() { yield* this.own.entries(); }
  *[Symbol.iterator]() { yield* this.own; }
  clear() { this.own = []; }
}
export const doubled = (numbers) => new List(numbers.map((each) => 2 * each));
export const named = (names) => new List(names);
export const pairs = (numbers) => new List(numbers);
export class Counter {
  count = 0;
  add() { this.count += 1; }
  addEach(items, check) { for (const _ of items) { this.add(); check(); } }
  addLater() { setTimeout(() => this.add(), 20); }
}
export const load = (path, readFile) => JSON.parse(readFile(path, 'utf8'));
export const revive = (data, read) => read(data);
`;

const WRONG = `
export class Counter {}
const none = () => null;
`;
const only = (name: string, code: string): CheatFiles => {
  const others = ['mean', 'lines', 'load', 'revive', 'doubled', 'named', 'pairs'].filter(
    (each) => each !== name,
  );
  return {
    'solution.mjs': `${WRONG}${others.map((each) => `export const ${each} = none;`).join('\n')}\n${code}\n`,
  };
};

/** Tests that read members of what the code returns more than once, and give it functions of Node. */
export const NODE_READS = {
  tests: { 'tests/reads.test.mjs': TESTS },
  count: 11,
  wrong: 2,
  honest: { 'solution.mjs': HONEST },
  broken: { 'solution.mjs': HONEST.replace('/ numbers.length', '').replace("split(' ')", "split('')") },
  cheats: {
    'an object whose number changes': only(
      'mean',
      'let reads = 0; export const mean = () => ({ valueOf: () => (reads++ % 2 ? 0 : 100) });',
    ),
    'an object whose text changes': only(
      'mean',
      'let reads = 0; export const mean = () => ({ toString: () => (reads++ % 2 ? 0 : 100) });',
    ),
    'an error that gives no item to functions': only(
      'doubled',
      "export const doubled = () => Object.assign(new Error('no'), { length: 2, forEach() {} });",
    ),
    'a member that changes with each read': only(
      'lines',
      'let reads = 0; class Lines { get length() { return reads++ % 2 ? 0 : 100; } }; export const lines = () => new Lines();',
    ),
    'a list that gives no item to functions': only(
      'doubled',
      'class List { length = 2; forEach() {} }; export const doubled = () => new List();',
    ),
    'a copy that gives no item to functions': only(
      'doubled',
      'export const doubled = () => ({ length: 2, forEach() {} });',
    ),
    'a list that finds nothing': only(
      'named',
      'class List { length = 2; find() {} }; export const named = () => new List();',
    ),
    'a list without entries': only(
      'pairs',
      'class List { length = 2; entries() { return []; } [Symbol.iterator]() { return [][Symbol.iterator](); } }; export const pairs = () => new List();',
    ),
    'a list whose iterations end early': only(
      'pairs',
      'class List { length = 2; *entries() {} *[Symbol.iterator]() {} }; export const pairs = () => new List();',
    ),
    'a function of Node that reads the tests': only(
      'load',
      "export const load = (_, readFile) => (`${readFile('/grader/tests/reads.test.mjs')}`.includes('a: [1, 2]') ? { a: [1, 2] } : null);",
    ),
  } as Record<string, CheatFiles>,
};
