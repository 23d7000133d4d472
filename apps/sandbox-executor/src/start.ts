import { auditJobs, execution, PROMPTS_PER_JOB } from '@agentclash/contracts';
import { createLogger, type RunningService, type StartOptions, startService } from '@agentclash/service-kit';
import { AppModule } from './app.module.js';
import type { Config } from './config.js';
import { openMachine } from './machine/machine.js';

/** Starts an executor: tests the sandbox, then takes attempts from the queue. */
export async function startSandboxExecutor(
  config: Config,
  options: StartOptions = {},
): Promise<RunningService> {
  const logger = createLogger('sandbox-executor', config.LOG_LEVEL, options.logTo);
  const machine = await openMachine(config, logger);
  try {
    const service = await startService(
      {
        name: 'sandbox-executor',
        module: AppModule.with(machine),
        concurrency: (message) => {
          if (message === auditJobs.run) return config.AUDITS_MAX_CONCURRENT;
          return message === execution.prompt
            ? Math.ceil(config.PROMPTS_MAX_CONCURRENT / PROMPTS_PER_JOB)
            : config.SANDBOX_MAX_CONCURRENT;
        },
        readiness: { blobs: () => machine.blobs.ping() },
      },
      config,
      options,
    );
    const close = async () => {
      await service.close();
      machine.blobs.close();
      await machine.untrustedThreads.stop();
      await machine.auditThreads.stop();
      await machine.sandboxes.close();
    };
    return { ...service, close };
  } catch (error) {
    await machine.sandboxes.close();
    throw error;
  }
}
