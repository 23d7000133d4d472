import { Blobs, type ListedBlob } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';

export class BlobGrace {
  /** How long stored bytes are kept that nothing refers to: whoever stored them may be about to. */
  constructor(readonly graceMs: number) {}
}

/** The stored bytes of evidence, as far as they may be removed. */
@Injectable()
export class EvidenceBlobs {
  constructor(
    private readonly blobs: Blobs,
    private readonly grace: BlobGrace,
  ) {}

  /** Removes bytes that nothing refers to, unless they were stored within the grace period; whether it did. */
  async remove(sha256: string): Promise<boolean> {
    return await this.blobs.evidence.removeStoredBefore(sha256, this.oldest());
  }

  /** Whether the grace period of bytes is over. */
  isOld({ storedAt }: ListedBlob): boolean {
    return storedAt < this.oldest();
  }

  private oldest(): Date {
    return new Date(Date.now() - this.grace.graceMs);
  }
}
