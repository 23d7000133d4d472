import { type PayloadOf, recordIn, textIn } from '@agentclash/domain';
import type { EvidenceEvent } from './types.js';

/** A finished tool call, successful or not. */
export interface FinishedToolCall {
  readonly sequence_number: number;
  readonly tool_name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly failed: boolean;
  /** arguments, policy, budget, resolution, delegation, primitive or mock; null for a successful call. */
  readonly failure_origin: string | null;
}

const FINISHED = new Map([
  ['tool.call.completed', false],
  ['tool.call.failed', true],
]);

/** Every finished tool call, in order. */
export function toolTrace(events: readonly EvidenceEvent[]): FinishedToolCall[] {
  return events.flatMap((event) => {
    const failed = FINISHED.get(event.event_type);
    if (failed === undefined) return [];
    const payload: PayloadOf<'tool.call.completed' | 'tool.call.failed'> = event.payload;
    return [
      {
        sequence_number: event.sequence_number,
        tool_name: textIn(payload, 'tool_name') ?? '',
        arguments: recordIn(payload, 'arguments') ?? {},
        failed,
        failure_origin: failed ? (textIn(payload, 'failure_origin') ?? null) : null,
      },
    ];
  });
}

/** The trace without `submit`: submitting the result is not work. */
export function workingCalls(trace: readonly FinishedToolCall[]): FinishedToolCall[] {
  return trace.filter((call) => call.tool_name !== 'submit');
}
