import type { ProviderFailureClass } from '@agentclash/models';
import type { AttemptEnd } from '../attempt/outcome.js';

/** What came back from an agent's endpoint; `output` is undefined when the body is not the agreed JSON. */
export interface EndpointReply {
  status: number;
  output?: string;
  retryAfterSeconds?: number;
}

const RETRYABLE_STATUSES: Record<number, ProviderFailureClass> = {
  408: 'timeout',
  429: 'rate_limit',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
};

/** The end that an endpoint's reply means: its own faults judge the agent, its unreachability does not. */
export function endOfEndpointReply(reply: EndpointReply): AttemptEnd {
  const { status, output } = reply;
  const failure =
    RETRYABLE_STATUSES[status] ?? (status >= 400 && status < 500 ? classOf4xx(status) : undefined);
  if (failure) {
    const message = `the endpoint answered ${status}`;
    return { because: 'provider', class: failure, message, retryAfterSeconds: reply.retryAfterSeconds };
  }
  if (status >= 500) {
    return { because: 'agent_error', code: 'endpoint_error', message: `the endpoint answered ${status}` };
  }
  if (output === undefined || status < 200 || status >= 300) {
    return { because: 'agent_error', code: 'malformed_reply', message: 'the reply is not {"output": …}' };
  }
  if (output.trim() === '') return { because: 'agent_error', code: 'empty_output' };
  return { because: 'answer', finishedBy: 'endpoint', answer: output };
}

function classOf4xx(status: number): ProviderFailureClass {
  return status === 401 || status === 403 ? 'auth' : 'invalid_request';
}

/** Seconds that a `Retry-After` header asks for; a date is read against `nowMs`. */
export function readRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header.trim());
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - nowMs) / 1_000);
}
