import { Blobs, SweepSettings } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { EvidenceReferences } from './evidence-references.store.js';

/** The stored bytes of evidence, as far as they may be removed. */
@Injectable()
export class EvidenceBlobs {
  constructor(
    private readonly blobs: Blobs,
    private readonly references: EvidenceReferences,
    private readonly settings: SweepSettings,
  ) {}

  /** Removes bytes that no run refers to, unless they were stored within the grace period; whether it did. */
  async remove(sha256: string, before = this.settings.before()): Promise<boolean> {
    if (await this.references.has(sha256)) return false;
    return await this.blobs.evidence.removeStoredBefore(sha256, before);
  }
}
