import { isRecord, type RecordedReply } from '@agentclash/domain';
import {
  ForwardError,
  type ForwardedReply,
  ModelCallError,
  type ModelReply,
  PROVIDER_FAILURES,
  type ProviderFailureClass,
  type ReplySource,
} from '@agentclash/models';
import type { Redactor } from '@agentclash/redaction';

type Recorded<K extends RecordedReply['kind']> = Extract<RecordedReply, { kind: K }>;

/** Headers of replies that programs receive. */
const KEPT_HEADERS = ['content-type', 'request-id', 'x-request-id', 'retry-after'];
const INSTANT = { queued_ms: 0, ttft_ms: 0, total_ms: 0 };

export function recordedMessage(reply: ModelReply): Recorded<'message'> {
  const { tries: _, timing: __, costUsd: ___, ...message } = reply;
  return { kind: 'message', message };
}

export function recordedFailure(error: ModelCallError): Recorded<'failed'> {
  const { failure, message, details } = error;
  const { status, retryAfterSeconds } = details;
  const { providerMessage, providerCode } = error instanceof ForwardError ? error : {};
  return {
    kind: 'failed',
    class: failure,
    message,
    ...(status !== undefined && { status }),
    ...(retryAfterSeconds !== undefined && { retry_after_seconds: retryAfterSeconds }),
    ...(providerMessage !== undefined && { provider_message: providerMessage }),
    ...(providerCode !== undefined && { provider_code: providerCode }),
  };
}

export function recordedHttp(
  { status, headers }: Pick<ForwardedReply, 'status' | 'headers'>,
  bytes: Buffer,
  { isCut }: { isCut: boolean },
): Recorded<'http'> {
  const kept = KEPT_HEADERS.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  const text = bytes.toString();
  const isText = Buffer.from(text).equals(bytes);
  return {
    kind: 'http',
    status,
    headers: Object.fromEntries(kept),
    body: isText ? text : bytes.toString('latin1'),
    ...(!isText && { encoding: 'latin1' }),
    ...(isCut && { is_cut: true }),
  };
}

/** The reply of a call of our own loop. Throws ModelCallError for a recorded failure. */
export function servedMessage(reply: RecordedReply, servedFrom: ReplySource): ModelReply {
  if (reply.kind === 'failed') throw servedFailure(reply);
  if (reply.kind !== 'message') {
    throw new Error(`a reply of the kind ${reply.kind} was recorded for a call of the loop`);
  }
  // Written by `recordedMessage`.
  const message = reply.message as object as Omit<ModelReply, 'tries' | 'timing' | 'costUsd'>;
  return { ...message, costUsd: 0, tries: 1, timing: INSTANT, servedFrom };
}

/** The reply of a program's call, at once and as a whole. Throws ForwardError for a recorded failure. */
export function servedHttp(reply: RecordedReply, servedFrom: ReplySource): ForwardedReply {
  if (reply.kind === 'failed') {
    const { provider_message, provider_code } = reply;
    throw new ForwardError(servedFailure(reply), provider_message, provider_code);
  }
  if (reply.kind !== 'http') {
    throw new Error(`a reply of the kind ${reply.kind} was recorded for a call of a program`);
  }
  const { status, headers, body, encoding = 'utf8', is_cut = false } = reply;
  return {
    status,
    headers: new Headers(headers),
    body: servedBody(Buffer.from(body, encoding), is_cut),
    servedFrom,
    tries: 1,
    ttftMs: 0,
    timing: () => INSTANT,
    close: async () => {},
  };
}

async function* servedBody(bytes: Buffer, isCut: boolean): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes;
  if (isCut) throw new Error('the recorded reply was cut here');
}

function servedFailure(reply: Recorded<'failed'>): ModelCallError {
  const { status, retry_after_seconds: retryAfterSeconds } = reply;
  return new ModelCallError(failureClass(reply.class), reply.message, {
    tries: 1,
    timing: INSTANT,
    ...(status !== undefined && { status }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}

function failureClass(name: string): ProviderFailureClass {
  const known = (Object.keys(PROVIDER_FAILURES) as ProviderFailureClass[]).find((each) => each === name);
  return known ?? 'unavailable';
}

/** True when a secret remains in a redacted stream, cut into pieces by its events. */
export function holdsSplitSecret(body: string, redactor: Redactor): boolean {
  const joined = new Map<string, string>();
  for (const line of body.split('\n')) {
    if (!line.startsWith('data:')) continue;
    try {
      join(JSON.parse(line.slice('data:'.length)), '', joined);
    } catch {
      // Not JSON: no text of a reply.
    }
  }
  return [...joined.values()].some((text) => redactor.text(text) !== text);
}

/** Appends the texts of one event to those at the same paths of the events before. */
function join(value: unknown, path: string, joined: Map<string, string>): void {
  if (typeof value === 'string') joined.set(path, (joined.get(path) ?? '') + value);
  else if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) join(element, `${path}[${index}]`, joined);
  } else if (isRecord(value)) {
    for (const [name, member] of Object.entries(value)) join(member, `${path}.${name}`, joined);
  }
}
