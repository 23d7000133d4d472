import { isUtf8 } from 'node:buffer';
import type { EndpointConfig, TaskDocument } from '@agentclash/domain';
import { type Egress, EgressError, type EgressErrorCode, type EgressResult } from '@agentclash/egress';
import type { ProviderFailureClass } from '@agentclash/models';
import type { Secret } from '@agentclash/redaction';
import { z } from 'zod';
import { type AttemptEnd, AttemptEnded } from '../outcome/attempt-end.js';
import { openCredential } from '../secrets/opened-secrets.js';
import type { DriverContext, DriverResult } from './driver.js';

const REPLY_BYTES_MAX = 5 * 1024 * 1024;

const Tokens = z.number().int().min(0).optional().catch(undefined);
const Reply = z.object({
  output: z.string(),
  usage: z.object({ input_tokens: Tokens, output_tokens: Tokens }).optional().catch(undefined),
});

/** Sends the task to a remote agent; its reply is the final output. */
export async function driveEndpoint(config: EndpointConfig, context: DriverContext): Promise<DriverResult> {
  return { end: await callEndpoint(config, context.task, context) };
}

/** Calls an endpoint once. Throws AttemptEnded at the time limit or when the attempt was cancelled. */
export async function callEndpoint(
  config: EndpointConfig,
  task: TaskDocument,
  context: DriverContext,
): Promise<AttemptEnd> {
  const { spending, history, plan } = context;
  // The tokens of a reply are only known afterwards: the budget must not be spent before.
  spending.reserve({ input: 0, output: 0, costUsd: null });
  const sent = await post(config, task, context);
  if ('because' in sent) return sent;
  const reply = readReply(sent, context.clock.now());
  if (reply.usage) spending.settle(reply.usage, null);
  const output = reply.output === undefined ? undefined : history.secrets.redact(reply.output);
  if (output !== undefined && Buffer.byteLength(output) > plan.limits.max_output_bytes) {
    return { because: 'limit', limit: 'output' };
  }
  return endOfEndpointReply({ ...reply, output });
}

async function post(
  config: EndpointConfig,
  task: TaskDocument,
  context: DriverContext,
): Promise<EgressResult | AttemptEnd> {
  const { egress, stage } = context;
  const credential = await credentialOf(config, context);
  stage.check();
  try {
    return await egress.request(requestOf(config, { task, credential, context }));
  } catch (error) {
    stage.signal.throwIfAborted();
    if (error instanceof EgressError) return endOfRefusal(error, { url: config.url, credential });
    throw error;
  }
}

async function credentialOf(
  { credential_reference }: EndpointConfig,
  { history, stage, readVariable }: DriverContext,
): Promise<Secret | undefined> {
  if (credential_reference === undefined) return undefined;
  const context = { secrets: history.secrets, signal: stage.signal, ...(readVariable && { readVariable }) };
  const credential = await openCredential(credential_reference, context);
  if (credential) return credential;
  throw new AttemptEnded({ because: 'provider', class: 'auth', message: 'the credential is missing' });
}

function requestOf(
  { url, headers = {} }: EndpointConfig,
  sending: { task: TaskDocument; credential: Secret | undefined; context: DriverContext },
): Parameters<Egress['request']>[0] {
  const { task, credential, context } = sending;
  const { history, stage } = context;
  const own = {
    'Content-Type': 'application/json',
    ...(credential && { Authorization: `Bearer ${credential.reveal()}` }),
  };
  const isOwn = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  const literal = Object.entries(headers).filter(([name]) => !isOwn.has(name.toLowerCase()));
  return {
    method: 'POST',
    url,
    headers: { ...Object.fromEntries(literal), ...own },
    body: JSON.stringify(task),
    policy: { kind: 'operator' },
    timeoutMs: Math.max(1, stage.remainingMs()),
    maxBytes: REPLY_BYTES_MAX,
    ...(credential && { secretHeaders: ['authorization'] }),
    ...(credential?.origins && { secretOrigins: [credential.origins] }),
    signal: stage.signal,
    onHop: ({ event_type, payload }) => {
      if (event_type === 'network.request.completed') history.events.record(event_type, payload);
      else history.events.record(event_type, payload);
    },
  };
}

interface ReadReply extends EndpointReply {
  usage?: { input: number | null; output: number | null; total: number };
}

function readReply({ status, headers, body }: EgressResult, nowMs: number): ReadReply {
  const retryAfterSeconds = readRetryAfter(headers['retry-after'], nowMs);
  const base = { status, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
  const parsed = Reply.safeParse(jsonOf(body));
  if (!parsed.success) return base;
  const { output, usage } = parsed.data;
  return { ...base, output, ...(usage && { usage: usageOf(usage) }) };
}

function jsonOf(body: Uint8Array): unknown {
  if (!isUtf8(body)) return undefined;
  try {
    return JSON.parse(Buffer.from(body).toString());
  } catch {
    return undefined;
  }
}

function usageOf({ input_tokens, output_tokens }: { input_tokens?: number; output_tokens?: number }) {
  const [input = null, output = null] = [input_tokens, output_tokens];
  return { input, output, total: (input ?? 0) + (output ?? 0) };
}

/** The end of each failed request; without an entry the endpoint was unreachable. */
const REFUSALS: { [C in EgressErrorCode]?: AttemptEnd } = {
  timeout: { because: 'limit', limit: 'time' },
  response_too_large: { because: 'limit', limit: 'output' },
  too_many_redirects: {
    because: 'agent_error',
    code: 'malformed_reply',
    message: 'the endpoint redirects too often',
  },
  egress_blocked: blocked(),
  redirect_downgrade: blocked(),
  redirect_secret_body: blocked(),
  header_invalid: invalid(),
  header_not_allowed: invalid(),
  headers_too_large: invalid(),
  body_too_large: invalid(),
};

function endOfRefusal(
  { code }: EgressError,
  { url, credential }: { url: string; credential: Secret | undefined },
): AttemptEnd {
  if (code === 'secret_host_denied' && credential) return outsideOfBinding(credential, url);
  const message = `the endpoint could not be reached: ${code}`;
  return REFUSALS[code] ?? { because: 'provider', class: 'unavailable', message };
}

function outsideOfBinding({ key, origins }: Secret, url: string): AttemptEnd {
  const { origin } = new URL(url);
  const bound = `the secret ${key} is bound to ${origins?.join(', ')}`;
  const message = `${bound}: set it with the origin of the endpoint, ${origin}, or correct the URL of the endpoint`;
  return { because: 'provider', class: 'egress_blocked', message };
}

function blocked(): AttemptEnd {
  return { because: 'provider', class: 'egress_blocked', message: 'the policy does not admit the endpoint' };
}

function invalid(): AttemptEnd {
  return {
    because: 'provider',
    class: 'invalid_request',
    message: 'the request to the endpoint is not valid',
  };
}

/** The reply of an agent's endpoint; `output` is undefined when the body is not the agreed JSON. */
interface EndpointReply {
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
function readRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header.trim());
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - nowMs) / 1_000);
}
