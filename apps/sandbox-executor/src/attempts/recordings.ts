import type { Bus } from '@agentclash/bus';
import { ContractError, leases } from '@agentclash/contracts';
import type { EventPayloads } from '@agentclash/domain';
import { AttemptEnded, type Recording } from '@agentclash/engine';
import { type Blobs, isUnavailable, retryWhileUnavailable } from '@agentclash/service-kit';
import { type Holding, RECONNECT_TIMEOUT_MS } from './leases.loop.js';

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

/** Large payloads are references to the blob store. */
async function wholePayload(
  payload: Record<string, unknown>,
  { evidence }: Pick<Blobs, 'evidence'>,
): Promise<Record<string, unknown>> {
  const [, sha256] = REFERENCE.exec(String(payload.$ref)) ?? [];
  return sha256 === undefined ? payload : JSON.parse((await evidence.get(sha256)).toString());
}
