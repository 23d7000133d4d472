import type { In, RacePair, RaceVerdicts, races } from '@agentclash/contracts';

/** Cases after which a pair is decided whose lanes differ in every one of them. */
const DECIDED_AFTER = 12;

type Values = readonly (number | null)[];

/**
 * Verdicts by a rule that a test can follow: a pair is decided after 12 cases with the greatest difference, else over all
 * cases. The statistics of scoring have specs of their own.
 */
export function raceVerdicts({ lanes, baseline, population }: In<typeof races.decide>): RaceVerdicts {
  const pairs = (
    baseline === undefined
      ? lanes.flatMap((a, at) => lanes.slice(at + 1).map((b) => [a, b] as const))
      : lanes.map((lane) => [lane, baseline] as const)
  ).map(([a, b]) => pairOf(a, b, population));
  const isOpen = (id: string) =>
    pairs.some(({ a, b, verdict }) => (a === id || b === id) && verdict === null);
  return {
    pairs,
    lanes: lanes.map(({ run_agent_id, values }) => {
      const isDone = !isOpen(run_agent_id) && values.length < population;
      return {
        ...{ run_agent_id, mean: null, lower: 0, upper: 1, cases: values.length, population },
        eliminated: isDone ? { after_cases: DECIDED_AFTER, by: null } : null,
      };
    }),
    best: [],
    is_decided: pairs.every(({ verdict }) => verdict !== null),
  };
}

function pairOf(
  a: { run_agent_id: string; values: Values },
  b: { run_agent_id: string; values: Values },
  population: number,
): RacePair {
  const counted = Math.min(a.values.length, b.values.length);
  const differences = a.values.slice(0, counted).flatMap((left, at) => {
    const right = b.values[at] ?? null;
    return left === null || right === null ? [] : [left - right];
  });
  const first = differences.slice(0, DECIDED_AFTER);
  const isClear = first.length === DECIDED_AFTER && first.every((each) => Math.abs(each) === 1);
  const sign = (first[0] ?? 0) > 0 ? 'better' : 'worse';
  const atEnd = counted === population ? 'exact' : null;
  const used = isClear ? first : differences;
  const difference = used.length === 0 ? null : used.reduce((sum, each) => sum + each, 0) / used.length;
  const missing = counted - differences.length;
  return {
    ...{
      a: a.run_agent_id,
      b: b.run_agent_id,
      verdict: isClear ? sign : atEnd,
      difference,
      lower: -1,
      upper: 1,
    },
    ...{ cases: used.length, population: population - missing, missing },
  };
}
