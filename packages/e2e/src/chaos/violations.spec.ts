import { describe, expect, test } from '@jest/globals';
import type { RunRecord } from './record.js';
import { rankingViolations, violationsOf } from './violations.js';

const ATTEMPT = {
  id: 'a1',
  agent_name: 'sound',
  case_key: 'case-0',
  state: 'finished',
  outcome: 'completed',
  error: null,
  delivery: 1,
  is_scored: true,
};
const STORED = { id: 'a1', accepted: 1, deliveries: 1, open: 0, hasLease: false };
const EVENT = { attempt_id: 'a1', delivery: 1, position: 1, payload: { call_id: 'c' } };
const PLACING = { name: 'sound', rank: 1, overall: 1, passed: true, validity: 'valid' };

interface Change {
  status?: string;
  attempt?: object;
  stored?: object;
  scorecards?: number;
  events?: object[];
}

function record({
  status = 'completed',
  attempt,
  stored,
  scorecards = 1,
  events = [],
}: Change = {}): RunRecord {
  return {
    key: 'prompts',
    status,
    attempts: [{ ...ATTEMPT, ...attempt } as RunRecord['attempts'][number]],
    stored: new Map([['a1', { ...STORED, ...stored }]]),
    scorecards: new Map([['a1', scorecards]]),
    events: events.map((event, index) => ({ ...EVENT, sequence_number: index + 1, ...event })) as never,
    ranking: [PLACING],
  };
}

const started = { event_type: 'model.call.started' };
const completed = { event_type: 'model.call.completed' };
const once = new Map([['sound case-0', 1]]);

describe('the violations of a run', () => {
  test('a run in which everything happened once has no violations', () => {
    expect(violationsOf(record({ events: [started, completed] }), once)).toEqual([]);
  });

  test.each<[string, Change, RegExp]>([
    ['a run that failed', { status: 'failed' }, /the run is failed/],
    ['a lost attempt', { attempt: { state: 'queued', outcome: null } }, /is queued/],
    ['a result accepted twice', { stored: { accepted: 2 } }, /2 accepted results/],
    ['a delivery without a record', { attempt: { delivery: 2 } }, /is in delivery 2 and has 1/],
    ['a delivery left open', { stored: { open: 1 } }, /1 deliveries that have not ended/],
    ['a lease left behind', { stored: { hasLease: true } }, /still has a lease/],
    ['an attempt scored twice', { scorecards: 2 }, /2 scorecards/],
    ['an attempt not scored', { attempt: { is_scored: false }, scorecards: 0 }, /is not scored/],
    ['a gap in the events', { events: [{ ...started, sequence_number: 2 }, completed] }, /numbered/],
    ['a call without an end', { events: [started] }, /has not ended/],
  ])('%s is a violation', (_what, change, message) => {
    expect(violationsOf(record(change), once).join()).toMatch(message);
  });

  test('more calls than deliveries make are a violation, and so is a call that the provider never received', () => {
    expect(violationsOf(record(), new Map([['sound case-0', 2]]))).toEqual([
      'prompts: sound case-0: 2 calls in 1 deliveries',
    ]);
    expect(violationsOf(record({ events: [started, completed] }), new Map())).toEqual([
      'prompts: sound case-0: 1 calls on record, the provider received 0',
    ]);
  });

  test('a ranking that differs from the undisturbed one is a violation', () => {
    const other = { ...record(), ranking: [{ ...PLACING, overall: 0.5 }] };
    expect(rankingViolations(record(), record())).toEqual([]);
    expect(rankingViolations(other, record())).toHaveLength(1);
  });
});
