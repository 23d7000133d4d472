import { describe, expect, test } from '@jest/globals';
import { createLogger } from '../telemetry/logging.js';
import { SweepLoop } from './sweep.loop.js';

const COUNTS = {
  ...{ scanned: 1, referenced: 1, young: 0, removed: 0, removed_bytes: 0, missing: 0 },
  missing_sha256: [],
};

describe('the loop of sweeps', () => {
  test('a shutdown waits for the sweep under way, aborts it, and starts no other', async () => {
    let begin: (signal: AbortSignal) => void = () => {};
    let end: (counts: typeof COUNTS) => void = () => {};
    const begun = new Promise<AbortSignal>((resolve) => {
      begin = resolve;
    });
    const ended = new Promise<typeof COUNTS>((resolve) => {
      end = resolve;
    });
    let sweeps = 0;
    const loop = new SweepLoop(
      'evidence',
      async (signal) => {
        sweeps += 1;
        begin(signal);
        return await ended;
      },
      { everyMs: 1 },
      createLogger('tests', 'fatal'),
    );
    await loop.onApplicationBootstrap();
    const signal = await begun;
    expect(signal.aborted).toBe(false);
    let isStopped = false;
    const stopped = loop.stop().then(() => {
      isStopped = true;
    });
    expect(signal.aborted).toBe(true);
    await Promise.resolve();
    expect(isStopped).toBe(false);
    end(COUNTS);
    await stopped;
    expect(sweeps).toBe(1);
  });

  test('the loop of sweeps continues after a sweep that failed', async () => {
    let resolve: () => void = () => {};
    const promise = new Promise<void>((done) => {
      resolve = done;
    });
    let sweeps = 0;
    const loop = new SweepLoop(
      'evidence',
      () => {
        sweeps += 1;
        if (sweeps === 1) return Promise.reject(new Error('the store is unavailable'));
        resolve();
        return Promise.resolve(COUNTS);
      },
      { everyMs: 1 },
      createLogger('tests', 'fatal'),
    );
    await loop.onApplicationBootstrap();
    await promise;
    await loop.stop();
    expect(sweeps).toBeGreaterThanOrEqual(2);
  });
});
