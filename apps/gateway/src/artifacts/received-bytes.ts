import { Bus } from '@agentclash/bus';
import { artifacts } from '@agentclash/contracts';
import { type BlobSource, Blobs, LOGGER, type Logger, type StoredBlob } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';

/** Stores bytes of one request. */
export type PutBytes = (content: BlobSource, bytesMax?: number) => Promise<StoredBlob>;

/** Bytes that requests bring: stored while they come, dropped when the request fails. */
@Injectable()
export class ReceivedBytes {
  constructor(
    private readonly bus: Bus,
    private readonly blobs: Blobs,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Does the work; what it stored is dropped when it fails, unless artifacts have the bytes. */
  async during<T>(work: (put: PutBytes) => Promise<T>): Promise<T> {
    const stored = new Set<string>();
    try {
      return await work(async (content, bytesMax) => {
        const blob = await this.blobs.artifacts.put(content, bytesMax);
        stored.add(blob.sha256);
        return blob;
      });
    } catch (error) {
      if (stored.size > 0) await this.drop([...stored]);
      throw error;
    }
  }

  private async drop(sha256s: string[]): Promise<void> {
    try {
      await this.bus.call(artifacts.discard, { sha256s });
    } catch (error) {
      // The registry's sweep finds them.
      this.logger.warn({ err: error, sha256s }, 'bytes of a failed request were not dropped');
    }
  }
}
