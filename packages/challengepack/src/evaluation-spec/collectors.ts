export const METRIC_TYPES = ['numeric', 'boolean', 'text'] as const;
export type MetricType = (typeof METRIC_TYPES)[number];

/** The collectors of an attempt's metrics: the type of the value and its unit. */
export const COLLECTORS = {
  run_total_latency_ms: { type: 'numeric', unit: 'ms' },
  run_ttft_ms: { type: 'numeric', unit: 'ms' },
  run_input_tokens: { type: 'numeric', unit: 'tokens' },
  run_output_tokens: { type: 'numeric', unit: 'tokens' },
  run_cached_input_tokens: { type: 'numeric', unit: 'tokens' },
  run_reasoning_tokens: { type: 'numeric', unit: 'tokens' },
  run_total_tokens: { type: 'numeric', unit: 'tokens' },
  run_agent_tokens: { type: 'numeric', unit: 'tokens' },
  run_race_context_tokens: { type: 'numeric', unit: 'tokens' },
  run_tool_call_count: { type: 'numeric', unit: 'calls' },
  run_failed_tool_call_count: { type: 'numeric', unit: 'calls' },
  run_failure_count: { type: 'numeric', unit: 'failures' },
  run_completed_successfully: { type: 'boolean', unit: 'boolean' },
  run_model_cost_usd: { type: 'numeric', unit: 'usd' },
  validator_pass_rate: { type: 'numeric', unit: 'score' },
  validator_mean_score: { type: 'numeric', unit: 'score' },
  behavioral_recovery_score: { type: 'numeric', unit: 'score' },
  behavioral_exploration_efficiency_score: { type: 'numeric', unit: 'score' },
  behavioral_error_cascade_score: { type: 'numeric', unit: 'score' },
  behavioral_scope_adherence_score: { type: 'numeric', unit: 'score' },
} as const satisfies Record<string, { type: MetricType; unit: string }>;

export type CollectorName = keyof typeof COLLECTORS;

export const COLLECTOR_NAMES = Object.keys(COLLECTORS) as CollectorName[];
