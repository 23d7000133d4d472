import type { AttemptEvent, PeerProgress } from '@agentclash/domain';
import { describe, expect, test } from '@jest/globals';
import { AttemptEvents } from '../events/attempt-events.js';
import { peerStandings } from './peer-standings.js';
import { Steps } from './steps.js';

type Lookup = (iteration: number) => Promise<PeerProgress[]>;

const working = (steps: number): PeerProgress[] => [
  { id: 'agent-alpha', steps, state: 'working' },
  { id: 'agent-beta', steps: 0, state: 'waiting' },
];

/** Requests the standings before each of ten iterations. */
async function race(lookup: Lookup, { min_step_gap = 3, attemptId = 't' } = {}) {
  const emitted: AttemptEvent[] = [];
  const clock = {
    now: () => 0,
    monotonic: () => 0,
    // Only a lookup that hangs outlives the turn of the event loop.
    sleep: () => new Promise<void>((resolve) => setImmediate(resolve)),
  };
  const identity = {
    run_id: 'r',
    run_agent_id: 'a',
    attempt_id: 't',
    delivery: 1,
    case_key: 'c',
    repetition: 1,
  };
  const events = new AttemptEvents({
    identity,
    source: 'native_engine',
    evidenceLevel: 'native_structured',
    clock,
    emit: (event) => emitted.push(event),
    redact: (value) => value,
  });
  let lookups = 0;
  const standings = peerStandings({
    attemptId,
    race: { min_step_gap },
    peers: () => lookup(++lookups),
    history: { events },
    steps: new Steps({ events, clock }),
    clock,
    stage: { signal: new AbortController().signal },
  });
  const injected = new Map<number, string>();
  for (let iteration = 1; iteration <= 10; iteration++) {
    const text = await standings?.(iteration);
    if (text !== undefined) injected.set(iteration, text);
  }
  return { injected, payloads: emitted.map(({ payload }) => payload) };
}

describe('standings of the race', () => {
  test('standings are injected from the third iteration on, with the configured gap', async () => {
    const { injected, payloads } = await race(async (steps) => working(steps));
    expect([...injected.keys()]).toEqual([3, 6, 9]);
    expect(payloads).toMatchObject([
      { trigger: 'step_gap', text: injected.get(3), tokens_added: expect.any(Number) },
      { trigger: 'step_gap' },
      { trigger: 'step_gap' },
    ]);
  });

  test('standings are injected when a peer finishes, but not for peers that had finished before', async () => {
    const done: PeerProgress = { id: 'agent-done', steps: 1, state: 'finished' };
    const { injected, payloads } = await race(
      async (lookups) => [
        done,
        { id: 'agent-late', steps: lookups, state: lookups >= 5 ? 'finished' : 'working' },
      ],
      { min_step_gap: 10 },
    );
    expect([...injected.keys()]).toEqual([3, 5]);
    expect(payloads).toMatchObject([{ trigger: 'step_gap' }, { trigger: 'peer_finished' }]);
  });

  test('standings name no lane, only letters of this attempt', async () => {
    const texts = await Promise.all(
      ['t1', 't2', 't3', 't4', 't5', 't6'].map(async (attemptId) => {
        const { injected } = await race(async () => working(2), { attemptId });
        return injected.get(3) ?? '';
      }),
    );
    for (const text of texts) expect(text).not.toContain('agent-');
    expect(new Set(texts.map((text) => text.includes('A: working, 2 steps'))).size).toBe(2);
  });

  test('standings are not injected without peers, or when the lookup fails or hangs', async () => {
    expect((await race(async () => [])).injected.size).toBe(0);
    expect((await race(() => Promise.reject(new Error('unavailable')))).injected.size).toBe(0);
    expect((await race(() => new Promise(() => undefined))).injected.size).toBe(0);
  });
});
