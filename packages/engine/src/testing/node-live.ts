import type { CheatFiles } from './python-cheats.js';

/** Exports that change, and values that are no plain data. */
const LIVE = `
import assert from 'node:assert/strict';
import { before, describe, it, test } from 'node:test';
import * as solution from '../solution.mjs';
import { add, counted, counts, curry, each, KIND, kind, parse, pattern, state, total } from '../solution.mjs';

test('a variable', () => {
  add(2);
  assert.equal(total, 2);
  assert.equal(solution.total, 2);
});
test('a getter', () => {
  add(1);
  assert.equal(counted.value, 3);
});
test('an object', () => {
  add(1);
  assert.deepEqual(state, { total: 4 });
  assert.deepEqual(counts, [2, 1, 1]);
});
test('later', async () => {
  add.later(1);
  while (total === 4) await new Promise((done) => setTimeout(done, 2));
  assert.equal(total, 5);
});
describe('a suite', () => {
  before((t, done) => add.later(0, done));
  it('has a hook that waits for a callback', () => assert.equal(total, 5));
});
test('an asynchronous iteration', async () => {
  const found = [];
  for await (const item of each(3)) found.push(item);
  assert.deepEqual(found, [0, 1, 2]);
  for await (const item of each(3)) if (item === 1) break;
});
test('an error within it', async () => {
  await assert.rejects(async () => {
    for await (const item of each(-1)) assert.fail(item);
  }, RangeError);
});
test('the parameters of a function', () => assert.equal(curry((a, b, c) => a + b + c)(1)(2)(3), 6));
test('a text', () => assert.equal(\`\${parse('x')}\`, 'x'));
test('a member', () => {
  assert.ok('text' in parse('x'));
  assert.ok(!('other' in parse('x')));
});
test('a pattern', () => assert.equal('caat'.replace(pattern(/a+/), '-'), 'c-t'));
test('a class of the test', () => {
  class Own extends solution.Steps {}
  assert.throws(() => new Own(1), /agentclash-grade: a class of a test/);
  assert.ok(new solution.Steps(1) instanceof solution.Steps);
});
test('a symbol', () => {
  assert.equal(kind(), KIND);
  assert.equal(typeof KIND, 'symbol');
});
`;

const honest = (parse: string, each: string) => ({
  'solution.mjs': `
export let total = 0;
export const counted = { get value() { return total; } };
export const state = { total };
export const counts = [];
export const add = (more) => { total += more; state.total = total; counts.push(more); };
add.later = (more, then) => { setTimeout(() => { add(more); then?.(); }, 1); };
${each}
export const curry = (action) => function next(...values) {
  return values.length >= action.length ? action(...values) : (...more) => next(...values, ...more);
};
${parse}
export const pattern = (given) => new RegExp(given.source, 'g');
export const KIND = Symbol('kind');
export const kind = () => KIND;
`,
});

export const NODE_LIVE = {
  tests: { 'tests/live.test.mjs': LIVE },
  count: 13,
  wrong: 13,
  honest: honest(
    'export const parse = (text) => ({ text, toString: () => text });',
    "export async function* each(count) { if (count < 0) throw new RangeError('negative'); for (let at = 0; at < count; at += 1) yield at; }\nexport class Steps {}",
  ),
  variants: {
    'objects of classes': honest(
      'class Row { constructor(text) { this.text = text; } toString() { return this.text; } }\nexport const parse = (text) => new Row(text);',
      `export class Steps {
  constructor(count) { this.count = count; this.at = 0; }
  async next() {
    if (this.count < 0) throw new RangeError('negative');
    return this.at < this.count ? { value: this.at++, done: false } : { value: undefined, done: true };
  }
  [Symbol.asyncIterator]() { return this; }
}
export const each = (count) => new Steps(count);`,
    ),
  } as Record<string, CheatFiles>,
  broken: {
    'solution.mjs': `
export const total = 0;
export const counted = {};
export const state = {};
export const counts = [];
export const add = () => { throw new Error('no'); };
add.later = (_, then) => then?.();
export const each = () => [];
export const curry = () => null;
export const parse = () => new Proxy({}, { has: () => true });
export const pattern = () => null;
export const KIND = 'kind';
export const kind = () => null;
`,
  },
  cheats: {} as Record<string, CheatFiles>,
};
