import type { RecordedCall, RecordedReply } from '@agentclash/domain';
import type { RequestPart } from '@agentclash/models';
import type { AttemptHistory } from '../events/history.js';
import { type CallTarget, RedactedParts, requestDigest } from './call-target.js';
import { holdsSplitSecret } from './recorded-replies.js';

/** Of the requests and replies of one attempt. */
const RECORDING_BYTES_MAX = 32 * 1024 * 1024;
/** Earlier requests that a request may continue. */
const CONTINUED_MAX = 16;

interface RecorderOptions {
  history: AttemptHistory;
  bytesMax?: number;
}

/** Called with the number of the event that holds the call. */
type OnRecorded = (sequenceNumber: number) => void;

/** Records the model calls of one delivery as events, each when its reply has been read. */
export class CallRecorder {
  private readonly parts: RedactedParts;
  private readonly open = new Map<number, { target: CallTarget; onRecorded: OnRecorded | undefined }>();
  private readonly texts = new Set<string>();
  /** The latest last. */
  private readonly requests: { call: number; digests: readonly string[] }[] = [];
  private count = 0;
  private bytes = 0;
  private isStopped = false;

  constructor(private readonly options: RecorderOptions) {
    this.parts = new RedactedParts(() => options.history.secrets.redactor);
  }

  /** Begins a call and returns the function that records its reply; only the first one counts. */
  begin(target: CallTarget, onRecorded?: OnRecorded): (reply: RecordedReply) => void {
    this.count += 1;
    const call = this.count;
    if (!this.isStopped) this.open.set(call, { target, onRecorded });
    return (reply) => this.end(call, reply);
  }

  /** Records the calls that are under way as without a reply. Nothing is recorded afterwards. Idempotent. */
  close(): void {
    for (const call of [...this.open.keys()]) this.end(call, { kind: 'none' });
    this.isStopped = true;
  }

  private end(call: number, reply: RecordedReply): void {
    const begun = this.open.get(call);
    this.open.delete(call);
    if (begun === undefined || this.isStopped) return;
    const { target, onRecorded } = begun;
    const { events, secrets } = this.options.history;
    const parts = this.parts.of(target.parts);
    const { kind, provider_key, model } = target;
    const request = { digest: requestDigest(target, parts), ...this.rest(call, parts) };
    const recorded = secrets.redact<RecordedCall>({ call, kind, provider_key, model, request, reply });
    if (recorded.reply.kind === 'http' && holdsSplitSecret(recorded.reply.body, secrets.redactor)) {
      this.stop({ reason: 'secret' });
      return;
    }
    const { bytesMax = RECORDING_BYTES_MAX } = this.options;
    this.bytes += JSON.stringify(recorded).length;
    if (this.bytes > bytesMax) this.stop({ reason: 'too_large', bytes_max: bytesMax });
    else if (events.isFull) this.isStopped = true;
    else {
      events.record('model.call.recorded', recorded);
      onRecorded?.(events.lastSequence);
    }
  }

  /** The parts of a request beyond those that it shares with an earlier one, and the texts that none had. */
  private rest(call: number, parts: readonly RequestPart[]): Omit<RecordedCall['request'], 'digest'> {
    const digests = parts.map(({ path, digest }) => `${path} ${digest}`);
    let shared = { of: 0, parts: 0 };
    for (const earlier of this.requests) {
      const length = sharedPrefix(earlier.digests, digests);
      if (length > 0 && length >= shared.parts) shared = { of: earlier.call, parts: length };
    }
    this.requests.push({ call, digests });
    if (this.requests.length > CONTINUED_MAX) this.requests.shift();
    const further = parts.slice(shared.parts);
    const texts = further.flatMap(({ digest, text }) => {
      if (this.texts.has(digest)) return [];
      this.texts.add(digest);
      return [[digest, text] as const];
    });
    return {
      ...(shared.parts > 0 && { shared }),
      parts: further.map(({ path, digest }) => [path, digest]),
      texts: Object.fromEntries(texts),
    };
  }

  private stop(why: { reason: 'too_large' | 'secret'; bytes_max?: number }): void {
    const { events } = this.options.history;
    this.isStopped = true;
    this.open.clear();
    if (!events.isFull) events.record('model.recording.stopped', why);
  }
}

function sharedPrefix(left: readonly string[], right: readonly string[]): number {
  let shared = 0;
  while (shared < left.length && left[shared] === right[shared]) shared += 1;
  return shared;
}
