import { describe, expect, jest, test } from '@jest/globals';
import { runIsolated, WorkerFailed, WorkerTimeout } from './isolated-worker.js';
import { runJq } from './query-engines.js';

jest.setTimeout(30_000);
const { signal } = new AbortController();
const jq = async (query: string, json = '{"a": [1, "x", null]}') => {
  const { stdout, exitCode } = await runJq(query, json, signal);
  return {
    values: stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line)),
    exitCode,
  };
};

describe('jq in a worker', () => {
  test('jq in a worker returns every value', async () => {
    expect(await jq('.a[]')).toEqual({ values: [1, 'x', null], exitCode: 0 });
    expect(await jq('def f: length; .a | f # a comment')).toEqual({ values: [3], exitCode: 0 });
  });

  test.each(['$ENV', 'env', '1) | $ENV | (.', '1), env, (1', '[env, $ENV]', 'env.HOME, $ENV.PATH'])(
    'jq in a worker has no environment: %s',
    async (query) => {
      const { values } = await jq(query);
      expect(JSON.stringify(values)).not.toMatch(/web_user|PATH|HOME|\//);
    },
  );

  test.each(['import "a" as a; .', 'include "a"; .', 'import "/etc/passwd" as $d; $d'])(
    'jq in a worker reads no modules: %s',
    async (query) => {
      expect((await jq(query)).exitCode).not.toBe(0);
    },
  );
});

describe('a worker', () => {
  test('a worker that never ends is killed', async () => {
    const forever = async (): Promise<null> => {
      for (;;);
    };
    await expect(runIsolated(forever, {}, { timeoutMs: 200, signal })).rejects.toThrow(WorkerTimeout);
  });

  test('a worker cannot grow beyond its memory', async () => {
    const grow = async () => {
      const { Memory } = Reflect.get(globalThis, 'WebAssembly');
      return new Memory({ initial: 1 }).grow(5_000);
    };
    await expect(runIsolated(grow, {}, { timeoutMs: 5_000, signal })).rejects.toThrow(WorkerFailed);
  });

  test('a worker sees neither the environment nor the arguments of its executor', async () => {
    const look = async () => ({ env: process.env, argv: process.argv });
    expect(await runIsolated(look, {}, { timeoutMs: 5_000, signal })).toEqual({
      env: {},
      argv: ['worker', 'worker'],
    });
  });

  test('a worker stops when the attempt does', async () => {
    const reason = new Error('over');
    const stop = new AbortController();
    const forever = async (): Promise<null> => {
      for (;;);
    };
    const running = runIsolated(forever, {}, { timeoutMs: 60_000, signal: stop.signal });
    stop.abort(reason);
    await expect(running).rejects.toBe(reason);
  });
});
