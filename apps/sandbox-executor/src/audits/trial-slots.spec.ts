import { Semaphore } from '@agentclash/threads';
import { expect, test } from '@jest/globals';
import { TrialSlots } from './trial-slots.js';

function slotsFor(attemptsMax: number) {
  const slots = new TrialSlots({ permits: new Semaphore(attemptsMax) }, { attemptsMax });
  const begun: string[] = [];
  const take = async (tenant: string, signal = new AbortController().signal) => {
    const end = await slots.of(tenant)(signal);
    begun.push(tenant);
    return end;
  };
  return { slots, take, begun };
}

test('a workspace with many trials delays the trials of another by no more than one trial', async () => {
  const { take, begun } = slotsFor(4);
  const waiting = ['a', 'a', 'a', 'b', 'a'].map((tenant) => take(tenant));
  for (const index of [0, 1, 3, 2, 4]) (await waiting[index])?.();
  expect(begun).toEqual(['a', 'a', 'b', 'a', 'a']);
});

test('a workspace uses all turns while no other has a trial', async () => {
  const { take, slots } = slotsFor(8);
  expect(slots.most).toBe(2);
  const ends = await Promise.all([take('a'), take('a')]);
  for (const end of ends) end();
});

test('a cancelled trial leaves the queue with the reason, and its turn goes to the next', async () => {
  const { take } = slotsFor(4);
  const end = await take('a');
  const cancelled = new AbortController();
  const waiting = take('a', cancelled.signal);
  const next = take('b');
  cancelled.abort(new Error('cancelled'));
  await expect(waiting).rejects.toThrow('cancelled');
  end();
  (await next)();
});

test('the trials of all audits leave most permits to attempts', async () => {
  const permits = new Semaphore(4);
  const slots = new TrialSlots({ permits }, { attemptsMax: 4 });
  const { signal } = new AbortController();
  const ends = await Promise.all([
    slots.of('a')(signal),
    ...Array.from({ length: 3 }, () => permits.acquire()),
  ]);
  expect(ends).toHaveLength(4);
  for (const end of ends) end();
});
