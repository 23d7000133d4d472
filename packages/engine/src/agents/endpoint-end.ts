import type { ProviderFailureClass } from '@agentclash/models';
import type { AttemptEnd } from '../outcome/attempt-end.js';

/** The reply of an agent's endpoint; `output` is undefined when the body is not the agreed JSON. */
export interface EndpointReply {
  status: number;
  output?: string;
  retryAfterSeconds?: number;
}

/** The only 4xx that are no end of the agent's own: the server requests a later repetition. */
const RETRYABLE_4XX: Record<number, ProviderFailureClass> = {
  408: 'timeout',
  425: 'unavailable',
  429: 'rate_limit',
};

/**
 * Maps an endpoint's reply to an end. The endpoint is the agent: refusing a task is its own failure and graded.
 * A server that cannot serve at the moment (5xx, 408, 425, 429) is retried and then missing data.
 */
export function endOfEndpointReply(reply: EndpointReply): AttemptEnd {
  const { status, output } = reply;
  const failure = status >= 500 ? 'unavailable' : RETRYABLE_4XX[status];
  if (failure) {
    const message = `the endpoint replied with status ${status}`;
    return { because: 'provider', class: failure, message, retryAfterSeconds: reply.retryAfterSeconds };
  }
  if (status >= 400) {
    const message = `the endpoint refused the task with status ${status}`;
    return { because: 'agent_error', code: 'endpoint_error', message };
  }
  if (output === undefined || status < 200 || status >= 300) {
    return { because: 'agent_error', code: 'malformed_reply', message: 'the reply is not {"output": …}' };
  }
  if (output.trim() === '') return { because: 'agent_error', code: 'empty_output' };
  return { because: 'completed', finishedBy: 'endpoint', output: output };
}

/** The seconds of a `Retry-After` header; a date is read against `nowMs`. */
export function readRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header.trim());
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - nowMs) / 1_000);
}
