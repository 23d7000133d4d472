import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, type Run, routes, type VariantComparison } from '@agentclash/api';
import type { ScoringState } from '@agentclash/domain';
import { z } from 'zod';

export interface Ranking {
  run_id: string;
  state: ScoringState;
  revision: number | null;
  items: RankingRow[];
  /** Each variant against the baseline of its deployment. */
  variants?: VariantComparison[] | undefined;
}

export async function getRanking(client: Client, runId: string): Promise<Ranking> {
  const ranking = await client.call(routes.runs.ranking, { params: { run_id: runId } });
  return { ...ranking, items: ranking.items.map((item) => RankingRow.parse(item)) };
}

/** The text shown for a run without a ranking. */
export function missingRankingMessage({ status, failure }: Pick<Run, 'status' | 'failure'>): string {
  if (status === 'cancelled') return 'The run was cancelled: it has no ranking, and will have none.';
  if (status === 'failed') return `The run failed${failure ? ` (${failure.code})` : ''}: it has no ranking.`;
  return 'There is no ranking yet. It is available after all attempts are graded.';
}

const TRIES = 20;
const PAUSE_MS = 250;

/** The ranking of a run that has ended: it may take a moment until every service knows of it. */
export async function awaitRanking(client: Client, runId: string): Promise<Ranking> {
  for (let tries = 1; ; tries++) {
    const ranking = await getRanking(client, runId);
    if (ranking.state !== 'pending' || tries === TRIES) return ranking;
    await sleep(PAUSE_MS);
  }
}

/** A mean with its 95 % interval, as scoring writes it; earlier releases wrote none that lies within 0..1. */
const Estimate = z.looseObject({
  mean: z.number().nullable(),
  interval: z.tuple([z.number(), z.number()]).nullable().optional().catch(undefined),
  /** `confidence_sequence`: the interval holds though the run was stopped, for the mean of all `population` cases. */
  method: z.string().optional().catch(undefined),
  population: z.number().optional().catch(undefined),
});

/** Of a dimension, with the measured value behind a normalised score. */
const DimensionEstimate = Estimate.extend({
  raw: z
    .looseObject({ value: z.number(), unit: z.string().nullable() })
    .nullable()
    .optional()
    .catch(undefined),
});

/** A ranking's entry with the figures that scoring puts beside it. A server that sends fewer is still shown. */
export const RankingRow = z.looseObject({
  run_agent_id: z.string(),
  name: z.string(),
  rank: z.number().nullable(),
  reason: z.string(),
  overall: z.number().nullable(),
  passed: z.boolean().nullable(),
  validity: z.string(),
  overall_estimate: Estimate.optional().catch(undefined),
  pass_rate: Estimate.optional().catch(undefined),
  dimensions: z.record(z.string(), DimensionEstimate).optional().catch(undefined),
  /** By gate: whether it held in every usable attempt. */
  gates: z.record(z.string(), z.boolean().nullable()).optional().catch(undefined),
  planned_attempts: z.number().optional().catch(undefined),
  usable_attempts: z.number().optional().catch(undefined),
  flake_rate: z.number().nullable().optional().catch(undefined),
  missing_share: z.number().optional().catch(undefined),
  max_missing_share: z.number().optional().catch(undefined),
  verdict_reason: z.string().optional().catch(undefined),
});
export type RankingRow = z.infer<typeof RankingRow>;

/** Reasons for which a run agent has no verdict though its pack defines one. */
const WITHOUT_EVIDENCE: ReadonlySet<string> = new Set(['no_evidence', 'missing_share']);

/** True when too few attempts could be graded for a verdict. A pack without a pass threshold has no verdict to miss. */
export function lacksEvidence({
  passed,
  verdict_reason: reason,
  usable_attempts: usable,
}: RankingRow): boolean {
  if (passed !== null) return false;
  return reason === undefined ? usable === 0 : WITHOUT_EVIDENCE.has(reason);
}
