import { createEgress, type Egress } from '@agentclash/egress';
import { type BubblewrapProvider, createBubblewrapProvider, isSandboxError } from '@agentclash/sandbox';
import { Blobs, type Logger } from '@agentclash/service-kit';
import type { Config } from '../config.js';

export const MACHINE = Symbol('agentclash.machine');

/** What this executor drives attempts with. */
export interface Machine {
  executorId: string;
  /** Attempts at work at once; parked ones do not count. */
  attemptsMax: number;
  sandboxes: BubblewrapProvider;
  egress: Egress;
  blobs: Blobs;
  /** Reads a variable that a credential names; absent where the operator forbids that. */
  readVariable?: (name: string) => string | undefined;
}

/** Sweeps up what a crash left and opens a sandbox to see that one can run. Throws, with what to do, when none can. */
export async function openMachine(config: Config, logger: Logger): Promise<Machine> {
  const onProblem = (message: string, cause?: unknown) => logger.warn({ err: cause }, message);
  const sandboxes = await createBubblewrapProvider({ onProblem }).catch((error) => {
    const fix = isSandboxError(error) && error.fix !== undefined ? ` ${error.fix}` : '';
    throw new Error(`No sandbox can run on this machine: ${(error as Error).message}.${fix}`, {
      cause: error,
    });
  });
  const { level, shortfalls } = sandboxes.host;
  logger.info({ level, ...sandboxes.selfTest }, 'sandboxes work');
  for (const shortfall of shortfalls) logger.warn(shortfall, 'sandboxes could be better');
  return {
    executorId: config.EXECUTOR_ID,
    attemptsMax: config.SANDBOX_MAX_CONCURRENT,
    sandboxes,
    egress: createEgress({
      settings: config.egress,
      onCause: (cause) => logger.debug({ err: cause }, 'a request failed'),
    }),
    blobs: await Blobs.open(config.blobs),
    ...(config.CREDENTIALS_ENV === 'allow' && { readVariable: config.readVariable }),
  };
}
