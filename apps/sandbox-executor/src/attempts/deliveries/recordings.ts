import type { Bus } from '@agentclash/bus';
import { ContractError, leases } from '@agentclash/contracts';
import type { EventPayloads, RecordedReply } from '@agentclash/domain';
import { AttemptEnded, type Recording, type ReplyCache } from '@agentclash/engine';
import { type Blobs, isUnavailable, type Logger, retryWhileUnavailable } from '@agentclash/service-kit';
import { type Holding, RECONNECT_TIMEOUT_MS } from '../leases/leases.loop.js';

const REFERENCE = /^sha256:([0-9a-f]{64})$/;
const STOPPED = {
  too_large: 'the recording became too large',
  secret: 'a reply of the provider held a secret in pieces',
};

interface RecordingPorts {
  bus: Bus;
  blobs: Pick<Blobs, 'evidence'>;
}

/** The recorded calls of the attempt that a delivery replays. Throws AttemptEnded when they were deleted. */
export async function readRecording(holding: Holding, ports: RecordingPorts): Promise<Recording> {
  try {
    return await read(holding, ports);
  } catch (error) {
    if (!(error instanceof ContractError) || error.code !== 'not_found') throw error;
    const message = 'the recorded attempt was deleted';
    throw new AttemptEnded({ because: 'infra', code: 'replay_source_missing', message, isPermanent: true });
  }
}

async function read(holding: Holding, { bus, blobs }: RecordingPorts): Promise<Recording> {
  const calls: Recording['calls'][number][] = [];
  let stopped: string | undefined;
  for (let after = 0; ; ) {
    const page = await retryWhileUnavailable(() => bus.call(leases.recording, { ...holding, after }), {
      timeoutMs: RECONNECT_TIMEOUT_MS,
      isRetryable: isUnavailable,
    });
    for (const { event_type, payload, sequence_number } of page.items) {
      after = sequence_number;
      const whole = await wholePayload(payload, blobs);
      // Written by an executor's recorder, by event type.
      if (event_type === 'model.call.recorded') {
        calls.push(whole as object as EventPayloads['model.call.recorded']);
      } else {
        const { reason } = whole as object as EventPayloads['model.recording.stopped'];
        stopped = STOPPED[reason];
      }
    }
    if (!page.has_more) return { calls, ...(stopped !== undefined && { stopped }) };
  }
}

/** The replies that attempts of a workspace share. A cache that is unavailable has no reply, and keeps none. */
export class CachedReplies implements ReplyCache {
  constructor(
    private readonly holding: Holding,
    private readonly ports: RecordingPorts & { logger: Logger },
  ) {}

  async find(key: string): Promise<RecordedReply | undefined> {
    const { bus, blobs } = this.ports;
    try {
      const { event } = await bus.call(leases.cachedReply, { ...this.holding, key });
      if (event === null) return undefined;
      const whole = await wholePayload(event.payload, blobs);
      return (whole as object as EventPayloads['model.call.recorded']).reply;
    } catch (error) {
      this.warn(error);
      return undefined;
    }
  }

  keep(key: string, sequence_number: number): void {
    const { bus } = this.ports;
    bus.call(leases.cacheReply, { ...this.holding, key, sequence_number }).catch((error) => this.warn(error));
  }

  private warn(error: unknown): void {
    const { attempt_id } = this.holding;
    this.ports.logger.warn({ attempt_id, err: error }, 'cache of replies is unavailable');
  }
}

/** Large payloads are references to the blob store. */
async function wholePayload(
  payload: Record<string, unknown>,
  { evidence }: Pick<Blobs, 'evidence'>,
): Promise<Record<string, unknown>> {
  const [, sha256] = REFERENCE.exec(String(payload.$ref)) ?? [];
  return sha256 === undefined ? payload : JSON.parse((await evidence.get(sha256)).toString());
}
