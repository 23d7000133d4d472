import type { EventPayloads } from '@agentclash/domain';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DeduplicatedBlockedRequests } from './sandbox-egress.js';

type BlockedRequest = EventPayloads['network.request.blocked'];

const request = (host: string, reason = 'loopback'): BlockedRequest => ({
  ...{ method: 'GET', scheme: 'http', host, port: 1 },
  reason,
});

function folded() {
  const recorded: BlockedRequest[] = [];
  const clock = { now: 0 };
  const folds = new DeduplicatedBlockedRequests({
    record: (each) => recorded.push(each),
    monotonic: () => clock.now,
  });
  return { folds, recorded, clock };
}

describe('repeated blocked requests', () => {
  test('repeated blocked requests of a flood become two events: the first, and one with the count of the others', () => {
    const { folds, recorded } = folded();
    for (let index = 0; index < 119_400; index += 1) folds.add(request('x.localhost'));
    folds.close();
    folds.close();
    expect(recorded).toEqual([request('x.localhost'), { ...request('x.localhost'), count: 119_399 }]);
  });

  test('repeated blocked requests are recorded every ten seconds', () => {
    const { folds, recorded, clock } = folded();
    for (clock.now = 0; clock.now < 25_000; clock.now += 100) folds.add(request('x'));
    expect(recorded.map(({ count }) => count)).toEqual([undefined, 100, 100]);
  });

  test('repeated blocked requests of different hosts and reasons have separate counts', () => {
    const { folds, recorded } = folded();
    for (const each of [request('a'), request('b'), request('a', 'port'), request('a')]) folds.add(each);
    folds.close();
    expect(recorded).toEqual([request('a'), request('b'), request('a', 'port'), request('a')]);
  });

  test('the count of repeated blocked requests is exact, however many hosts there are', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 600 }), { maxLength: 2_000 }), (hosts) => {
        const { folds, recorded } = folded();
        for (const host of hosts) folds.add(request(String(host)));
        folds.close();
        const countOf = (host: string) =>
          recorded.filter((each) => each.host === host).reduce((sum, { count = 1 }) => sum + count, 0);
        for (const host of new Set(hosts)) {
          expect(countOf(String(host))).toBe(hosts.filter((each) => each === host).length);
        }
      }),
      { numRuns: 30 },
    );
  });
});
