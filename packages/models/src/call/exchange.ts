import {
  type Egress,
  EgressError,
  type EgressErrorCode,
  type EgressStream,
  guardedFetch,
} from '@agentclash/egress';
import type { CallFailureReason, ProviderError } from '../failures/failure.js';
import { messageOfBody } from '../failures/provider-message.js';
import { retryAfterMs } from '../failures/retry-after.js';
import type { Credential } from '../model/account.js';
import { CallAttemptError } from './call-attempt-error.js';

// Allows a long reply in small events; a longer stream is an error.
const STREAM_BYTES_MAX = 64 * 1024 * 1024;
const ERROR_BODY_CHARS_MAX = 64 * 1024;
/** Made once: every exchange is closed, and a stack trace costs more than the rest of it. */
const CLOSED = new Error('the exchange was closed');
const SECRET_HEADERS = ['authorization', 'x-api-key', 'x-goog-api-key'];

const REASONS: Partial<Record<EgressErrorCode, CallFailureReason>> = {
  timeout: 'timeout',
  response_failed: 'cut',
  response_too_large: 'undecodable',
  dns_failed: 'reset',
  connect_failed: 'reset',
  tls_failed: 'reset',
  header_invalid: 'no_credential',
  headers_too_large: 'no_credential',
  body_too_large: 'unsendable',
  secret_host_denied: 'bound_elsewhere',
};

export interface ExchangeOptions {
  egress: Egress;
  /** Its calls share connections. */
  accountId: string;
  credential: Credential | undefined;
  /** One deadline for connect, response and stream. */
  timeoutMs: number;
  signal: AbortSignal;
  /** Wall time, to parse a `Retry-After` that is a date. */
  now: () => number;
}

/** A reply of success, while its body streams. */
export type OpenReply = Pick<EgressStream, 'status' | 'headers' | 'body'>;

/** The HTTP side of one try: the real status and failure on the wire. */
export class Exchange {
  /** The failure that ended the exchange, independent of the SDK's error. */
  failure: CallAttemptError | undefined;
  /** The HTTP status, once there is one. */
  status: number | undefined;
  private readonly closed = new AbortController();
  private stream: EgressStream | undefined;

  constructor(private readonly options: ExchangeOptions) {}

  /** For an SDK. */
  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const guarded = guardedFetch(this.options.egress, this.guard());
    try {
      const response = await guarded(input, { ...init, signal: this.signal() });
      this.status = response.status;
      if (!response.ok) throw await this.errorReply(response.headers.get('retry-after'), response.body ?? []);
      return response.body === null
        ? response
        : new Response(this.recordingFailures(response.body), response);
    } catch (error) {
      throw this.recorded(error);
    }
  };

  /** Posts a body that needs no SDK. */
  async post(url: string, message: { headers: Record<string, string>; body: string }): Promise<OpenReply> {
    try {
      const { egress } = this.options;
      const request = { ...this.guard(), ...message, method: 'POST', url, signal: this.signal() };
      const stream = await egress.open(request);
      this.stream = stream;
      const { status, headers, body } = stream;
      this.status = status;
      if (status < 200 || status >= 300) throw await this.errorReply(headers['retry-after'] ?? null, body);
      return { status, headers, body: this.recordingReads(body) };
    } catch (error) {
      throw this.recorded(error);
    }
  }

  /** Drops the connection if it is still open. */
  close(): void {
    this.closed.abort(CLOSED);
    this.stream?.close();
  }

  private guard() {
    const { credential, accountId, timeoutMs } = this.options;
    return {
      policy: { kind: 'operator' as const, plainHttp: 'unlocked' as const },
      timeoutMs,
      maxBytes: STREAM_BYTES_MAX,
      secretHeaders: SECRET_HEADERS,
      pool: `account ${accountId}`,
      ...(credential?.origins && { secretOrigins: [credential.origins] }),
    };
  }

  private signal(): AbortSignal {
    return AbortSignal.any([this.options.signal, this.closed.signal]);
  }

  private async errorReply(
    retryAfter: string | null,
    body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): Promise<CallAttemptError> {
    const wait = retryAfterMs(retryAfter, this.options.now());
    return new CallAttemptError(
      { ...messageOfBody(await beginningOf(body)), status: this.status },
      { isHttpError: true, ...(wait !== undefined && { retryAfterMs: wait }) },
    );
  }

  private async *recordingReads(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* body;
    } catch (error) {
      throw this.recorded(error);
    }
  }

  private recordingFailures(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    return new ReadableStream({
      pull: async (controller) => {
        try {
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          throw this.recorded(error);
        }
      },
      cancel: (reason) => reader.cancel(reason),
    });
  }

  private recorded(error: unknown): unknown {
    if (error instanceof CallAttemptError) this.failure ??= error;
    else if (error instanceof EgressError) {
      // All other codes are policy decisions of the guard.
      const reason = REASONS[error.code] ?? 'blocked';
      const facts = { reason, code: error.code, ...this.statusSeen() };
      this.failure ??= new CallAttemptError({ ...facts, ...this.bindingOf(error) });
    }
    return error;
  }

  private bindingOf({ code, origin }: EgressError): Pick<ProviderError, 'binding'> {
    const { credential } = this.options;
    if (code !== 'secret_host_denied' || !credential?.origins) return {};
    return { binding: { key: credential.key, origins: credential.origins, origin } };
  }

  private statusSeen(): { status?: number } {
    return this.status === undefined ? {} : { status: this.status };
  }
}

/** The beginning of an error's text; a connection error ends it early. */
async function beginningOf(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length > ERROR_BODY_CHARS_MAX) break;
    }
  } catch {
    // The status alone classifies the failure.
  }
  return text;
}
