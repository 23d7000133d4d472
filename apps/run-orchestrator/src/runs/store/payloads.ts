import { ContractError } from '@agentclash/contracts';
import { payloadReference, referencedSha256 } from '@agentclash/domain';
import { Blobs } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';

type Payload = Record<string, unknown>;

/** Larger payloads rest in the blob store. */
const INLINE_BYTES_MAX = 32_768;
/** A payload beyond this does not fit into a reply; readers get the reference. */
const WHOLE_BYTES_MAX = 4_194_304;

/** Large payloads of events: stored in the blob store, `{"$ref": "sha256:…", bytes, type}` in the row. */
@Injectable()
export class Payloads {
  constructor(private readonly blobs: Blobs) {}

  /** The payload whole; one that is too large for a reply, or lost, stays a reference. */
  async read(payload: Payload): Promise<Payload> {
    const sha256 = referencedSha256(payload);
    if (sha256 === undefined || Number(payload.bytes) > WHOLE_BYTES_MAX) return payload;
    const stored = await this.blobs.evidence.get(sha256).catch((error: unknown) => {
      if (error instanceof ContractError && error.code === 'not_found') return undefined;
      throw error;
    });
    if (stored === undefined) return payload;
    const whole: unknown = JSON.parse(stored.toString());
    return typeof whole === 'object' && whole !== null && !Array.isArray(whole)
      ? { ...whole }
      : { value: whole };
  }

  /** The payload of an event of this type as it rests. */
  async rest(payload: Payload, type: string): Promise<Payload> {
    return Buffer.byteLength(JSON.stringify(payload)) <= INLINE_BYTES_MAX
      ? payload
      : await this.put(payload, type);
  }

  /** Stores the payload and returns its reference. */
  async put(payload: Payload, type: string): Promise<Payload> {
    const { sha256, bytes } = await this.blobs.evidence.put(JSON.stringify(payload));
    return { ...payloadReference(sha256, bytes, type) };
  }
}
