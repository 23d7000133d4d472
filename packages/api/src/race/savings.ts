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

/** The cost of a tally: tokens that cost nothing are those of a model without a price. */
export function knownCost(tally: RunAgent['tally']): Pick<LaneSpending, 'costUsd' | 'isCostKnown'> {
  if (tally === undefined) return { costUsd: 0, isCostKnown: false };
  return { costUsd: tally.cost_usd, isCostKnown: tally.cost_usd > 0 || tally.tokens === 0 };
}

function meanOf(sum: number, count: number): number {
  return count === 0 ? 0 : sum / count;
}
