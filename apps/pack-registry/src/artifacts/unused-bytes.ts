import { Blobs, LOGGER, type Logger } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { Deletions } from './deletions.store.js';

/** Bytes that came, or were kept, for an artifact that there is not. */
@Injectable()
export class UnusedBytes {
  constructor(
    private readonly deletions: Deletions,
    private readonly blobs: Blobs,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Unless an artifact of any workspace has them. Bytes that cannot be removed now are left, and harm nobody. */
  async remove(sha256: string): Promise<void> {
    try {
      await this.deletions.removeBytes(sha256, async () => await this.blobs.artifacts.remove(sha256));
    } catch (error) {
      this.logger.warn({ err: error, sha256 }, 'bytes that no artifact has could not be removed');
    }
  }
}
