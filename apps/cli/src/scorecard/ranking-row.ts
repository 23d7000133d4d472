import { z } from 'zod';

/** A mean with its 95 % interval, as scoring writes it; earlier releases wrote none that lies within 0..1. */
const Estimate = z.looseObject({
  mean: z.number().nullable(),
  interval: z.tuple([z.number(), z.number()]).nullable().optional().catch(undefined),
});

/** Of a dimension, with the measured value behind a normalised score. */
const DimensionEstimate = Estimate.extend({
  raw: z
    .looseObject({ value: z.number(), unit: z.string().nullable() })
    .nullable()
    .optional()
    .catch(undefined),
});

/** A ranking's entry with the figures that scoring puts beside it. A server that says less is still shown. */
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
