import { Blobs, LOGGER, type Logger } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { Deletions } from './deletions.store.js';

/** Cleanup of stored bytes that no artifact has. */
@Injectable()
export class UnusedBytes {
  constructor(
    private readonly deletions: Deletions,
    private readonly blobs: Blobs,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Removes the bytes unless an artifact of any workspace has them. Failures are logged: unused bytes are harmless. */
  async remove(sha256: string): Promise<void> {
    try {
      await this.deletions.removeBytes(sha256, async () => await this.blobs.artifacts.remove(sha256));
    } catch (error) {
      this.logger.warn({ err: error, sha256 }, 'unused bytes were not removed');
    }
  }
}
