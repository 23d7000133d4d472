import { Bus } from '@agentclash/bus';
import { type ExecutorReport, executors } from '@agentclash/contracts';
import { LOGGER, type Logger, retryWhileUnavailable } from '@agentclash/service-kit';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { MACHINE, type Machine } from '../machine/machine.js';

const RENEW_EVERY_MS = 30_000;
const RETRY_MS = 2_000;
/** How long the start waits for an orchestrator that starts at the same time. */
const START_TIMEOUT_MS = 10_000;
/** The orchestrator may have gone before us. */
const LEAVE_MS = 1_000;

/** Keeps the orchestrator informed of what this executor can run, from before its first job until it stops. */
@Injectable()
export class Registration implements OnApplicationBootstrap {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  /** Whether the orchestrator has answered the last time. */
  isRegistered = false;
  private isStopped = false;

  constructor(
    private readonly bus: Bus,
    @Inject(MACHINE) private readonly machine: Machine,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.running = this.register(START_TIMEOUT_MS);
    await this.running;
  }

  /** Says that no further attempts are taken. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.running;
    if (!this.isRegistered) return;
    const executor_id = this.machine.executorId;
    await this.bus.call(executors.leave, { executor_id }, LEAVE_MS).catch((error: unknown) => {
      this.logger.debug({ err: error }, 'left without a word: silence says it too');
    });
  }

  /** Once now, and again and again. */
  private async register(timeoutMs = 0): Promise<void> {
    try {
      await retryWhileUnavailable(() => this.renewOrReport(), { timeoutMs: timeoutMs });
      this.isRegistered = true;
    } catch (error) {
      this.isRegistered = false;
      this.logger.warn({ err: error }, 'the orchestrator does not know of this executor');
    }
    if (this.isStopped) return;
    const next = () => {
      this.running = this.register();
    };
    this.timer = setTimeout(next, this.isRegistered ? RENEW_EVERY_MS : RETRY_MS);
  }

  private async renewOrReport(): Promise<void> {
    const { executorId: executor_id } = this.machine;
    if (this.isRegistered && (await this.bus.call(executors.renew, { executor_id })).is_known) return;
    await this.bus.call(executors.report, await executorReport(this.machine));
  }
}

/** What this executor tells the orchestrator of itself. */
async function executorReport(machine: Machine): Promise<ExecutorReport> {
  const { executorId, attemptsMax, sandboxes } = machine;
  const { packages, templates, egressProxy } = sandboxes.capabilities;
  const images = [null, ...templates].map(async (template) => ({
    template,
    packages: [...(await sandboxes.installedPackages(template ?? undefined))].sort(),
    installs: sandboxes.installsPackages(template ?? undefined),
  }));
  return {
    executor_id: executorId,
    provider: sandboxes.name,
    isolation: sandboxes.isolation,
    attempts_max: attemptsMax,
    capabilities: { packages, egress_proxy: egressProxy },
    images: await Promise.all(images),
  };
}
