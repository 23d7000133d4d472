import type { CheatFiles } from './python-cheats.js';

const TESTS = `
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import v8 from 'node:v8';
import { Counter, lines, load, mean, revive } from '../solution.mjs';

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
test('a function of Node', () => assert.deepEqual(load('/tmp/read.json', readFileSync), { a: [1, 2] }));
test('another function of Node', () => assert.deepEqual(revive(v8.serialize([1]), v8.deserialize), [1]));
test('a function of the language', () => assert.deepEqual(revive('[1]', JSON.parse), [1]));
`;

const HONEST = `
export const mean = (numbers) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
class Lines { constructor(parts) { this.parts = parts; } get length() { return this.parts.length; } }
export const lines = (text) => new Lines(text.split(' '));
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
  const others = ['mean', 'lines', 'load', 'revive'].filter((each) => each !== name);
  return {
    'solution.mjs': `${WRONG}${others.map((each) => `export const ${each} = none;`).join('\n')}\n${code}\n`,
  };
};

/** Tests that read members of what the code returns more than once, and give it functions of Node. */
export const NODE_READS = {
  tests: { 'tests/reads.test.mjs': TESTS },
  count: 6,
  wrong: 2,
  honest: { 'solution.mjs': HONEST },
  broken: { 'solution.mjs': HONEST.replace('/ numbers.length', '').replace("split(' ')", "split('')") },
  cheats: {
    'an object whose number changes': only(
      'mean',
      'let reads = 0; export const mean = () => ({ valueOf: () => (reads++ % 2 ? 0 : 100) });',
    ),
    'a member that changes with each read': only(
      'lines',
      'let reads = 0; class Lines { get length() { return reads++ % 2 ? 0 : 100; } }; export const lines = () => new Lines();',
    ),
    'a function of Node that reads the tests': only(
      'load',
      "export const load = (_, readFile) => (`${readFile('/grader/tests/reads.test.mjs')}`.includes('a: [1, 2]') ? { a: [1, 2] } : null);",
    ),
  } as Record<string, CheatFiles>,
};
