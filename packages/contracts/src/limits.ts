import { z } from 'zod';

/** The limits of one attempt that a profile or a run may set. Seconds, bytes and US dollars as named; 0 switches off. */
export const limitFields = {
  max_iterations: z.number().int().min(1).max(1_000).optional(),
  max_tool_calls: z.number().int().min(0).optional(),
  step_timeout_seconds: z.number().int().min(1).max(3_600).optional(),
  run_timeout_seconds: z.number().int().min(1).max(86_400).optional(),
  max_output_bytes: z.number().int().min(1).max(67_108_864).optional(),
  max_total_tokens: z.number().int().min(1).optional(),
  max_cost_usd: z.number().positive().optional(),
  max_policy_denials: z.number().int().min(0).optional(),
};
