import {
  type AdmissionProblem,
  fleetProblem,
  fleetWarnings,
  isOffline,
  isPlain,
  missingRequirement,
  OFFLINE,
  refuse,
  type SandboxNeeds,
  type Warning,
} from '@agentclash/run-rules';
import { Injectable } from '@nestjs/common';
import { ExecutorsStore, seenSince } from './executors.store.js';

/** The ability of an executor to run an attempt; if it lacks it, the problem that no other has it either. */
export type Fit =
  | { fits: true; warning?: Warning }
  | { fits: false; lack: string; noneCan: AdmissionProblem | undefined };

/** Compares the executors at work with the needs of a run, or of one of its attempts. */
@Injectable()
export class FleetChecks {
  constructor(private readonly store: ExecutorsStore) {}

  /** Warnings for a run with these needs. Fails with `unsupported_capability` when no executor at work can run it. */
  async admit(needs: SandboxNeeds): Promise<Warning[]> {
    const fleet = await this.store.seen(seenSince(new Date()));
    refuse(fleetProblem(fleet, needs));
    return fleetWarnings(fleet, needs);
  }

  /** Unknown capabilities of an executor are not held against it. */
  async fit(executorId: string, needs: SandboxNeeds): Promise<Fit> {
    if (isPlain(needs)) return { fits: true };
    const since = seenSince(new Date());
    const executor = await this.store.find(executorId, since);
    const lack = executor && missingRequirement(executor, needs);
    if (lack !== undefined) {
      return { fits: false, lack, noneCan: fleetProblem(await this.store.seen(since), needs) };
    }
    return executor && isOffline(executor, needs) ? { fits: true, warning: OFFLINE } : { fits: true };
  }
}
