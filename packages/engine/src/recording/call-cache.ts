import { createHash } from 'node:crypto';
import type { RecordedReply } from '@agentclash/domain';
import type { AttemptHistory } from '../events/history.js';
import { type CallTarget, RedactedParts, requestDigest } from './call-target.js';

/** Replies of earlier calls in the workspace, by the key of their request. */
export interface ReplyCache {
  /** The reply to the same request; undefined where there is none, or the cache is unavailable. */
  find(key: string): Promise<RecordedReply | undefined>;
  /** Keeps the reply that the event with this number holds. */
  keep(key: string, sequenceNumber: number): void;
}

/**
 * The keys of an attempt's requests: equal for the same request to the same model, as the n-th such request of the same
 * repetition. So repetitions stay independent of each other, and so do repeated requests within an attempt.
 */
export class RequestKeys {
  private readonly parts: RedactedParts;
  private readonly counts = new Map<string, number>();

  constructor(
    { secrets }: Pick<AttemptHistory, 'secrets'>,
    private readonly repetition: number,
  ) {
    this.parts = new RedactedParts(() => secrets.redactor);
  }

  /** `address`: where the model is reached, since different servers may have a model of the same name. */
  keyOf(target: CallTarget, address: string): string {
    const digest = requestDigest(target, this.parts.of(target.parts));
    const request = JSON.stringify([digest, target.model, address, this.repetition]);
    const ordinal = (this.counts.get(request) ?? 0) + 1;
    this.counts.set(request, ordinal);
    return createHash('sha256')
      .update(JSON.stringify([request, ordinal]))
      .digest('hex');
  }
}
