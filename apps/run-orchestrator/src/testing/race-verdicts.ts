import type { In, Out, RacePair, RaceVerdicts, races } from '@agentclash/contracts';

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

/** A plan by a rule that a test can follow: a comparison takes 100 cases, a race half and nine tenths of its cases. */
export function plannedRace(
  request: In<typeof races.plan>,
  requests: In<typeof races.plan>[],
): Out<typeof races.plan> {
  requests.push(request);
  const { lanes, cases, alpha } = request;
  const pairs = request.goal === 'baseline' ? lanes : (lanes * (lanes - 1)) / 2;
  const hasValues = request.earlier.length > 1;
  return {
    pairs,
    share: alpha / pairs,
    discordance: request.discordance ?? 0.5,
    discordance_source: request.discordance !== null ? 'request' : hasValues ? 'earlier_runs' : 'assumed',
    fixed_cases: 100,
    sequential_cases: { median: Math.ceil(cases / 2), p90: Math.ceil(cases * 0.9) },
    early_share: 1,
    simulations: 1_000,
  };
}
