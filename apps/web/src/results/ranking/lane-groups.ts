import type { RunAgent, VariantComparison } from '@agentclash/api';
import type { RankedLane } from '../estimates.js';

/** A lane of a ranking that is grouped by deployment. */
export interface GroupedLane extends RankedLane {
  /** Its place among the lanes of the run, which chooses its colour. */
  index: number;
  /** The deployment and the variant; absent for a lane of a deployment without variants. */
  variant?: RunAgent['variant'];
  /** Lanes of its deployment in the ranking. */
  groupSize: number;
  /** Against the baseline; absent for the baseline, and where nothing is compared. */
  comparison?: VariantComparison;
  /** Of all its attempts. */
  spent?: RunAgent['tally'];
  /** Of its attempts, once the run has ended. */
  latency?: RunAgent['latency'];
}

interface RunLanes {
  agents: readonly RunAgent[];
  comparisons: readonly VariantComparison[];
}

/**
 * Ranked lanes with the variants of a deployment together, the baseline first and the others in the order of the run.
 * Deployments are in the order of their best lanes.
 */
export function groupedLanes(
  ranked: readonly RankedLane[],
  { agents, comparisons }: RunLanes,
): GroupedLane[] {
  const agentOf = new Map(agents.map((agent, index) => [agent.id, { agent, index }]));
  const groups = new Map<string, GroupedLane[]>();
  for (const lane of ranked) {
    const { agent, index = agents.length } = agentOf.get(lane.id) ?? {};
    const comparison = comparisons.find(({ run_agent_id }) => run_agent_id === lane.id);
    const key = agent?.variant ? `deployment ${agent.variant.deployment}` : `lane ${lane.id}`;
    const grouped: GroupedLane = {
      ...lane,
      ...{ index, groupSize: 1, spent: agent?.tally, latency: agent?.latency },
      ...(agent?.variant && { variant: agent.variant }),
      ...(comparison && { comparison }),
    };
    groups.set(key, [...(groups.get(key) ?? []), grouped]);
  }
  return [...groups.values()].flatMap((group) =>
    group
      .map((lane) => ({ ...lane, groupSize: group.length }))
      .sort((a, b) => Number(isBaseline(b)) - Number(isBaseline(a)) || a.index - b.index),
  );
}

export function isBaseline({ variant }: Pick<GroupedLane, 'variant'>): boolean {
  return variant !== undefined && variant.name === variant.baseline;
}
