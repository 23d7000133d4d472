import { Bus } from '@agentclash/bus';
import { type ExecutorReport, executors } from '@agentclash/contracts';
import { sandboxAbilities } from '@agentclash/engine';
import {
  LOGGER,
  type Logger,
  PeriodicTask,
  ReadinessChecks,
  retryWhileUnavailable,
} from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { MACHINE, type Machine } from '../machine/machine.js';

const RENEW_EVERY_MS = 30_000;
const RETRY_EVERY_MS = 2_000;
/** The start waits so long for an orchestrator that starts at the same time. */
const START_TIMEOUT_MS = 10_000;
/** The orchestrator may have stopped before this executor. */
const LEAVE_TIMEOUT_MS = 1_000;

/**
 * Registers this executor and its capabilities with the orchestrator, and sends its heartbeats, from before its first job
 * until it stops.
 */
@Injectable()
export class Registration extends PeriodicTask {
  private timeoutMs = START_TIMEOUT_MS;
  /** True when the last report or renewal succeeded. */
  private hasSucceeded = false;

  constructor(
    private readonly bus: Bus,
    @Inject(MACHINE) private readonly machine: Machine,
    @Inject(LOGGER) private readonly logger: Logger,
    checks: ReadinessChecks,
  ) {
    super({
      run: () => this.register(),
      everyMs: () => (this.hasSucceeded ? RENEW_EVERY_MS : RETRY_EVERY_MS),
      firstRun: 'awaited',
      failureMessage: 'executor registration failed',
      logger,
    });
    checks.add('orchestrator', () => (this.hasSucceeded ? undefined : 'executor is not registered'));
  }

  /** Deregisters the executor: it takes no further attempts. */
  override async stop(): Promise<void> {
    await super.stop();
    if (!this.hasSucceeded) return;
    this.hasSucceeded = false;
    const executor_id = this.machine.executorId;
    await this.bus.call(executors.leave, { executor_id }, LEAVE_TIMEOUT_MS).catch((error: unknown) => {
      this.logger.debug({ err: error }, 'executor deregistration failed; its report will expire');
    });
  }

  private async register(): Promise<void> {
    const { timeoutMs } = this;
    this.timeoutMs = 0;
    try {
      await retryWhileUnavailable(() => this.renewOrReport(), { timeoutMs });
      this.hasSucceeded = true;
    } catch (error) {
      this.hasSucceeded = false;
      throw error;
    }
  }

  private async renewOrReport(): Promise<void> {
    const { executorId: executor_id } = this.machine;
    if (this.hasSucceeded && (await this.bus.call(executors.renew, { executor_id })).is_known) return;
    await this.bus.call(executors.report, await executorReport(this.machine));
  }
}

/** The capabilities of this executor, for the orchestrator. */
async function executorReport({ executorId, attemptsMax, sandboxes }: Machine): Promise<ExecutorReport> {
  return {
    ...(await sandboxAbilities(sandboxes)),
    executor_id: executorId,
    isolation: sandboxes.isolation,
    attempts_max: attemptsMax,
  };
}
