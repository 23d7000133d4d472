import type { ResponseOutput, routes } from '@agentclash/api';
import { costTick, durationTick } from '../design/chart/tick-text.js';
import { formatCost, formatDuration, formatScore } from '../design/format.js';

export type TrendRun = ResponseOutput<typeof routes.runs.trends>['items'][number];
type TrendAgent = TrendRun['agents'][number];

export interface Measure {
  title: string;
  /** Its name in files, the unit at the end. */
  name: string;
  of: (agent: TrendAgent) => number | null | undefined;
  text: (value: number | null | undefined) => string;
  /** Of a tick of the axis; default: as other values. */
  tick?: (value: number) => string;
  /** The end of the axis, where it is the same for all values. */
  max?: number;
}

export const MEASURES = {
  score: {
    title: 'mean score',
    name: 'score',
    of: ({ overall_so_far }) => overall_so_far,
    text: formatScore,
    max: 1,
  },
  pass: {
    title: 'pass rate',
    name: 'pass_rate',
    of: ({ judged, passed }) => share(passed, judged),
    text: formatScore,
    max: 1,
  },
  cost: {
    title: 'cost an attempt',
    name: 'cost_per_attempt_usd',
    of: costOf,
    text: formatCost,
    tick: costTick,
  },
  p50: {
    title: 'median time',
    name: 'p50_ms',
    of: ({ latency }) => latency?.p50_ms,
    text: formatDuration,
    tick: durationTick,
  },
  p95: {
    title: 'p95 of times',
    name: 'p95_ms',
    of: ({ latency }) => latency?.p95_ms,
    text: formatDuration,
    tick: durationTick,
  },
} as const satisfies Readonly<Record<string, Measure>>;
export type MeasureKey = keyof typeof MEASURES;

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

/** In US dollars; unknown where any attempt's cost is. */
function costOf({ cost_usd: cost, finished }: TrendAgent): number | null {
  return cost === null || cost === undefined || finished === 0 ? null : cost / finished;
}

/** One agent on one input set, over runs. */
export interface Series {
  key: string;
  /** By run; an agent takes part in a run once. */
  agents: ReadonlyMap<string, TrendAgent>;
}

/** Series that a chart and a table show; more could not be distinguished. */
export const SERIES_MAX = 8;

/**
 * The agents of the runs, each on each input set by itself: results on different cases are no course of one figure. Those
 * that took part last come first; agents are the same by name, whatever their revision.
 */
export function seriesOf(runs: readonly TrendRun[], { namesPack }: { namesPack: boolean }): Series[] {
  const isOneSet = new Set(runs.map(setOf)).size <= 1;
  const found = new Map<string, Map<string, TrendAgent>>();
  for (const run of runs) {
    for (const agent of run.agents) {
      const set = namesPack ? setOf(run) : run.input_set.key;
      const key = isOneSet ? agent.name : `${agent.name} on ${set}`;
      found.set(key, (found.get(key) ?? new Map()).set(run.id, agent));
    }
  }
  return [...found].map(([key, agents]) => ({ key, agents }));
}

function setOf({ pack, input_set }: TrendRun): string {
  return `${pack.slug}, ${input_set.key}`;
}

/** The measures that are known of any agent, in order. */
export function knownMeasures(runs: readonly TrendRun[]): MeasureKey[] {
  const agents = runs.flatMap((run) => run.agents);
  return (Object.keys(MEASURES) as MeasureKey[]).filter((key) =>
    agents.some((agent) => isKnown(MEASURES[key].of(agent))),
  );
}

export function isKnown(value: number | null | undefined): value is number {
  return value !== null && value !== undefined;
}
