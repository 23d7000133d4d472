import type { ExecutorReport } from '@agentclash/contracts';
import { LOGGER, type Logger } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { type AdmissionProblem, refuse, type Warning } from '../state/admission-problem.js';
import { ExecutorsStore } from './executors.store.js';
import type { SandboxNeeds } from './fleet.js';
import {
  fleetProblem,
  fleetWarnings,
  HEARTBEAT_TIMEOUT_MS,
  isOffline,
  missingRequirement,
  OFFLINE,
} from './fleet.js';

/** Whether an executor can run an attempt; if not, whether another could. */
export type Fit =
  | { fits: true; warning?: Warning }
  | { fits: false; lack: string; noneCan: AdmissionProblem | undefined };

/** The executors at work, and what they can run. */
@Injectable()
export class Executors {
  constructor(
    private readonly store: ExecutorsStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async report(report: ExecutorReport): Promise<void> {
    const { executor_id, provider, isolation, attempts_max } = report;
    const now = new Date();
    await this.store.save(report, now);
    await this.store.removeExpired(seenSince(now));
    this.logger.info({ executor_id, provider, isolation, attempts_max }, 'executor registered');
  }

  async renew(id: string): Promise<boolean> {
    return await this.store.see(id, new Date());
  }

  async leave(id: string): Promise<void> {
    await this.store.remove(id);
    this.logger.info({ executor_id: id }, 'executor deregistered');
  }

  /** Executors with a recent report or heartbeat. */
  async registered(): Promise<ExecutorReport[]> {
    return await this.store.seen(seenSince(new Date()));
  }

  /** Warnings for a run with these needs. Fails with `unsupported_capability` when no executor at work can run it. */
  async admit(needs: SandboxNeeds): Promise<Warning[]> {
    const fleet = await this.store.seen(seenSince(new Date()));
    refuse(fleetProblem(fleet, needs));
    return fleetWarnings(fleet, needs);
  }

  /** What is not known of an executor is not held against it. */
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

function seenSince(now: Date): Date {
  return new Date(now.getTime() - HEARTBEAT_TIMEOUT_MS);
}

/** Every executor can do this. */
function isPlain({ template, packages, reachesOut }: SandboxNeeds): boolean {
  return template === undefined && packages.length === 0 && !reachesOut;
}
