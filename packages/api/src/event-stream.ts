import type { LiveEvent, RecordedEvent } from '@agentclash/contracts';
import { createParser } from 'eventsource-parser';
import { ApiError } from './api-error.js';

type Open = (headers: Record<string, string>, signal: AbortSignal | undefined) => Promise<Response>;

interface FollowOptions {
  after?: number;
  signal?: AbortSignal;
  reconnectTimeoutMs?: number;
  /** Called once when the connection is lost, with how long it is retried, and once when it is restored. */
  onLost?: (reconnectTimeoutMs: number) => void;
  onBack?: () => void;
  onDelta?: (delta: LiveEvent) => void;
}

const RECONNECT_TIMEOUT_MS = 60_000;
const PAUSE_MS_MIN = 250;
const PAUSE_MS_MAX = 5_000;
/** Maximum length of an event, in characters. */
const EVENT_CHARACTERS_MAX = 67_108_864;
/** The server sends a comment every 15 s; a longer silence is a dead connection. */
const SILENCE_MS_MAX = 45_000;

/** Follows a run's events over as many connections as necessary, until 204: the end of the stream. */
export async function* followEvents(
  open: Open,
  { after = 0, signal, reconnectTimeoutMs = RECONNECT_TIMEOUT_MS, onLost, onBack, onDelta }: FollowOptions,
): AsyncGenerator<RecordedEvent, void, undefined> {
  let position = after;
  let aliveAt = Date.now();
  let pauseMs = PAUSE_MS_MIN;
  let isLost = false;
  const notifyRestored = () => {
    if (isLost) onBack?.();
    isLost = false;
  };
  for (;;) {
    signal?.throwIfAborted();
    const connection = new Connection(signal);
    let failure: unknown = new Error('the stream ended without an event');
    let isAlive = false;
    try {
      const response = await open({ 'last-event-id': String(position) }, connection.signal);
      if (response.status === 204) {
        notifyRestored();
        return;
      }
      for await (const event of connection.events(response)) {
        isAlive = true;
        notifyRestored();
        aliveAt = Date.now();
        pauseMs = PAUSE_MS_MIN;
        if (event !== undefined && !('position' in event)) onDelta?.(event);
        if (event === undefined || !('position' in event) || event.position <= position) continue;
        yield event;
        position = event.position;
      }
      if (isAlive) continue;
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof ApiError && !isTemporary(error)) throw error;
      failure = error;
    } finally {
      connection.close();
    }
    if (Date.now() - aliveAt > reconnectTimeoutMs) throw connectionLost(failure);
    if (!isLost) onLost?.(reconnectTimeoutMs);
    isLost = true;
    const retryMs = failure instanceof ApiError ? (failure.retryAfter ?? 0) * 1_000 : 0;
    await sleep(Math.max(pauseMs, retryMs), signal);
    pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX);
  }
}

function connectionLost(cause: unknown): ApiError {
  if (cause instanceof ApiError) return cause;
  const detail = 'The event stream was lost and cannot be restored.';
  return new ApiError({ code: 'unavailable', detail }, null, { cause });
}

function isTemporary(error: ApiError): boolean {
  return error.code === 'unavailable' || error.code === 'rate_limited' || error.status >= 500;
}

/** One connection, closed when it stays silent. */
class Connection {
  private readonly abort = new AbortController();
  private silence: ReturnType<typeof setTimeout> | undefined;
  readonly signal: AbortSignal;

  constructor(outer: AbortSignal | undefined) {
    this.signal = outer === undefined ? this.abort.signal : AbortSignal.any([outer, this.abort.signal]);
    this.listen();
  }

  /** The events; undefined for a comment. */
  async *events(response: Response): AsyncGenerator<RecordedEvent | LiveEvent | undefined, void, undefined> {
    if (response.body === null) return;
    for await (const data of parseEvents(response.body)) {
      this.listen();
      yield data === undefined ? undefined : (JSON.parse(data) as RecordedEvent | LiveEvent);
    }
  }

  close(): void {
    clearTimeout(this.silence);
    this.abort.abort();
  }

  private listen(): void {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.abort.abort(new Error('the stream is silent')), SILENCE_MS_MAX);
  }
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const wake = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', wake);
      resolve();
    }, ms);
    signal?.addEventListener('abort', wake, { once: true });
  });
}

/** The data of each server-sent event of a stream; undefined for a comment, which is a sign of life. */
export async function* parseEvents(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<string | undefined, void, undefined> {
  const decoder = new TextDecoder();
  const parsed: (string | undefined)[] = [];
  const parser = createParser({
    onEvent: ({ data }) => parsed.push(data),
    onComment: () => parsed.push(undefined),
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') throw error;
    },
    maxBufferSize: EVENT_CHARACTERS_MAX,
  });
  for await (const chunk of chunks) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* parsed.splice(0);
  }
}
