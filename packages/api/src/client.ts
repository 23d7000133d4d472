import type { LiveEvent, RecordedEvent } from '@agentclash/contracts';
import { ApiError, apiErrorOf, impossibleToken, unreachable } from './api-error.js';
import { type CallArguments, type CallParts, type Payload, payloadOf, targetOf } from './call.js';
import { followEvents } from './event-stream.js';
import type { ResponseOutput, Route } from './routes/route.js';
import { routes } from './routes/routes.js';

export interface ClientOptions {
  /** The address of the API, without `/v1`. */
  baseUrl: string;
  token?: string;
  /** Id or slug for `{ws}` in paths. Default: `default`. */
  workspace?: string;
  fetch?: typeof fetch;
  /** Time for a response to begin. Default: 30 s; uploads and streams have no limit. */
  timeoutMs?: number;
}

interface EventsOptions {
  /** Position of the last event already seen. */
  after?: number;
  signal?: AbortSignal;
  workspace?: string;
  /** How long the server may be unreachable before the stream fails with `unavailable`. Default: 60 s. */
  reconnectTimeoutMs?: number;
  /** Called once when the connection is lost, with how long it is retried, and once when it is restored. */
  onLost?: (reconnectTimeoutMs: number) => void;
  onBack?: () => void;
  /** Receives the output of models as it is generated: live only, and dropped for a slow reader. */
  onDelta?: (delta: LiveEvent) => void;
}

export interface Client {
  /** Fails with `ApiError`. */
  call<R extends Route>(route: R, ...options: CallArguments<R>): Promise<ResponseOutput<R>>;
  /**
   * The run's events in order, history first, then live, until the run has ended; it reconnects by itself and yields
   * each event once. Fails with `ApiError` when the run cannot be read or the server stays unreachable.
   */
  events(runId: string, options?: EventsOptions): AsyncGenerator<RecordedEvent, void, undefined>;
}

const TIMEOUT_MS = 30_000;

/** The typed client of the HTTP API. */
export function createClient(options: ClientOptions): Client {
  const { timeoutMs = TIMEOUT_MS, workspace = 'default' } = options;
  const send = sender(options);
  return {
    async call<R extends Route>(route: R, ...[call]: CallArguments<R>): Promise<ResponseOutput<R>> {
      const parts: CallParts = call ?? {};
      const target = targetOf(route, { ...parts, params: { ws: workspace, ...parts.params } });
      const { body, contentType } = payloadOf(route, parts.body);
      const isUpload = body instanceof FormData || body instanceof ReadableStream;
      const isStream = isUpload || isRaw(route);
      const response = await send(target, {
        method: route.method,
        body,
        signal: anyOf(parts.signal, isStream ? undefined : AbortSignal.timeout(timeoutMs)),
        headers: {
          accept: 'application/json, */*;q=0.5',
          ...(contentType && { 'content-type': contentType }),
          ...(parts.idempotencyKey && { 'idempotency-key': parts.idempotencyKey }),
        },
      });
      return (await read(route, response, parts.signal)) as ResponseOutput<R>;
    },

    events(runId, { workspace: ws = workspace, ...follow } = {}) {
      const query = follow.onDelta === undefined ? {} : { deltas: true };
      const target = targetOf(routes.runs.events, { params: { ws, run_id: runId }, query });
      const open = (headers: Record<string, string>, signal: AbortSignal | undefined) =>
        send(target, { headers: { accept: 'text/event-stream', ...headers }, signal });
      return followEvents(open, follow);
    },
  };
}

interface Request {
  method?: string;
  body?: Payload | undefined;
  headers: Record<string, string>;
  signal?: AbortSignal | undefined;
}

/** Sends with the token; any status but success is an `ApiError`. */
function sender({ baseUrl, token, fetch: send = fetch }: ClientOptions) {
  const base = baseUrl.replace(/\/+$/, '');
  return async (target: string, { body, signal, headers, method = 'GET' }: Request): Promise<Response> => {
    const authorization: Record<string, string> =
      token === undefined ? {} : { authorization: `Bearer ${bearerOf(token)}` };
    let response: Response;
    try {
      response = await send(`${base}${target}`, {
        method,
        headers: { ...headers, ...authorization },
        ...(body === undefined ? {} : { body }),
        // A stream can be sent only if the response is read after it.
        ...(body instanceof ReadableStream && { duplex: 'half' }),
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (cause) {
      throw signal?.aborted && !isTimeout(cause) ? cause : unreachable(base, cause);
    }
    if (response.ok) return response;
    throw await apiErrorOf(response);
  };
}

const TOKEN = /^[\x21-\x7e]*$/;

/** Without surrounding white space. Other invalid characters would fail in `fetch` as if no server were reachable. */
function bearerOf(token: string): string {
  const bearer = token.trim();
  if (!TOKEN.test(bearer)) throw impossibleToken();
  return bearer;
}

function isRaw({ response }: Route): boolean {
  return response === 'bytes' || response === 'export' || response === 'event_stream';
}

async function read(route: Route, response: Response, signal: AbortSignal | undefined): Promise<unknown> {
  if (isRaw(route)) return response;
  if (route.response === 'none') {
    await response.body?.cancel();
    return undefined;
  }
  const text = await response.text().catch((cause: unknown) => {
    throw signal?.aborted ? cause : unreachable(response.url, cause);
  });
  try {
    return JSON.parse(text);
  } catch (cause) {
    const detail = `${response.url} did not respond with JSON. Is that an AgentClash server?`;
    throw new ApiError({ code: 'unavailable', detail }, null, { cause });
  }
}

/** The client's own timeout, not an abort by the caller. */
function isTimeout(cause: unknown): boolean {
  return cause instanceof DOMException && cause.name === 'TimeoutError';
}

function anyOf(...signals: (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined);
  return given.length < 2 ? given[0] : AbortSignal.any(given);
}
