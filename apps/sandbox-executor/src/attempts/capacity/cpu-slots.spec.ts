import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CpuSlots } from './cpu-slots.js';

/** Resolves after everything that is ready has run. */
const settle = () => new Promise((resolve) => setImmediate(resolve));
const never = new AbortController().signal;

function queueOf(slots: CpuSlots) {
  const entered: string[] = [];
  const releases = new Map<string, () => void>();
  const enter = (name: string, cpu: number, signal = never) =>
    void slots.take(cpu, signal).then((release) => {
      if (signal.aborted) return;
      entered.push(name);
      releases.set(name, release);
    });
  return { entered, releases, enter };
}

describe('the CPU slots of an executor', () => {
  test('CPU slots are taken in the order of the requests, and a large request is not overtaken by small ones', async () => {
    const { entered, releases, enter } = queueOf(new CpuSlots({ cpuSlots: 4 }));
    enter('a', 3);
    enter('b', 2);
    enter('c', 1);
    await settle();
    expect(entered).toEqual(['a']);
    releases.get('a')?.();
    await settle();
    expect(entered).toEqual(['a', 'b', 'c']);
  });

  test('a request takes at least one CPU slot, and at most all of them', async () => {
    const { entered, releases, enter } = queueOf(new CpuSlots({ cpuSlots: 2 }));
    enter('small', 0.1);
    enter('small too', 0.1);
    enter('large', 16);
    await settle();
    expect(entered).toEqual(['small', 'small too']);
    releases.get('small')?.();
    releases.get('small too')?.();
    await settle();
    expect(entered).toEqual(['small', 'small too', 'large']);
  });

  test('an aborted request neither waits for a CPU slot nor takes one', async () => {
    const slots = new CpuSlots({ cpuSlots: 1 });
    const { entered, releases, enter } = queueOf(slots);
    const ending = new AbortController();
    enter('first', 1);
    enter('aborted', 1, ending.signal);
    enter('second', 1);
    ending.abort();
    (await slots.take(1, ending.signal))();
    await settle();
    expect(entered).toEqual(['first']);
    releases.get('first')?.();
    await settle();
    expect(entered).toEqual(['first', 'second']);
  });

  test('CPU slots are never exceeded, and all of them are released', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 8 }),
        fc.array(fc.record({ cpu: fc.double({ min: 0.1, max: 10, noNaN: true }), isAborted: fc.boolean() }), {
          maxLength: 20,
        }),
        async (cpuSlots, requests) => {
          const slots = new CpuSlots({ cpuSlots });
          let taken = 0;
          const works = requests.map(async ({ cpu, isAborted }) => {
            const work = new AbortController();
            const wait = slots.take(cpu, work.signal);
            if (isAborted) work.abort();
            const release = await wait;
            const held = Math.min(Math.max(1, Math.ceil(cpu)), cpuSlots);
            if (!isAborted) taken += held;
            expect(taken).toBeLessThanOrEqual(cpuSlots);
            await settle();
            if (!isAborted) taken -= held;
            release();
          });
          await Promise.all(works);
          expect(taken).toBe(0);
          (await slots.take(cpuSlots, never))();
        },
      ),
    );
  });
});
