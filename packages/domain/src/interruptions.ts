import type { Activity, EndOf } from './events.js';
import type { JsonValue } from './json.js';

/** The reason for which a started activity has no end of its own. */
export interface Interruption {
  code: string;
  message: string;
}

/** The members of each start event that its interrupted end repeats. */
interface InterruptedStarts {
  'system.step': { step_index: number };
  'model.call': { call_id: string };
  'tool.call': { tool_call_id: string; tool_name: string; arguments: JsonValue };
  'sandbox.command': { command_id: string };
}

/** An activity within a delivery: an interruption of the delivery ends it, too. */
export type InnerActivity = keyof InterruptedStarts & Activity;

/** The end event of an activity that was interrupted; durations are in milliseconds. */
export const INTERRUPTED_ENDS = {
  'system.step': ({ step_index }, _why, duration_ms) => ({
    type: 'system.step.completed' as const,
    payload: { step_index, tool_call_count: 0, duration_ms },
  }),
  'model.call': ({ call_id }, { code, message }, total_ms) => ({
    type: 'model.call.failed' as const,
    payload: {
      call_id,
      tries: 1,
      class: code,
      retryable: false,
      message,
      timing: { queued_ms: 0, ttft_ms: null, total_ms },
    },
  }),
  'tool.call': ({ tool_call_id, tool_name, arguments: args }, { code, message }, duration_ms) => ({
    type: 'tool.call.failed' as const,
    payload: {
      tool_call_id,
      tool_name,
      arguments: args,
      layer: 'unknown' as const,
      resolved_tool: null,
      kind: null,
      resolution_chain: [],
      result: null,
      counted: true,
      duration_ms,
      error: { code, message },
      failure_origin: 'primitive' as const,
    },
  }),
  'sandbox.command': ({ command_id }, { code, message }) => ({
    type: 'sandbox.command.failed' as const,
    payload: { command_id, code, message },
  }),
} satisfies {
  [A in InnerActivity]: (
    start: InterruptedStarts[A],
    why: Interruption,
    durationMs: number,
  ) => { type: EndOf<A>; payload: object };
};

export function isInnerActivity(activity: Activity): activity is InnerActivity {
  return Object.hasOwn(INTERRUPTED_ENDS, activity);
}
