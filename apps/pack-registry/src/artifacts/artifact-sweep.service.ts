import type { artifacts, In, SweepStep } from '@agentclash/contracts';
import { Blobs, SweepSettings, type SweptArea, sweepAll, sweepStep } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { ArtifactsStore } from './artifacts.store.js';
import { Deletions } from './deletions.store.js';

/** A step ends with the first part of the store after this time: a request waits for it. */
const STEP_MS = 5_000;

/** Compares the stored bytes of artifacts with the artifacts of all workspaces. */
@Injectable()
export class ArtifactSweep {
  constructor(
    private readonly store: ArtifactsStore,
    private readonly deletions: Deletions,
    private readonly blobs: Blobs,
    private readonly settings: SweepSettings,
  ) {}

  async step(
    { from, dry_run: dryRun }: In<typeof artifacts.sweep>,
    signal?: AbortSignal,
  ): Promise<SweepStep> {
    const before = this.settings.before();
    return await sweepStep(this.area(), { from, dryRun, before, budgetMs: STEP_MS, signal });
  }

  async all(signal: AbortSignal) {
    // A database without any artifact beside a full store is one that is not restored yet: nothing is removed then.
    const dry_run = !(await this.store.hasAny());
    return await sweepAll((from) => this.step({ from, dry_run }, signal));
  }

  private area(): SweptArea {
    const { artifacts: blobs } = this.blobs;
    return {
      blobs,
      referenced: (prefix) => this.store.storedBytes(prefix),
      remove: async (sha256, before) => {
        let isRemoved = false;
        await this.deletions.removeBytes(sha256, async () => {
          isRemoved = await blobs.removeStoredBefore(sha256, before);
        });
        return isRemoved;
      },
    };
  }
}
