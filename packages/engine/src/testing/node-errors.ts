import type { CheatFiles } from './python-cheats.js';

/** Errors of the code and of tests, whose members are own fields or those of their classes. */
const ERRORS = `
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError, both, fail, HttpError, retry, Transient, wrap } from '../solution.mjs';

test('a code', () => assert.throws(() => fail(), { message: 'no', code: 'E_APP' }));
test('a class', () => assert.throws(() => fail(), AppError));
test('a class of the language', () => assert.throws(() => fail(), TypeError));
test('the name of a class', () => assert.throws(() => fail(), (error) => error.constructor.name === 'AppError'));
test('a member of a new error', () => {
  const error = new HttpError(404);
  assert.equal(error.status, 404);
  assert.ok(error instanceof HttpError);
  assert.ok(error instanceof Error);
});
test('a method', () => assert.equal(new HttpError(404).describe(), 'status 404'));
test('its text', () => assert.equal(String(new HttpError(404)), 'HttpError: status 404'));
test('a cause', () => {
  assert.throws(() => wrap(), (error) => {
    assert.equal(error.message, 'outer');
    assert.ok(error.cause instanceof RangeError);
    assert.equal(error.cause.message, 'inner');
    assert.deepEqual(Object.keys(error), []);
    return true;
  });
});
test('several errors', async () => {
  await assert.rejects(both(), (error) => {
    assert.ok(error instanceof AggregateError);
    assert.deepEqual(error.errors.map((each) => each.message), ['a', 'b']);
    return true;
  });
});
test('an error of the code that a test throws', async () => {
  let calls = 0;
  const action = async () => {
    calls += 1;
    if (calls < 3) throw new Transient('again');
    return calls;
  };
  assert.equal(await retry(action), 3);
});
test('a field that a test sets', () => {
  const error = Object.assign(new Transient('again'), { attempts: 2 });
  assert.throws(() => retry.now(() => { throw error; }), { attempts: 3 });
});
test('a method of an error of the test', () => {
  class Own extends Error {
    get isFinal() { return true; }
    reason() { return this.message + '!'; }
  }
  assert.equal(retry.now(() => { throw new Own('end'); }), 'end!');
});
`;

const honest = (classes: string) => ({
  'solution.mjs': `
${classes}
export class Transient extends Error {}
export const fail = () => { throw new AppError('no'); };
export const wrap = () => { throw new Error('outer', { cause: new RangeError('inner') }); };
export const both = () => Promise.any([Promise.reject(new Error('a')), Promise.reject(new Error('b'))]);
export const retry = async (action) => {
  for (;;) {
    try { return await action(); } catch (error) { if (!(error instanceof Transient)) throw error; }
  }
};
retry.now = (action) => {
  try { return action(); } catch (error) {
    if (error.isFinal) return error.reason();
    error.attempts += 1;
    throw error;
  }
};
`,
});

export const NODE_ERRORS = {
  tests: { 'tests/errors.test.mjs': ERRORS },
  count: 12,
  wrong: 11,
  honest: honest(`
export class AppError extends TypeError { constructor(text) { super(text); this.code = 'E_APP'; } }
export class HttpError extends Error {
  constructor(status) { super('status ' + status); this.name = 'HttpError'; this.status = status; this.describe = () => this.message; }
}`),
  variants: {
    'private fields, getters and methods': honest(`
export class AppError extends TypeError { get code() { return 'E_APP'; } }
export class HttpError extends Error {
  #status;
  constructor(status) { super('no'); this.#status = status; }
  get status() { return this.#status; }
  describe() { return 'status ' + this.#status; }
  toString() { return 'HttpError: ' + this.describe(); }
}`),
    'fields of the class': honest(`
export class AppError extends TypeError {}
AppError.prototype.code = 'E_APP';
class Base extends Error { get status() { return this.own.status; } describe() { return this.message; } }
export class HttpError extends Base {
  constructor(status) {
    super('status ' + status);
    Object.defineProperty(this, 'own', { value: { status } });
  }
}
HttpError.prototype.name = 'HttpError';`),
  } as Record<string, CheatFiles>,
  broken: {
    'solution.mjs': `
export class AppError extends TypeError {}
export class HttpError extends Error {}
export class Transient extends Error {}
export const fail = () => { throw new TypeError('none'); };
export const [wrap, both] = [fail, fail];
export const retry = () => null;
`,
  },
  cheats: {} as Record<string, CheatFiles>,
};
