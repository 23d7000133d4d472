import { isRecord, type Usage } from '@agentclash/domain';
import {
  type BeginWait,
  BudgetExhausted,
  classifyProviderError,
  ForwardError,
  type ForwardingModel,
  type ProviderFailureClass,
  type ReplySource,
  streamError,
  tokensMaxOf,
} from '@agentclash/models';
import type { Wire, WireReply } from '../wires/wire.js';

type Cause = 'request' | 'provider' | 'unclear';

/** Whose doing a failed call is, by its class; `unclear` where a program can provoke it and an account, too. */
const CAUSES: Record<ProviderFailureClass, Cause> = {
  context_length: 'request',
  content_filter: 'request',
  invalid_request: 'unclear',
  unsupported: 'unclear',
  auth: 'provider',
  quota: 'provider',
  rate_limit: 'provider',
  timeout: 'provider',
  unavailable: 'provider',
  malformed_response: 'provider',
  egress_blocked: 'provider',
  secret_binding: 'provider',
};
/** A feature or a setting that the account may not use, and a conflict, are replied to some requests only. */
const CAUSES_BY_STATUS: Partial<Record<number, Cause>> = { 403: 'unclear', 409: 'unclear' };

export function causeOf({ failure, details: { status } }: ForwardError): Cause {
  // A request that could not be sent was too large; a provider that is unknown received none.
  if (status === undefined) return failure === 'invalid_request' ? 'request' : sureCause(failure);
  return CAUSES_BY_STATUS[status] ?? CAUSES[failure];
}

function sureCause(failure: ProviderFailureClass): Cause {
  return CAUSES[failure] === 'request' ? 'request' : 'provider';
}

/** The failure of a stream that holds an error; the request was accepted, so the account works. */
export function failureInStream({ type, message }: NonNullable<WireReply['error']>) {
  const failure = classifyProviderError(streamError({ code: type, message }));
  return {
    failure,
    message: 'the provider reported an error in its stream',
    isOfRequest: CAUSES[failure] !== 'provider',
  };
}

/** Of one attempt; afterwards a model that has worked counts as working. */
const CONTROLS_MAX = 8;
const REPLY_BYTES_MAX = 1024 * 1024;

/** The smallest request of the same API with the same credential: it succeeds where only the program's is refused. */
export type ControlResult = ({ works: true } & ControlReply) | { works: false; error?: ForwardError };

interface ControlReply {
  usage?: Usage;
  servedFrom?: ReplySource;
}

export interface ControlTarget {
  alias: string;
  wire: Wire;
  model: ForwardingModel;
  signal: AbortSignal;
  beginWait: BeginWait | undefined;
}

/** Distinguishes requests that a provider refuses from accounts and models that it refuses, by calls of its own. */
export class ControlCalls {
  readonly #working = new Set<string>();
  #count = 0;

  /** A call of the program succeeded. */
  succeeded(target: Pick<ControlTarget, 'alias' | 'wire'>): void {
    this.#working.add(keyOf(target));
  }

  /** Tests whether the model works for other requests than the one that failed. */
  async check(error: ForwardError, target: ControlTarget): Promise<ControlResult> {
    const hasWorked = this.#working.has(keyOf(target));
    // A credential may be revoked meanwhile, whereas a model keeps its name.
    const isSettled = hasWorked && CAUSES_BY_STATUS[error.details.status ?? 0] === undefined;
    if (isSettled) return { works: true };
    if (this.#count >= CONTROLS_MAX) return hasWorked ? { works: true } : { works: false };
    this.#count += 1;
    try {
      const reply = await send(target);
      this.succeeded(target);
      return { works: true, ...reply };
    } catch (failure) {
      // Nothing is learnt of the provider; the program's next call meets the budget itself.
      if (failure instanceof BudgetExhausted) return { works: true };
      return failure instanceof ForwardError ? { works: false, error: failure } : { works: false };
    }
  }
}

function keyOf({ alias, wire }: Pick<ControlTarget, 'alias' | 'wire'>): string {
  return `${wire.key} ${alias}`;
}

/** Throws ForwardError, and whatever else a connection may throw. */
async function send({ wire, model, signal, beginWait }: ControlTarget): Promise<ControlReply> {
  const body = JSON.stringify(wire.outgoing(wire.smallestCall, model.name));
  const forwarded = await model.forward({
    path: wire.path({ model: model.name, isStream: false }),
    body,
    headers: { 'content-type': 'application/json', ...wire.requiredHeaders },
    credential: wire.credential,
    tokensMax: { input: tokensMaxOf(body), output: model.maxOutputTokens },
    signal,
    beginWait,
  });
  let usage: Usage | undefined;
  try {
    const value: unknown = await jsonOf(forwarded.body);
    if (isRecord(value)) usage = wire.whole(value).usage;
  } finally {
    await forwarded.close('success', usage);
  }
  const { servedFrom } = forwarded;
  return { ...(usage && { usage }), ...(servedFrom && { servedFrom }) };
}

async function jsonOf(body: AsyncIterable<Uint8Array>): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > REPLY_BYTES_MAX) return undefined;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    return undefined;
  }
}
