import type { GateComparison, GatePolicy, PairVerdict } from '@agentclash/domain';
import { SCORE_SLACK } from '../tolerance.js';
import { type GateFinding, insufficient, overLimits } from './findings.js';
import type { GateRace } from './types.js';

type Compared = [key: string, comparison: GateComparison];

/**
 * The findings over a run that stopped early. A test over such a run would be wrong, so that the comparisons in the mode
 * `significant` read the verdict of the race, once, by the strictest of their limits; the other modes cannot be decided.
 * `scored` names the dimensions of the evaluation spec.
 */
export function stoppedFindings(
  { comparisons, other_dimensions: others, missing_dimension: missing }: GatePolicy,
  race: GateRace,
  scored: readonly string[],
): GateFinding[] {
  const isScored = ([key]: Compared) => scored.includes(key);
  const named = Object.entries(comparisons);
  const rest = scored.filter((key) => !Object.hasOwn(comparisons, key));
  const compared = [
    ...named.filter(isScored),
    ...(others === undefined ? [] : rest.map((key): Compared => [key, others])),
  ];
  const read = compared.filter(([, { mode }]) => mode === 'significant');
  return [
    ...(read.length === 0 ? [] : VERDICTS[race.verdict](race, strictest(read))),
    ...compared
      .filter(([, { mode }]) => mode !== 'significant')
      .map(([key]) => insufficient(`stopped_early:${key}`)),
    ...named
      .filter((each) => !isScored(each))
      .map(([key]): GateFinding => {
        return { kind: missing ?? 'insufficient_evidence', reason: `dimension_unavailable:${key}` };
      }),
    ...(compared.length === 0 && missing === 'note' ? [insufficient('nothing_compared')] : []),
  ];
}

type Limits = GateComparison['max_regression'];

const VERDICTS: { [V in PairVerdict]: (race: GateRace, limits: Limits) => GateFinding[] } = {
  better: () => [],
  equivalent: () => [],
  worse: lossFindings,
  exact: lossFindings,
  insufficient: ({ metric }) => [insufficient(`race_insufficient:${metric}`)],
  undecided: ({ metric }) => [insufficient(`race_undecided:${metric}`)],
};

function lossFindings({ metric, difference }: GateRace, limits: Limits): GateFinding[] {
  const loss = -(difference ?? 0);
  return loss > SCORE_SLACK ? overLimits({ name: metric, loss }, limits) : [];
}

function strictest(compared: readonly Compared[]): Limits {
  const limits = compared.map(([, { max_regression }]) => max_regression);
  return {
    warn: Math.min(...limits.map(({ warn }) => warn)),
    fail: Math.min(...limits.map(({ fail }) => fail)),
  };
}
