import { describe, expect, test } from '@jest/globals';
import { WakeUps } from './wake-ups.js';

const never = new AbortController().signal;

describe('a wake-up', () => {
  test('a wake-up arrives for events beyond the position, and not for older ones', async () => {
    const wakeUps = new WakeUps();
    const ear = wakeUps.follow('r');
    const waiting = ear.beyond(5, 60_000, never);
    wakeUps.recorded('r', 6);
    expect(await waiting).toBe(true);
    expect(await ear.beyond(6, 1, never)).toBe(false);
  });

  test('a wake-up that arrives before the wait is not lost', async () => {
    const wakeUps = new WakeUps();
    const ear = wakeUps.follow('r');
    wakeUps.recorded('r', 6);
    wakeUps.recorded('r', 3);
    expect(await ear.beyond(5, 60_000, never)).toBe(true);
  });

  test('a wake-up reaches all streams of its run and none of another', async () => {
    const wakeUps = new WakeUps();
    const ears = [wakeUps.follow('r'), wakeUps.follow('r')];
    const other = wakeUps.follow('s');
    wakeUps.recorded('r', 1);
    expect(await Promise.all(ears.map((ear) => ear.beyond(0, 60_000, never)))).toEqual([true, true]);
    expect(await other.beyond(0, 1, never)).toBe(false);
  });

  test('a closed stream receives no wake-ups, and the others still do', async () => {
    const wakeUps = new WakeUps();
    const [gone, here] = [wakeUps.follow('r'), wakeUps.follow('r')];
    gone.close();
    gone.close();
    wakeUps.recorded('r', 1);
    expect(await gone.beyond(0, 1, never)).toBe(false);
    expect(await here.beyond(0, 60_000, never)).toBe(true);
    here.close();
    const again = wakeUps.follow('r');
    here.close();
    wakeUps.recorded('r', 2);
    expect(await again.beyond(1, 60_000, never)).toBe(true);
  });

  test('aborting ends the wait for a wake-up', async () => {
    const leaving = new AbortController();
    const ear = new WakeUps().follow('r');
    const waiting = ear.beyond(0, 60_000, leaving.signal);
    leaving.abort();
    expect(await waiting).toBe(false);
    expect(await ear.beyond(0, 60_000, leaving.signal)).toBe(false);
  });
});
