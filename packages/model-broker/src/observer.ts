import type { CallTiming, Usage, WireKey } from '@agentclash/domain';
import type { ProviderFailureClass, ReplySource } from '@agentclash/models';
import type { Conversation, Restriction, WireReply } from './wires/wire.js';

/** A call that the broker is about to make for a program. */
export interface BrokerCall {
  alias: string;
  /** The model name that the program sent. */
  requestedModel: string | undefined;
  wire: WireKey;
  isStream: boolean;
  /** The request as the provider receives it, credential not included. */
  body: string;
  conversation: Conversation;
  /** One for each message of the conversation. */
  digests: readonly string[];
  outputTokensMax: number | null;
  /** Replies to this one request. */
  replies: number;
  removed: readonly Restriction[];
}

/** The end of a call that reached the provider. `reply` is partial where its stream did not end. */
export type CallEnd = (
  | { kind: 'completed'; reply: WireReply; tries: number; timing: CallTiming }
  | {
      kind: 'failed';
      failure: ProviderFailureClass;
      message: string;
      tries: number;
      timing: CallTiming;
      status?: number;
      retryAfterSeconds?: number;
      reply?: WireReply;
      /** The provider refuses this request and accepts others: the program received the error. */
      isOfRequest?: boolean;
      /** The usage of the control call that detected this. */
      controlUsage?: Usage;
      /** The failure of the control call: the better reason for which the model cannot be used. */
      controlFailure?: { failure: ProviderFailureClass; message: string; retryAfterSeconds?: number };
    }
  /** The call could not be made, for a reason that is not the provider's. */
  | { kind: 'error'; error: unknown; reply?: undefined }
  /** The program closed its connection, or the attempt ended. */
  | { kind: 'cancelled'; reply?: WireReply }
) & {
  /** Set where no call was made: the reply is one that was kept. */
  servedFrom?: ReplySource;
};

export interface CallObserver {
  /** A try failed and the broker makes another one. */
  tryFailed(failed: { failure: ProviderFailureClass; message: string }): void;
  ended(end: CallEnd): void;
}

/** The work of an attempt around the calls of its broker: budget, events, limits. */
export interface BrokerObserver {
  /** Reserves the budget and records the start. Throws CallRefused when the attempt may make no further call. */
  begin(call: BrokerCall): CallObserver;
  /** A request to count tokens, which is no call. Throws CallRefused when the attempt may make no further one. */
  beginCount(): void;
  /** Receives every request that led to no call. */
  refused(request: { reason: RefusedReason; path?: string; feature?: string }): void;
  /** Receives an error of the platform because of which a request got no reply. */
  failed(error: unknown): void;
}

export type RefusedReason =
  | 'token'
  | 'route'
  | 'too_large'
  | 'invalid_body'
  | 'server_feature'
  | 'wire'
  | 'limit'
  | 'ended'
  | 'connections';

/** Thrown by an observer: no call is made, and the program learns that repeating is useless. */
export class CallRefused extends Error {
  override readonly name = 'CallRefused';

  constructor(
    readonly reason: 'limit' | 'ended',
    /** A sentence for the program's user. */
    message: string,
  ) {
    super(message);
  }
}
