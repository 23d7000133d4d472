import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { EVENTS_BURST, EVENTS_PER_SECOND, EventPace } from './event-outbox.js';

describe('the pace of the events of one delivery', () => {
  test('a burst is not paced, and what follows it waits for the rate', () => {
    const pace = new EventPace(0);
    for (let event = 0; event < EVENTS_BURST; event += 1) pace.take(0);
    expect(pace.waitMs(0)).toBe(0);
    pace.take(0);
    expect(pace.waitMs(0)).toBe(1_000 / EVENTS_PER_SECOND);
  });

  test('no span of time holds more events than a burst and what the rate allows', () => {
    const pauses = fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 1, maxLength: 20 });
    const amounts = fc.integer({ min: 1, max: 40 });
    fc.assert(
      fc.property(pauses, amounts, (each, perCall) => {
        const pace = new EventPace(0);
        const times: number[] = [];
        let now = 0;
        for (const pause of each) {
          now += pause;
          for (let call = 0; call < 60; call += 1) {
            now += pace.waitMs(now);
            for (let event = 0; event < perCall; event += 1) {
              pace.take(now);
              times.push(now);
            }
          }
        }
        const most = (from: number) => EVENTS_BURST + ((now - from) * EVENTS_PER_SECOND) / 1_000 + perCall;
        for (let first = 0; first < times.length; first += 100) {
          expect(times.length - first).toBeLessThanOrEqual(most(times[first] ?? 0) + 1e-6);
        }
      }),
    );
  });
});
