import { availableParallelism } from 'node:os';
import { createEgress, type Egress } from '@agentclash/egress';
import { SandboxImages } from '@agentclash/engine';
import { AgentPackages } from '@agentclash/engine/agent-packages';
import { isSandboxError, type SandboxProvider } from '@agentclash/sandbox';
import { Blobs, type Logger } from '@agentclash/service-kit';
import type { Config } from '../config.js';
import { FairQueries } from './excluded-wait.js';
import { UntrustedThreads } from './untrusted-threads.js';

export const MACHINE = Symbol('agentclash.machine');

/** The resources of this executor. */
export interface Machine {
  executorId: string;
  /** Concurrent attempts; parked ones do not count. */
  attemptsMax: number;
  /** CPUs for phases that use nothing else, such as tests of a verifier. */
  cpuSlots: number;
  /** How many times its own length a time limit may be extended by starvation of CPU. */
  starvationMax: number;
  /** Events of one attempt beside those of staged files. */
  eventsMax: number;
  sandboxes: SandboxProvider;
  /** Of the sandboxes. */
  images: SandboxImages;
  untrustedThreads: UntrustedThreads;
  /** The same for audits. */
  auditThreads: UntrustedThreads;
  /** The time that an audit may take. */
  auditMs: number;
  queries: FairQueries;
  egress: Egress;
  blobs: Blobs;
  agentPackages: AgentPackages;
  /** Reads a variable that a credential names; absent where the operator forbids that. */
  readVariable?: (name: string) => string | undefined;
}

/** Removes what a crash left and opens a sandbox as a test. Throws, with what to do, when none can run. */
export async function openMachine(config: Config, logger: Logger): Promise<Machine> {
  const onProblem = (message: string, cause?: unknown) => logger.warn({ err: cause }, message);
  const { provider, open } = config.sandbox;
  const egress = createEgress({
    settings: config.egress,
    onCause: (cause) => logger.debug({ err: cause }, 'egress request failed'),
  });
  const opened = await open({ egress, onProblem }).catch((error: unknown) => {
    throw new Error(noSandboxMessage(provider, error), { cause: error });
  });
  const sandboxes = opened.provider;
  logger.info({ provider, isolation: sandboxes.isolation, ...opened.facts }, 'sandbox provider is ready');
  for (const shortfall of opened.shortfalls) logger.warn(shortfall, 'sandbox isolation is degraded');
  return {
    executorId: config.EXECUTOR_ID,
    attemptsMax: config.SANDBOX_MAX_CONCURRENT,
    cpuSlots: cpuSlotsOf(config),
    starvationMax: config.SANDBOX_STARVATION_MAX,
    eventsMax: config.ATTEMPT_EVENTS_MAX,
    sandboxes,
    images: new SandboxImages(sandboxes),
    untrustedThreads: new UntrustedThreads(),
    auditThreads: UntrustedThreads.forAudits(),
    auditMs: config.AUDIT_TIMEOUT_SECONDS * 1_000,
    queries: new FairQueries(),
    egress,
    blobs: await Blobs.open(config.blobs),
    agentPackages: new AgentPackages({
      directory: config.sandbox.agentPackagesDirectory,
      registry: config.AGENT_PACKAGES_REGISTRY,
      token: config.AGENT_PACKAGES_TOKEN,
    }),
    ...(config.readVariable && { readVariable: config.readVariable }),
  };
}

/** Sandboxes that run elsewhere are not limited by the cores of this machine. */
function cpuSlotsOf(
  config: Pick<Config, 'SANDBOX_CPU_SLOTS' | 'SANDBOX_MAX_CONCURRENT'> & {
    sandbox: Pick<Config['sandbox'], 'provider'>;
  },
): number {
  const isHere = config.sandbox.provider === 'bubblewrap';
  return config.SANDBOX_CPU_SLOTS ?? (isHere ? availableParallelism() : config.SANDBOX_MAX_CONCURRENT);
}

function noSandboxMessage(provider: string, error: unknown): string {
  const { message, cause } = error instanceof Error ? error : new Error(String(error));
  const detail = cause instanceof Error ? ` (${cause.message})` : '';
  const fix = isSandboxError(error) && error.fix !== undefined ? ` ${error.fix}` : '';
  return `No sandbox can run with SANDBOX_PROVIDER=${provider}: ${message}${detail}.${fix}`;
}
