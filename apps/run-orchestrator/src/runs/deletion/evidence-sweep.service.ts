import type { In, SweepCounts, SweepStep, storage } from '@agentclash/contracts';
import { Blobs, SweepSettings, sweepAll, sweepStep } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { EvidenceReferences } from './evidence-references.store.js';
import { Retention } from './workspace-storage.service.js';

const REFERENCES_AT_ONCE = 500;

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

  /** Drops the references of a deleted run and removes the bytes that no other run refers to. May be repeated. */
  async removeOfRun(runId: string, signal: AbortSignal): Promise<{ references: number; blobs: number }> {
    const counts = { references: 0, blobs: 0 };
    for (;;) {
      signal.throwIfAborted();
      const { dropped, unreferenced } = await this.references.drop(runId, REFERENCES_AT_ONCE);
      counts.references += dropped;
      for (const sha256 of unreferenced) if (await this.remove(sha256)) counts.blobs += 1;
      if (dropped < REFERENCES_AT_ONCE) return counts;
    }
  }
}

/** A step ends with the first part of the store after this time: a request waits for it. */
const STEP_MS = 5_000;

/** Compares the stored bytes of evidence with what runs refer to. */
@Injectable()
export class EvidenceSweep {
  constructor(
    private readonly blobs: Blobs,
    private readonly unreferenced: EvidenceBlobs,
    private readonly references: EvidenceReferences,
    private readonly retention: Retention,
    private readonly settings: SweepSettings,
  ) {}

  async step({ from, dry_run: dryRun }: In<typeof storage.sweep>, signal?: AbortSignal): Promise<SweepStep> {
    const area = {
      blobs: this.blobs.evidence,
      referenced: (prefix: string) => this.references.startingWith(prefix),
      remove: (sha256: string, before: Date) => this.unreferenced.remove(sha256, before),
    };
    const before = this.settings.before();
    return await sweepStep(area, { from, dryRun, before, budgetMs: STEP_MS, signal });
  }

  /** Deletes runs whose retention is over, then compares the whole area. Undefined: another instance does. */
  async all(signal: AbortSignal): Promise<SweepCounts | undefined> {
    // Intervals of instances differ by a little: one that comes a moment early is not left out.
    if (!(await this.references.claimSweep('evidence', this.settings.everyMs / 2))) return undefined;
    await this.retention.apply(signal);
    // A database without any reference beside a full store is one that is not restored yet: nothing is removed then.
    const dry_run = !(await this.references.hasAny());
    return await sweepAll((from) => this.step({ from, dry_run }, signal));
  }
}
