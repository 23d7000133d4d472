import { COLLECTORS, type CollectorName, type Metric, type Pricing } from '@agentclash/challengepack';
import { numberIn } from '@agentclash/domain';
import { type BehaviorEvidence, SIGNALS } from '../behavior/signals.js';
import { NOT_IMPORTED } from '../evidence/imported.js';
import type { EvidenceEvent } from '../evidence/types.js';
import { mean, sum } from '../statistics/sample.js';
import type { ValidatorResult } from '../validators/result.js';
import { modelCalls, modelCostUsd, type TokenUsage, usageIn } from './model-calls.js';
import { endEvent, firstTokenMs, totalLatencyMs } from './run-clock.js';
import { type Measurement, type MetricResult, measured, unmeasured } from './types.js';

/** The evidence of metrics. */
export interface MetricEvidence {
  readonly events: readonly EvidenceEvent[];
  readonly pricing: Pricing;
  readonly behavior: BehaviorEvidence;
  readonly validators: readonly Pick<ValidatorResult, 'state' | 'verdict' | 'score'>[];
  /** The attempt was run elsewhere. */
  readonly isImported?: boolean;
  /** False where calls of tools are not among the events; default: true. */
  readonly isTraced?: boolean;
}

type Collector = (evidence: MetricEvidence) => Measurement;

export const COLLECT: { readonly [C in CollectorName]: Collector } = {
  run_total_latency_ms: (evidence) => orMissing(totalLatencyMs(evidence), 'no_start_or_end'),
  run_ttft_ms: (evidence) => orMissing(firstTokenMs(evidence), 'no_first_token'),
  run_input_tokens: tokens('input'),
  run_output_tokens: tokens('output'),
  run_cached_input_tokens: tokens('cached_input'),
  run_reasoning_tokens: tokens('reasoning'),
  run_total_tokens: ({ events }) => orMissing(totalTokens(events), 'unreported'),
  run_agent_tokens: ({ events }) => orMissing(agentTokens(events), 'unreported'),
  run_race_context_tokens: ({ events }) => measured(raceContextTokens(events)),
  run_tool_call_count: (evidence) => orMissing(toolCallCount(evidence), 'unreported'),
  run_failed_tool_call_count: traced(({ behavior }) => measured(failedCalls(behavior))),
  run_failure_count: traced(({ events, behavior }) =>
    measured(failedCalls(behavior) + events.filter(({ event_type }) => FAILURES.has(event_type)).length),
  ),
  run_completed_successfully: ({ events }) => {
    const end = endEvent(events);
    return end === undefined ? unmeasured('no_end') : measured(end.event_type === 'system.run.completed');
  },
  run_model_cost_usd: ({ events, pricing }) => modelCostUsd(events, pricing),
  validator_pass_rate: ({ validators }) =>
    overScored(validators, ({ verdict }) => (verdict === 'pass' ? 1 : 0)),
  validator_mean_score: ({ validators }) => overScored(validators, ({ score }) => score ?? 0),
  behavioral_recovery_score: signal('recovery_behavior'),
  behavioral_exploration_efficiency_score: signal('exploration_efficiency'),
  behavioral_error_cascade_score: signal('error_cascade'),
  behavioral_scope_adherence_score: signal('scope_adherence'),
};

const FAILURES = new Set(['sandbox.command.failed', 'system.run.failed']);

function orMissing(value: number | undefined, reason: string): Measurement {
  return value === undefined ? unmeasured(reason) : measured(value);
}

function tokens(figure: Parameters<typeof tokenFigure>[1]): Collector {
  return ({ events }) => orMissing(tokenFigure(events, figure), 'unreported');
}

function agentTokens(events: readonly EvidenceEvent[]): number | undefined {
  const total = totalTokens(events);
  return total === undefined ? undefined : Math.max(0, total - raceContextTokens(events));
}

function toolCallCount({ events, behavior }: MetricEvidence): number | undefined {
  const end = endEvent(events);
  const reported = end && numberIn(end.payload, 'tool_call_count');
  return reported ?? (behavior.calls.length > 0 ? behavior.calls.length : undefined);
}

function failedCalls({ calls }: BehaviorEvidence): number {
  return calls.filter((call) => call.failed).length;
}

function overScored(
  validators: MetricEvidence['validators'],
  value: (validator: MetricEvidence['validators'][number]) => number,
): Measurement {
  if (validators.some(({ state }) => state !== 'scored')) return unmeasured('validator_not_scored');
  return orMissing(mean(validators.map(value)) ?? undefined, 'no_validators');
}

function signal(key: keyof typeof SIGNALS): Collector {
  return traced(({ behavior }) => orMissing(SIGNALS[key](behavior) ?? undefined, 'signal_unavailable'));
}

/** A measure of the calls of tools, which must be known. */
function traced(collect: Collector): Collector {
  return (evidence) => (evidence.isTraced === false ? unmeasured(NOT_IMPORTED) : collect(evidence));
}

/** Every declared metric, in order. */
export function collectMetrics(metrics: readonly Metric[], evidence: MetricEvidence): MetricResult[] {
  return metrics.map((metric) => {
    const { state, value, reason } = COLLECT[metric.collector](evidence);
    const { key, type, collector } = metric;
    return { key, type, collector, state, value, reason, unit: metric.unit ?? COLLECTORS[collector].unit };
  });
}

/** One token figure of the attempt: as its end reports it, else summed over the calls that report it. */
function tokenFigure(
  events: readonly EvidenceEvent[],
  figure: Exclude<keyof TokenUsage, 'total'>,
): number | undefined {
  return reportedAtEnd(events)?.[figure] ?? sumReported(modelCalls(events).map(({ usage }) => usage[figure]));
}

/** All tokens of the attempt; where no total is reported, input plus output. */
function totalTokens(events: readonly EvidenceEvent[]): number | undefined {
  const atEnd = reportedAtEnd(events);
  const calls = modelCalls(events).map(({ usage }) => totalOf(usage));
  return (atEnd && totalOf(atEnd)) ?? sumReported(calls);
}

/** Tokens that race standings added to the agent's context. */
function raceContextTokens(events: readonly EvidenceEvent[]): number {
  const injected = events.filter((event) => event.event_type === 'race.standings.injected');
  return sum(injected.map(({ payload }) => numberIn(payload, 'tokens_added') ?? 0));
}

function reportedAtEnd(events: readonly EvidenceEvent[]): TokenUsage | undefined {
  const end = endEvent(events);
  return end === undefined ? undefined : usageIn(end.payload);
}

function totalOf({ total, input, output }: TokenUsage): number | undefined {
  if (total !== undefined) return total;
  return input === undefined || output === undefined ? undefined : input + output;
}

function sumReported(values: readonly (number | undefined)[]): number | undefined {
  const reported = values.filter((value) => value !== undefined);
  return reported.length === 0 ? undefined : sum(reported);
}
