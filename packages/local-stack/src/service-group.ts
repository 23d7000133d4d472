import type { ServiceName } from '@agentclash/contracts';
import {
  checkReadiness,
  type Readiness,
  type RunningService,
  type StartOptions,
} from '@agentclash/service-kit';

export type Environment = Record<string, string>;
type Starter = (environment: Environment, options: StartOptions) => Promise<RunningService>;

export type Environments = Readonly<Record<ServiceName, Environment>>;

/**
 * Loads a service; a process loads those that it runs. Each starts as its own `main.ts` does: read the environment,
 * start.
 */
const LOADERS: Record<ServiceName, () => Promise<Starter>> = {
  'run-orchestrator': async () => {
    const { orchestratorConfig, startRunOrchestrator } = await import('@agentclash/run-orchestrator');
    return (environment, options) => startRunOrchestrator(orchestratorConfig(environment), options);
  },
  'pack-registry': async () => {
    const { registryConfig, startPackRegistry } = await import('@agentclash/pack-registry');
    return (environment, options) => startPackRegistry(registryConfig(environment), options);
  },
  'secrets-vault': async () => {
    const { startSecretsVault, vaultConfig } = await import('@agentclash/secrets-vault');
    return (environment, options) => startSecretsVault(vaultConfig(environment), options);
  },
  scoring: async () => {
    const { scoringConfig, startScoring } = await import('@agentclash/scoring-service');
    return (environment, options) => startScoring(scoringConfig(environment), options);
  },
  'sandbox-executor': async () => {
    const { executorConfig, startSandboxExecutor } = await import('@agentclash/sandbox-executor');
    return (environment, options) => startSandboxExecutor(executorConfig(environment), options);
  },
  gateway: async () => {
    const { gatewayConfig, startGateway } = await import('@agentclash/gateway');
    return (environment, options) => startGateway(gatewayConfig(environment), options);
  },
};

/** The services that dispatch work stop last, so that finished work can still be reported. */
const STOP_ORDER: readonly ServiceName[] = [
  'gateway',
  'sandbox-executor',
  'scoring',
  'run-orchestrator',
  'secrets-vault',
  'pack-registry',
];

/** The services that run in this process. */
export class ServiceGroup {
  private constructor(private readonly services: readonly RunningService[]) {}

  /** Starts all of them, or none: fails as the first that did not start. */
  static async start(
    names: readonly ServiceName[],
    environments: Environments,
    logTo: NonNullable<StartOptions['logTo']>,
  ): Promise<ServiceGroup> {
    const options = { logTo, processName: 'agentclash' };
    const loaded = [];
    for (const name of names) loaded.push({ name, start: await LOADERS[name]() });
    const started = await Promise.allSettled(
      loaded.map(async ({ name, start }) => await start(environments[name], options)),
    );
    const group = new ServiceGroup(
      started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])),
    );
    const failed = started.find((result) => result.status === 'rejected');
    if (failed === undefined) return group;
    await group.close();
    throw failed.reason;
  }

  /** Where the gateway serves; undefined where it is not among them. */
  get url(): string | undefined {
    const gateway = this.services.find(({ name }) => name === 'gateway');
    return gateway !== undefined && 'url' in gateway && typeof gateway.url === 'string'
      ? gateway.url
      : undefined;
  }

  /** Ports of the health endpoints, by service. */
  get health(): Record<string, number> {
    return Object.fromEntries(this.services.map(({ name, healthPort }) => [name, healthPort]));
  }

  async status(): Promise<Record<string, Readiness>> {
    const entries = this.services.map(
      async ({ name, readiness }) => [name, await checkReadiness(readiness)] as const,
    );
    return Object.fromEntries(await Promise.all(entries));
  }

  /** Drains these of the services, or all. Safe to call again. */
  async close(names: readonly ServiceName[] = STOP_ORDER): Promise<void> {
    for (const name of STOP_ORDER) {
      if (names.includes(name)) await this.services.find((service) => service.name === name)?.close();
    }
  }
}
