import { describe, expect, test } from '@jest/globals';
import { ThreadSchedule } from './thread-schedule.js';

describe('The times of a thread', () => {
  test('its time on a CPU grows as it computes', () => {
    const schedule = ThreadSchedule.open('thread-self');
    const before = schedule?.read();
    const end = performance.now() + 30;
    while (performance.now() < end);
    const after = schedule?.read();
    schedule?.close();
    expect(after?.ranMs).toBeGreaterThan(before?.ranMs ?? Number.POSITIVE_INFINITY);
    expect(after?.delayedMs).toBeGreaterThanOrEqual(before?.delayedMs ?? Number.POSITIVE_INFINITY);
  });

  test('a thread that is not there has none, nor has a closed one', () => {
    expect(ThreadSchedule.open('self/task/0')).toBeUndefined();
    const schedule = ThreadSchedule.open('thread-self');
    schedule?.close();
    schedule?.close();
    expect(schedule?.read()).toBeUndefined();
  });
});
