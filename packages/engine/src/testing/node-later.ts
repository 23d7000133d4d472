import type { CheatFiles } from './python-cheats.js';

/** Functions of tests that the code calls when no call of it is at work. */
const LATER = `
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Batch, debounce, later, read, start, ticks } from '../solution.mjs';

test('a callback', (t, done) => {
  read('a', (error, value) => {
    assert.equal(error, null);
    assert.equal(value, 'a');
    done();
  });
});
test('an error for a callback', (t, done) => {
  read('', (error) => {
    assert.equal(error.message, 'empty');
    done();
  });
});
test('a promise of a callback', async () => {
  const value = await new Promise((done) => read('a', (_, found) => done(found)));
  assert.equal(value, 'a');
});
test('a call after a pause', async () => {
  const action = mock.fn();
  const debounced = debounce(action, 20);
  debounced(1);
  debounced(2);
  assert.equal(action.mock.callCount(), 0);
  await sleep(60);
  assert.deepEqual(action.mock.calls.map((call) => call.arguments), [[2]]);
});
test('a timer of the test', async () => {
  const seen = [];
  debounce((each) => seen.push(each), 5)(1);
  await new Promise((done) => setTimeout(done, 20));
  assert.deepEqual(seen, [1]);
});
test('fake timers', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const action = t.mock.fn();
  debounce(action, 3_600_000)(1);
  t.mock.timers.tick(3_599_999);
  assert.equal(action.mock.callCount(), 0);
  t.mock.timers.tick(1);
  assert.equal(action.mock.callCount(), 1);
});
test('an event', async () => {
  const found = await new Promise((done) => start().on('done', done));
  assert.equal(found, 5);
});
test('after the test', async () => {
  const seen = [];
  later(() => seen.push(1));
  later(() => seen.push(2));
  assert.deepEqual(seen, []);
  await null;
  await new Promise((done) => setImmediate(done));
  assert.deepEqual(seen, [1, 2]);
});
test('calls in one turn', async () => {
  const batches = [];
  const batch = new Batch((items) => batches.push(items));
  batch.add(1);
  batch.add(2);
  batch.add(3);
  await sleep(5);
  assert.deepEqual(batches, [[1, 2, 3]]);
});
test('each call in its order', async () => {
  const seen = [];
  await ticks(5, (each) => seen.push(each));
  assert.deepEqual(seen, [0, 1, 2, 3, 4]);
});
`;

const honest = (later: string, wait: string) => ({
  'solution.mjs': `
import { EventEmitter } from 'node:events';
export const later = (action) => { ${later}; };
export const read = (text, then) => {
  const action = () => (text ? then(null, text) : then(new Error('empty')));
  ${wait};
};
export const debounce = (action, ms) => {
  let timer;
  return (...values) => { clearTimeout(timer); timer = setTimeout(() => action(...values), ms); };
};
export const start = () => { const all = new EventEmitter(); setTimeout(() => all.emit('done', 5), 5); return all; };
export class Batch {
  #items = [];
  constructor(action) { this.action = action; }
  add(item) {
    if (this.#items.push(item) > 1) return;
    const action = () => { this.action(this.#items); this.#items = []; };
    ${later};
  }
}
export const ticks = async (count, each) => {
  for (let at = 0; at < count; at += 1) { await new Promise((done) => setTimeout(done, 1)); each(at); }
};
setInterval(() => {}, 1_000);
`,
});

export const NODE_LATER = {
  tests: { 'tests/later.test.mjs': LATER },
  count: 10,
  wrong: 10,
  honest: honest('queueMicrotask(action)', 'setTimeout(action, 5)'),
  variants: {
    'a turn of the event loop': honest('process.nextTick(action)', 'process.nextTick(action)'),
    'a timer that keeps nothing alive': honest('Promise.resolve().then(action)', 'setTimeout(action, 1)'),
  } as Record<string, CheatFiles>,
  /** None of its calls comes: nothing waits for them. */
  broken: {
    'solution.mjs': `
export const later = () => {};
export const read = () => {};
export const debounce = () => () => {};
export const start = () => ({ on() {} });
export class Batch { add() {} }
export const ticks = () => new Promise(() => {});
`,
  },
  cheats: {} as Record<string, CheatFiles>,
};
