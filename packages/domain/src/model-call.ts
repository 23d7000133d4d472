import type { JsonValue } from './json.js';

/** Token counts of one or more calls; null is "not reported", never 0. */
export interface Usage {
  input: number | null;
  output: number | null;
  total: number | null;
  cached_input: number | null;
  cache_write: number | null;
  reasoning: number | null;
}

/** The usage of a call without a usage report. */
export const NO_USAGE: Usage = {
  input: null,
  output: null,
  total: null,
  cached_input: null,
  cache_write: null,
  reasoning: null,
};

/**
 * Whole milliseconds of one call: all waiting for slots; from the request of the last try to its first fragment, null
 * when there was none; and in all, tries and waits included.
 */
export interface CallTiming {
  queued_ms: number;
  ttft_ms: number | null;
  total_ms: number;
}

export type FinishReason = 'stop' | 'tool_calls' | 'length' | 'content_filter' | 'other';

/**
 * A message as an attempt's history records it. What the history holds already is referenced instead of repeated: a
 * reply by its call, a tool's result by the call of the tool.
 */
export type RecordedMessage =
  | { role: 'system' | 'user'; text: string }
  | { role: 'assistant'; call_id: string }
  | { role: 'assistant'; text: string; tool_calls: { id: string; name: string; arguments: JsonValue }[] }
  | { role: 'tool'; tool_call_id: string; tool_name: string; result?: JsonValue };

/** The kinds of fragments of a model's output. */
export const DELTA_KINDS = ['text', 'reasoning', 'tool_call'] as const;
export type DeltaKind = (typeof DELTA_KINDS)[number];
