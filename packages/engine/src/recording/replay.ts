import { divergenceText, REPLAY_DIVERGED, type RecordedCall, type RecordedReply } from '@agentclash/domain';
import type { RequestPart } from '@agentclash/models';
import type { AttemptHistory } from '../events/history.js';
import { type AttemptEnd, AttemptEnded } from '../outcome/attempt-end.js';
import { type CallTarget, RedactedParts, requestDigest } from './call-target.js';
import { firstDifference } from './difference.js';

/** The recorded calls of an earlier attempt, in the order in which they began. */
export interface Recording {
  calls: readonly RecordedCall[];
  /** Why calls are missing; absent for a whole recording. */
  stopped?: string;
}

/** Calls that may be under way at once, and so begin in another order. */
const WINDOW = 8;

type DivergedEnd = Extract<AttemptEnd, { because: 'infra' }>;

/** Serves the recorded replies of an earlier attempt to the same requests, in their order. */
export class CallReplay {
  private readonly redacted: RedactedParts;
  private loading: Promise<RecordedRequests> | undefined;
  /** The first request that differed ended the attempt. */
  private diverged: DivergedEnd | undefined;

  constructor(
    private readonly load: () => Promise<Recording>,
    private readonly history: Pick<AttemptHistory, 'secrets'>,
  ) {
    this.redacted = new RedactedParts(() => history.secrets.redactor);
  }

  /** Throws AttemptEnded for a request that the earlier attempt did not make here. */
  async serve(target: CallTarget): Promise<RecordedReply> {
    const requests = await this.requests();
    if (this.diverged) throw new AttemptEnded(this.diverged);
    const parts = this.redacted.of(target.parts);
    const reply = requests.take(requestDigest(target, parts));
    if (reply !== undefined) return reply;
    this.diverged = this.divergedEnd(requests.difference(target, parts));
    throw new AttemptEnded(this.diverged);
  }

  /** The end of an attempt, or another one where its agent ended before it had made the recorded calls. */
  async endOf(end: AttemptEnd): Promise<AttemptEnd> {
    if (end.because !== 'completed' && end.because !== 'agent_error') return end;
    const missing = (await this.requests()).missing();
    if (missing === undefined) return end;
    const reason = end.because === 'completed' ? '' : `: ${end.code}${end.message ? `, ${end.message}` : ''}`;
    return this.divergedEnd(`${missing}${reason}`);
  }

  private requests(): Promise<RecordedRequests> {
    this.loading ??= this.load().then((recording) => new RecordedRequests(recording));
    return this.loading;
  }

  private divergedEnd(message: string): DivergedEnd {
    return {
      because: 'infra',
      code: REPLAY_DIVERGED,
      message: this.history.secrets.redact(message),
      isPermanent: true,
    };
  }
}

/** The requests of a recording, as far as they are not served. */
class RecordedRequests {
  private readonly texts = new Map<string, string>();
  private readonly parts = new Map<number, readonly [path: string, digest: string][]>();
  private readonly waiting: RecordedCall[];

  constructor(private readonly recording: Recording) {
    // An event is recorded at the end of its call: one that a request continues precedes it.
    for (const { call, request } of recording.calls) {
      for (const [digest, text] of Object.entries(request.texts)) this.texts.set(digest, text);
      const { shared, parts } = request;
      const before = shared ? (this.parts.get(shared.of) ?? []).slice(0, shared.parts) : [];
      this.parts.set(call, [...before, ...parts]);
    }
    this.waiting = recording.calls.toSorted((left, right) => left.call - right.call);
  }

  /** The reply to the next request with this digest. */
  take(digest: string): RecordedReply | undefined {
    const index = this.waiting.slice(0, WINDOW).findIndex(({ request }) => request.digest === digest);
    return index < 0 ? undefined : this.waiting.splice(index, 1)[0]?.reply;
  }

  /** The calls that were not made, in words. A call without a reply was under way when the recorded attempt ended. */
  missing(): string | undefined {
    const { calls, stopped } = this.recording;
    const served = calls.length - this.waiting.length;
    const next = this.waiting.find(({ reply }) => reply.kind !== 'none');
    if (next !== undefined) {
      const made = served === 0 ? 'without any' : `after ${served} of them`;
      return `the recorded attempt made ${plural(calls.length)}, and this attempt ended ${made}: model call ${next.call} was not made`;
    }
    if (stopped === undefined) return undefined;
    return `the recorded attempt made more than ${plural(calls.length)}, and this attempt ended there; the recording ends because ${stopped}`;
  }

  /** The first difference between a request and the next recorded one, in words. */
  difference(target: CallTarget, parts: readonly RequestPart[]): string {
    const { calls, stopped } = this.recording;
    const [next] = this.waiting;
    if (next === undefined) {
      if (stopped !== undefined) return `the recording ends after call ${calls.length}: ${stopped}`;
      return `the recorded attempt made ${plural(calls.length)}, and this attempt makes a further one`;
    }
    const intro = `model call ${next.call} differs from the recorded one`;
    if (next.kind !== target.kind || next.provider_key !== target.provider_key) {
      return `${intro} in its API: expected ${next.kind} of ${next.provider_key}, found ${target.kind} of ${target.provider_key}`;
    }
    const expected = (this.parts.get(next.call) ?? []).map(([path, digest]) => {
      return { path, digest, text: this.texts.get(digest) };
    });
    const difference = firstDifference(expected, parts);
    return difference ? divergenceText({ call: next.call, ...difference }) : intro;
  }
}

function plural(count: number): string {
  return `${count} model ${count === 1 ? 'call' : 'calls'}`;
}
