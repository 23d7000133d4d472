import type { RunAgent } from '@agentclash/contracts';

/** The attempts of a lane, and what it has spent on models. A lane of a followed race is one. */
export interface LaneSpending {
  /** As requested, the skipped ones included. */
  planned: number;
  finished: number;
  skipped: number;
  costUsd: number;
  /** False where a call has a model without a price. */
  isCostKnown: boolean;
}

/** The attempts that a race did not run because it ended early, and the cost of the others. */
export interface Savings {
  attempts: number;
  /** Null where the cost of some attempt is unknown. */
  spentUsd: number | null;
  /** The skipped attempts at the mean cost of their lane; null as above. */
  savedUsd: number | null;
}

export function savingsOf(lanes: readonly LaneSpending[]): Savings {
  const attempts = lanes.reduce((sum, { skipped }) => sum + skipped, 0);
  let spentUsd: number | null = 0;
  let savedUsd: number | null = 0;
  for (const { finished, skipped, costUsd, isCostKnown } of lanes) {
    spentUsd = isCostKnown && spentUsd !== null ? spentUsd + costUsd : null;
    // A lane without an attempt has no mean.
    const isSavingKnown = isCostKnown && (skipped === 0 || finished > 0);
    savedUsd = isSavingKnown && savedUsd !== null ? savedUsd + meanOf(costUsd, finished) * skipped : null;
  }
  return { attempts, spentUsd, savedUsd };
}

/** A lane by the figures of the server. */
export function laneSpending({ progress, tally }: Pick<RunAgent, 'progress' | 'tally'>): LaneSpending {
  const { total: planned, finished, skipped = 0 } = progress;
  return { planned, finished, skipped, ...knownCost(tally) };
}

/** The cost of a tally; of one that is unknown, the known part. */
export function knownCost(
  tally: Pick<NonNullable<RunAgent['tally']>, 'cost_usd' | 'cost_at_least_usd'> | undefined,
): Pick<LaneSpending, 'costUsd' | 'isCostKnown'> {
  const { cost_usd = null, cost_at_least_usd = 0 } = tally ?? {};
  return { costUsd: cost_usd ?? cost_at_least_usd, isCostKnown: cost_usd !== null };
}

/** A cost in words: `$2.00`, `unknown`, or `unknown (at least $2.00)` where a part of it is known. */
export function costText(
  { costUsd, isCostKnown }: Pick<LaneSpending, 'costUsd' | 'isCostKnown'>,
  inDollars: (usd: number) => string,
): string {
  if (isCostKnown) return inDollars(costUsd);
  return costUsd > 0 ? `unknown (at least ${inDollars(costUsd)})` : 'unknown';
}

function meanOf(sum: number, count: number): number {
  return count === 0 ? 0 : sum / count;
}
