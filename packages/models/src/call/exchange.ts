import { type Egress, EgressError, type EgressErrorCode, guardedFetch } from '@agentclash/egress';
import type { Credential } from '../account.js';
import type { ProviderFault } from '../failures/failure.js';
import { wordsOfBody } from '../failures/provider-words.js';
import { retryAfterMs } from '../failures/retry-after.js';
import { TryFailure } from './try-failure.js';

// A long answer in small events; a stream beyond it is no answer any more.
const STREAM_BYTES_MAX = 64 * 1024 * 1024;
const ERROR_BODY_CHARS_MAX = 64 * 1024;
const SECRET_HEADERS = ['authorization', 'x-api-key', 'x-goog-api-key'];

const FAULTS: Partial<Record<EgressErrorCode, ProviderFault>> = {
  timeout: 'timeout',
  response_failed: 'cut',
  response_too_large: 'undecodable',
  dns_failed: 'reset',
  connect_failed: 'reset',
  tls_failed: 'reset',
  header_invalid: 'no_credential',
  headers_too_large: 'no_credential',
  body_too_large: 'unsendable',
};

export interface ExchangeOptions {
  egress: Egress;
  credential: Credential | undefined;
  /** One deadline over connect, answer and stream. */
  timeoutMs: number;
  signal: AbortSignal;
  /** Wall time, to read a `Retry-After` that is a date. */
  now: () => number;
}

/** The HTTP side of one try: the `fetch` that an SDK gets, and what really happened on the wire. */
export class Exchange {
  /** What ended the exchange, whatever the SDK made of it. */
  failure: TryFailure | undefined;
  /** The HTTP status, once there is one. */
  status: number | undefined;
  private readonly over = new AbortController();

  constructor(private readonly options: ExchangeOptions) {}

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const { egress, timeoutMs, signal } = this.options;
    const guarded = guardedFetch(egress, {
      policy: { kind: 'operator', plainHttp: 'unlocked' },
      timeoutMs,
      maxBytes: STREAM_BYTES_MAX,
      secretHeaders: SECRET_HEADERS,
      secretHosts: this.secretHosts(),
    });
    try {
      const response = await guarded(input, { ...init, signal: AbortSignal.any([signal, this.over.signal]) });
      this.status = response.status;
      if (!response.ok) throw await this.refusal(response);
      return response.body === null ? response : new Response(this.watched(response.body), response);
    } catch (error) {
      throw this.noted(error);
    }
  };

  /** Drops the connection if it is still open. */
  close(): void {
    this.over.abort();
  }

  private secretHosts(): string[][] {
    const hosts = this.options.credential?.hosts ?? [];
    return hosts.length === 0 ? [] : [[...hosts]];
  }

  private async refusal(response: Response): Promise<TryFailure> {
    const wait = retryAfterMs(response.headers.get('retry-after'), this.options.now());
    const body = await beginningOf(response);
    return new TryFailure(
      { ...wordsOfBody(body), status: response.status },
      wait === undefined ? {} : { retryAfterMs: wait },
    );
  }

  private watched(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    return new ReadableStream({
      pull: async (controller) => {
        try {
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          throw this.noted(error);
        }
      },
      cancel: (reason) => reader.cancel(reason),
    });
  }

  private noted(error: unknown): unknown {
    if (error instanceof TryFailure) this.failure ??= error;
    else if (error instanceof EgressError) {
      // What is not listed is the guard's own refusal.
      const fault = FAULTS[error.code] ?? 'blocked';
      this.failure ??= new TryFailure({ fault, code: error.code, ...this.statusSeen() });
    }
    return error;
  }

  private statusSeen(): { status?: number } {
    return this.status === undefined ? {} : { status: this.status };
  }
}

/** As much of an error's text as is worth reading; what breaks on the way is left out. */
async function beginningOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length > ERROR_BODY_CHARS_MAX) break;
    }
  } catch {
    // The status is known, and decides.
  }
  return text;
}
