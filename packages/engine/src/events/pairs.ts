import type { EventPayloads, EventType } from './payloads.js';

/** Why something that was started never came to its own end. */
export interface Interruption {
  code: string;
  message: string;
}

/** A start that waits for its end. */
export interface OpenStart<T extends StartType = StartType> {
  type: T;
  key: string;
  payload: EventPayloads[T];
  startedAt: number;
}

export type StartType =
  | 'system.step.started'
  | 'model.call.started'
  | 'tool.call.started'
  | 'sandbox.command.started';

type Closing = { [E in EventType]: { type: E; payload: EventPayloads[E] } }[EventType];

interface Pair<T extends StartType> {
  key: (payload: EventPayloads[T]) => string;
  ends: readonly EventType[];
  /** The end that stands for "interrupted". */
  close: (start: EventPayloads[T], why: Interruption, durationMs: number) => Closing;
}

/** Every start and how it ends: by itself, or closed for it when its work was interrupted. */
export const PAIRS: { [T in StartType]: Pair<T> } = {
  'system.step.started': {
    key: ({ step_index }) => String(step_index),
    ends: ['system.step.completed'],
    close: ({ step_index }, _why, duration_ms) => ({
      type: 'system.step.completed',
      payload: { step_index, tool_call_count: 0, duration_ms },
    }),
  },
  'model.call.started': {
    key: ({ call_id }) => call_id,
    ends: ['model.call.completed', 'model.call.failed'],
    close: ({ call_id }, { code, message }, total_ms) => ({
      type: 'model.call.failed',
      payload: {
        call_id,
        tries: 1,
        class: code,
        retryable: false,
        message,
        timing: { queued_ms: 0, ttft_ms: null, total_ms },
      },
    }),
  },
  'tool.call.started': {
    key: ({ tool_call_id }) => tool_call_id,
    ends: ['tool.call.completed', 'tool.call.failed'],
    close: ({ tool_call_id, tool_name, arguments: args }, { code, message }, duration_ms) => ({
      type: 'tool.call.failed',
      payload: {
        tool_call_id,
        tool_name,
        arguments: args,
        layer: 'unknown',
        resolved_tool: null,
        kind: null,
        resolution_chain: [],
        result: null,
        counted: true,
        duration_ms,
        error: { code, message },
        failure_origin: 'primitive',
      },
    }),
  },
  'sandbox.command.started': {
    key: ({ command_id }) => command_id,
    ends: ['sandbox.command.completed', 'sandbox.command.failed'],
    close: ({ command_id }, { code, message }) => ({
      type: 'sandbox.command.failed',
      payload: { command_id, code, message },
    }),
  },
};

export function isStart(type: EventType): type is StartType {
  return type in PAIRS;
}
