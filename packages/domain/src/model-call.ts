import type { JsonValue } from './json.js';
import type { Payload } from './payload.js';

/**
 * How a run makes its model calls: `record` keeps requests and replies with each attempt, `replay` serves those of an
 * earlier run, `cache` serves replies of the same requests in the workspace.
 */
export const MODEL_CALL_MODES = ['live', 'record', 'replay', 'cache'] as const;
export type ModelCallMode = (typeof MODEL_CALL_MODES)[number];

/** A request and its reply, as `record` keeps them: all texts redacted, no credential. */
export interface RecordedCall {
  /** From 1, in the order in which the calls of the delivery began. */
  call: number;
  /** Of our own loop, or forwarded for a program. */
  kind: 'native' | 'program';
  provider_key: string;
  model: string;
  request: {
    /** Of the whole request. */
    digest: string;
    /** The request begins with so many parts of the earlier call `of`. */
    shared?: { of: number; parts: number };
    /** The further parts: paths and digests. */
    parts: [path: string, digest: string][];
    /** Parts that no earlier call has, by digest. */
    texts: Record<string, string>;
  };
  reply: RecordedReply;
}

export type RecordedReply =
  /** Of our own loop. */
  | { kind: 'message'; message: Payload }
  /** Of a program's call, as the provider sent it. `is_cut`: the stream broke, or its program did not read on. */
  | {
      kind: 'http';
      status: number;
      headers: Record<string, string>;
      body: string;
      /** Absent for UTF-8. */
      encoding?: 'latin1';
      is_cut?: true;
    }
  | {
      kind: 'failed';
      class: string;
      message: string;
      status?: number;
      retry_after_seconds?: number;
      provider_message?: string;
      provider_code?: string;
    }
  /** The attempt ended before the reply. */
  | { kind: 'none' };

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
