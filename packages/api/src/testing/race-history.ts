import type { RecordedEvent } from '@agentclash/contracts';
import fc from 'fast-check';
import type { Lane, LaneAgent } from '../race/lane.js';

interface Score {
  passed: boolean | null;
  overall: number | null;
}

interface DeliveryScript {
  calls: readonly number[];
  isParked: boolean;
  /** Its totals; they need not be the sum of its calls. */
  tokens: number;
  costUsd: number;
}

/** One attempt: its deliveries up to a score, again for each retry, and a later score that replaces it. */
interface AttemptPlan {
  lane: number;
  rounds: readonly { deliveries: readonly DeliveryScript[]; score: Score }[];
  rescored: Score | null;
}

/** The history of a race, and its totals by lane. */
export interface RaceHistory {
  agents: readonly LaneAgent[];
  events: readonly RecordedEvent[];
  totals: readonly LaneTotals[];
}

export type LaneTotals = Pick<
  Lane,
  'total' | 'skipped' | 'finished' | 'scored' | 'passed' | 'judged' | 'overall' | 'tokens' | 'costUsd'
>;

const LANES = ['one', 'two', 'three'];

const score: fc.Arbitrary<Score> = fc.record({
  passed: fc.constantFrom(true, false, null),
  overall: fc.option(fc.integer({ min: 0, max: 8 }).map((eighths) => eighths / 8)),
});
const delivery: fc.Arbitrary<DeliveryScript> = fc.record({
  calls: fc.array(fc.nat(500), { maxLength: 3 }),
  isParked: fc.boolean(),
  tokens: fc.nat(2_000),
  costUsd: fc.integer({ min: 0, max: 64 }).map((each) => each / 64),
});
const attemptPlan: fc.Arbitrary<AttemptPlan> = fc.record({
  lane: fc.nat(LANES.length - 1),
  rounds: fc.array(fc.record({ deliveries: fc.array(delivery, { minLength: 1, maxLength: 2 }), score }), {
    minLength: 1,
    maxLength: 2,
  }),
  rescored: fc.option(score),
});

/** A lane that needs no further attempts; one that was eliminated may be halted again by the end of its run. */
const haltPlan = fc.record({
  lane: fc.nat(LANES.length - 1),
  halts: fc.array(
    fc.record({ reason: fc.constantFrom('eliminated', 'decided', 'budget'), skipped: fc.nat(9) }),
    { minLength: 1, maxLength: 2 },
  ),
});

/**
 * Races of up to eight attempts, and lanes that are halted, whose events come in any order that preserves each attempt's
 * own.
 */
export const raceHistory: fc.Arbitrary<RaceHistory> = fc
  .tuple(
    fc.array(attemptPlan, { maxLength: 8 }),
    fc.uniqueArray(haltPlan, { maxLength: LANES.length, selector: ({ lane }) => lane }),
    fc.array(fc.nat(), { minLength: 1, maxLength: 40 }),
  )
  .map(([plans, halts, turns]) => {
    const lanes = LANES.map((id, lane) => {
      const own = plans.filter((plan) => plan.lane === lane);
      const skipped = halts
        .filter((plan) => plan.lane === lane)
        .flatMap((plan) => plan.halts.map((halt) => halt.skipped));
      return { agent: agentOf(id, own.length + sum(skipped)), totals: totalsOf(own, sum(skipped)) };
    });
    return {
      agents: lanes.map(({ agent }) => agent),
      events: numbered(merged([...plans.map(eventsOf), ...halts.map(haltEvents)], turns)),
      totals: lanes.map(({ totals }) => totals),
    };
  });

type UnnumberedEvent = Omit<RecordedEvent, 'position'>;

function eventsOf({ lane, rounds, rescored }: AttemptPlan, index: number): UnnumberedEvent[] {
  const identity = { run_agent_id: LANES[lane], attempt_id: `attempt-${index}`, case_key: `case-${index}` };
  const event = (event_type: string, payload: object) =>
    ({ ...identity, event_type, payload }) as UnnumberedEvent;
  const move = (from: string, to: string, more = {}) => event('attempt.state_changed', { from, to, ...more });
  const deliver = ({ calls, isParked, tokens, costUsd }: DeliveryScript, isLast: boolean) => [
    move('queued', 'preparing'),
    move('preparing', 'running'),
    event('system.run.started', {}),
    ...calls.map((total, at) =>
      event('model.call.completed', {
        call_id: `${index} ${at}`,
        text: 'so',
        usage: { total },
        cost_usd: 0.5,
      }),
    ),
    ...(isParked ? [move('running', 'parked'), move('parked', 'running')] : []),
    event('system.run.completed', { outcome: 'completed', usage: { total: tokens }, cost_usd: costUsd }),
    move('running', isLast ? 'finished' : 'queued', { reason: 'completed' }),
  ];
  const scored = (event_type: string) => ({ ...event(event_type, {}), source: 'worker_scoring' as const });
  const scoring = [scored('scoring.started'), scored('scoring.completed')];
  const events = rounds.flatMap(({ deliveries, score }, round) => [
    ...deliveries.flatMap((each, at) => deliver(each, at === deliveries.length - 1)),
    ...scoring,
    event('run.attempt_scored', score),
    ...(round < rounds.length - 1 ? [move('finished', 'queued', { score_withdrawn: score })] : []),
  ]);
  if (rescored === null) return events;
  return [
    ...events,
    ...scoring,
    event('run.attempt_scored', { ...rescored, replaces: rounds.at(-1)?.score }),
    // An ended run records nothing more.
    ...scoring,
  ];
}

function haltEvents({ lane, halts }: { lane: number; halts: readonly object[] }): UnnumberedEvent[] {
  return halts.map((halt) => {
    const payload: object = { run_agent_id: LANES[lane], ...halt };
    return { event_type: 'run.lane_halted', source: 'orchestrator', payload } as UnnumberedEvent;
  });
}

/** Merges the lists in the order of the turns, each in its own order. */
function merged(lists: readonly UnnumberedEvent[][], turns: readonly number[]): UnnumberedEvent[] {
  const left = lists.map((list) => [...list]);
  const all: UnnumberedEvent[] = [];
  for (let at = 0; all.length < lists.flat().length; at += 1) {
    const open = left.filter((list) => list.length > 0);
    const next = open[(turns[at % turns.length] ?? 0) % open.length]?.shift();
    if (next !== undefined) all.push(next);
  }
  return all;
}

function numbered(events: readonly UnnumberedEvent[]): RecordedEvent[] {
  return events.map((event, index) => ({
    ...event,
    position: index + 1,
    occurred_at: new Date(Date.UTC(2026, 0, 1, 0, 0, index)).toISOString(),
  }));
}

function totalsOf(plans: readonly AttemptPlan[], skipped: number): LaneTotals {
  const scores = plans.map(({ rounds, rescored }) => rescored ?? rounds.at(-1)?.score);
  const overalls = scores.flatMap((score) => score?.overall ?? []);
  const deliveries = plans.flatMap(({ rounds }) => rounds.flatMap((round) => round.deliveries));
  return {
    total: plans.length,
    skipped,
    finished: plans.length,
    scored: plans.length,
    passed: scores.filter((score) => score?.passed === true).length,
    judged: scores.filter((score) => typeof score?.passed === 'boolean').length,
    overall: overalls.length === 0 ? null : sum(overalls) / overalls.length,
    tokens: sum(deliveries.map(({ tokens }) => tokens)),
    costUsd: sum(deliveries.map(({ costUsd }) => costUsd)),
  };
}

function agentOf(id: string, total: number): LaneAgent {
  const progress = { total, queued: total, running: 0, finished: 0, scored: 0, passed: 0, by_outcome: {} };
  return { id, name: id, kind: 'scripted', progress, overall_so_far: null };
}

function sum(figures: readonly number[]): number {
  return figures.reduce((whole, each) => whole + each, 0);
}
