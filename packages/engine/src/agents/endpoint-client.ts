import type { EndpointConfig } from '@agentclash/domain';
import { EgressError, type EgressErrorCode, type EgressResult } from '@agentclash/egress';
import { bindingSentence, type ProviderFailureClass } from '@agentclash/models';
import type { Secret } from '@agentclash/redaction';
import { type AttemptEnd, AttemptEnded } from '../outcome/attempt-end.js';
import { openCredential } from '../secrets/opened-secrets.js';
import type { DriverContext } from './driver.js';

const REPLY_BYTES_MAX = 5 * 1024 * 1024;

/** Replaces the signal and the time limit of the stage. */
interface RequestLimits {
  signal: AbortSignal;
  timeoutMs: number;
}

/** An endpoint with its credential opened for one use. */
export interface EndpointClient {
  /** Throws AttemptEnded when the stage has ended. */
  post(body: object, limits?: RequestLimits): Promise<EgressResult | AttemptEnd>;
}

/** Opens the credential of an endpoint. Throws AttemptEnded where it is missing. */
export async function openEndpoint(config: EndpointConfig, context: DriverContext): Promise<EndpointClient> {
  const credential = await credentialOf(config, context);
  return { post: (body, limits) => post({ config, credential, body, limits }, context) };
}

interface Sending {
  config: EndpointConfig;
  credential: Secret | undefined;
  body: object;
  limits: RequestLimits | undefined;
}

async function post(
  { config, credential, body, limits }: Sending,
  { egress, stage, history }: DriverContext,
): Promise<EgressResult | AttemptEnd> {
  if (!limits) stage.check();
  const { signal, timeoutMs } = limits ?? {
    signal: stage.signal,
    timeoutMs: Math.max(1, stage.remainingMs()),
  };
  try {
    return await egress.request({
      method: 'POST',
      url: config.url,
      headers: headersOf(config, credential),
      body: JSON.stringify(body),
      policy: { kind: 'operator' },
      timeoutMs,
      maxBytes: REPLY_BYTES_MAX,
      ...(credential && { secretHeaders: ['authorization'] }),
      ...(credential?.origins && { secretOrigins: [credential.origins] }),
      signal,
      onHop: ({ event_type, payload }) => {
        if (event_type === 'network.request.completed') history.events.record(event_type, payload);
        else history.events.record(event_type, payload);
      },
    });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof EgressError) return endOfEgressError(error, credential);
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

function headersOf({ headers = {} }: EndpointConfig, credential: Secret | undefined): Record<string, string> {
  const own = {
    'Content-Type': 'application/json',
    ...(credential && { Authorization: `Bearer ${credential.reveal()}` }),
  };
  const isOwn = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  const literal = Object.entries(headers).filter(([name]) => !isOwn.has(name.toLowerCase()));
  return { ...Object.fromEntries(literal), ...own };
}

/** The end of each failed request; without an entry the endpoint was unreachable. */
const ENDS_BY_CODE: { [C in EgressErrorCode]?: AttemptEnd } = {
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

function endOfEgressError({ code, origin }: EgressError, credential: Secret | undefined): AttemptEnd {
  if (code === 'secret_host_denied' && credential) return outsideOfBinding(credential, origin);
  const message = `the endpoint could not be reached: ${code}`;
  return ENDS_BY_CODE[code] ?? { because: 'provider', class: 'unavailable', message };
}

function outsideOfBinding({ key, origins }: Secret, origin: string | undefined): AttemptEnd {
  const message = bindingSentence({ key, origins: origins ?? [], origin }, 'the URL of the endpoint');
  return { because: 'provider', class: 'secret_binding', message };
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

/** The only 4xx that are no end of the agent's own: the server requests a later repetition. */
const RETRYABLE_4XX: Record<number, ProviderFailureClass> = {
  408: 'timeout',
  425: 'unavailable',
  429: 'rate_limit',
};

/**
 * The end at a status of failure. The endpoint is the agent: refusing a task is its own failure and graded.
 * A server that cannot serve at the moment (5xx, 408, 425, 429) is retried and then missing data.
 */
export function endOfStatus(status: number, retryAfterSeconds?: number): AttemptEnd | undefined {
  const failure = status >= 500 ? 'unavailable' : RETRYABLE_4XX[status];
  if (failure) {
    const message = `the endpoint replied with status ${status}`;
    return { because: 'provider', class: failure, message, retryAfterSeconds };
  }
  if (status < 400) return undefined;
  const message = `the endpoint refused the task with status ${status}`;
  return { because: 'agent_error', code: 'endpoint_error', message };
}

/** The seconds of a reply's `Retry-After` header; a date is read against `nowMs`. */
export function retryAfterOf(
  { headers }: Pick<EgressResult, 'headers'>,
  nowMs: number,
): { retryAfterSeconds?: number } {
  const header = headers['retry-after'];
  if (header === undefined) return {};
  if (/^\d{1,9}$/.test(header.trim())) return { retryAfterSeconds: Number(header.trim()) };
  const at = Date.parse(header);
  return Number.isNaN(at) ? {} : { retryAfterSeconds: Math.max(0, (at - nowMs) / 1_000) };
}
