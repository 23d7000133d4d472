import { createHash } from 'node:crypto';
import type {
  AttemptResult,
  HistoryEvent,
  ImportedAttempt,
  ImportedScores,
  ImportedStep,
  ImportedUsage,
  Run,
} from '@agentclash/contracts';
import { NO_USAGE } from '@agentclash/domain';
import { newId } from '@agentclash/service-kit';

/** The attempt that an imported one becomes. */
export interface ImportTarget {
  runId: string;
  runAgentId: string;
  attemptId: string;
  caseKey: string;
  repetition: number;
  delivery: number;
  /** The time of the import, which is that of every event: the source's own times are not known for each. */
  now: Date;
}

type Origin = NonNullable<Run['imported']>;

interface Draft {
  type: string;
  payload: Record<string, unknown>;
}

/** The history and the result of an imported attempt, as if one delivery had brought them. */
export function importedDelivery(
  attempt: ImportedAttempt,
  target: ImportTarget,
  { grading, ...origin }: Origin,
): { events: HistoryEvent[]; result: AttemptResult } {
  const kept = grading === 'recorded' ? attempt.scores : undefined;
  const drafts = [started(origin, kept), ...attempt.steps.flatMap(stepEvents), ...ends(attempt)];
  return {
    events: drafts.map(({ type, payload }, index) => ({
      event_id: newId(),
      schema_version: '1',
      run_id: target.runId,
      run_agent_id: target.runAgentId,
      attempt_id: target.attemptId,
      delivery: target.delivery,
      case_key: target.caseKey,
      repetition: target.repetition,
      sequence_number: index + 1,
      event_type: type,
      source: 'imported',
      occurred_at: target.now.toISOString(),
      payload,
      summary: { evidence_level: 'imported' },
    })),
    result: resultOf(attempt, drafts.length),
  };
}

/** The scores that were given elsewhere are part of the first event: a function of the evidence like every other. */
function started(origin: Omit<Origin, 'grading'>, scores: ImportedScores | undefined): Draft {
  return {
    type: 'system.run.started',
    payload: { kind: 'imported', imported: { ...origin, ...(scores && { scores }) } },
  };
}

function stepEvents(step: ImportedStep, index: number): Draft[] {
  const step_index = index + 1;
  const call_id = `call-${step_index}`;
  const isCall = step.model !== null || step.usage !== null || step.text !== '';
  return [
    { type: 'system.step.started', payload: { step_index } },
    ...(isCall ? modelCall(step, call_id) : []),
    ...step.tool_calls.flatMap((call) => toolCall(call, step_index)),
    {
      type: 'system.step.completed',
      payload: { step_index, tool_call_count: step.tool_calls.length, duration_ms: 0 },
    },
  ];
}

function modelCall({ text, model, usage, cost_usd, tool_calls }: ImportedStep, call_id: string): Draft[] {
  return [
    {
      type: 'model.call.started',
      payload: { call_id, message_count: 0, tool_count: 0, estimated_input_tokens: 0 },
    },
    {
      type: 'model.call.completed',
      payload: {
        ...{ call_id, tries: 1, provider_key: 'imported', model: model ?? 'unknown' },
        ...{ response_model: model, response_id: null },
        finish_reason: tool_calls.length > 0 ? 'tool_calls' : 'stop',
        text,
        tool_calls: tool_calls.map(({ id, name, arguments: given }) => ({ id, name, arguments: given })),
        usage: usageOf(usage),
        cost_usd,
        timing: { queued_ms: 0, ttft_ms: null, total_ms: 0 },
      },
    },
  ];
}

function toolCall(call: ImportedStep['tool_calls'][number], step_index: number): Draft[] {
  const { id: tool_call_id, name: tool_name, arguments: given, result, failed } = call;
  const end = {
    ...{ tool_call_id, tool_name, arguments: given, layer: 'unknown', resolved_tool: null, kind: null },
    ...{ resolution_chain: [], result, counted: true, duration_ms: 0 },
  };
  return [
    { type: 'tool.call.started', payload: { tool_call_id, tool_name, arguments: given, step_index } },
    failed
      ? {
          type: 'tool.call.failed',
          payload: {
            ...end,
            error: { code: 'imported', message: 'The call failed where it was made.' },
            failure_origin: 'primitive',
          },
        }
      : { type: 'tool.call.completed', payload: end },
  ];
}

function ends(attempt: ImportedAttempt): Draft[] {
  const { outcome, final_output, limit_kind, cost_usd, cost_at_least_usd } = attempt;
  const end = {
    ...{ outcome, finished_by: finishedBy(attempt), step_count: attempt.steps.length },
    model_call_count: modelCalls(attempt),
    tool_call_count: toolCalls(attempt),
    usage: usageOf(attempt.usage),
    cost_usd,
    ...(cost_at_least_usd !== null && { cost_at_least_usd }),
    latency_ms: attempt.latency_ms,
  };
  const error = errorOf(attempt);
  return [
    ...(final_output === null ? [] : [output(final_output, finishedBy(attempt))]),
    error === null
      ? { type: 'system.run.completed', payload: end }
      : {
          type: 'system.run.failed',
          payload: { ...end, ...(limit_kind && { limit_kind }), error, will_retry: false },
        },
  ];
}

function output(final_output: string, finished_by: string): Draft {
  const bytes = Buffer.byteLength(final_output);
  const sha256 = createHash('sha256').update(final_output).digest('hex');
  return { type: 'system.output.finalized', payload: { final_output, finished_by, bytes, sha256 } };
}

function resultOf(attempt: ImportedAttempt, last_sequence: number): AttemptResult {
  const { outcome, limit_kind, final_output, cost_usd, cost_at_least_usd, latency_ms } = attempt;
  const models = modelCalls(attempt);
  return {
    ...{ outcome, limit_kind, finished_by: finishedBy(attempt), error: errorOf(attempt) },
    ...{ retry_after_ms: null, last_sequence },
    final_output_bytes: final_output === null ? null : Buffer.byteLength(final_output),
    ...(models !== null && { model_call_count: models }),
    tool_call_count: toolCalls(attempt),
    usage: attempt.usage && usageOf(attempt.usage),
    cost_usd,
    ...(cost_at_least_usd !== null && { cost_at_least_usd }),
    ...{ latency_ms, snapshot: null },
  };
}

function finishedBy({ outcome }: ImportedAttempt): 'message' | 'none' {
  return outcome === 'completed' ? 'message' : 'none';
}

function errorOf({ outcome, error_code }: ImportedAttempt): AttemptResult['error'] {
  if (outcome === 'completed' || outcome === 'cancelled') return null;
  const message = 'The attempt ended so where it was run.';
  return { code: error_code ?? outcome, message, retryable: false };
}

/** As it is stated, else as the steps have them; null where there are none. */
function modelCalls({ model_calls, steps }: ImportedAttempt): number | null {
  if (model_calls !== null || steps.length === 0) return model_calls;
  return steps.filter(({ model, usage }) => model !== null || usage !== null).length;
}

/** As it is stated, else as the steps have them; null where there are none. */
function toolCalls({ tool_calls, steps }: ImportedAttempt): number | null {
  if (tool_calls !== null || steps.length === 0) return tool_calls;
  return steps.reduce((sum, step) => sum + step.tool_calls.length, 0);
}

function usageOf(usage: ImportedUsage | null) {
  return { ...NO_USAGE, ...usage };
}
