import type { ServiceName } from '@agentclash/contracts';
import type { RunningService, StartOptions } from '@agentclash/service-kit';

export type Environment = Record<string, string>;
type Starter = (environment: Environment, options: StartOptions) => Promise<RunningService>;

/** Each service by what its own `main.ts` does: read the environment, start. A process loads those that it runs. */
export const STARTERS: Record<ServiceName, Starter> = {
  'run-orchestrator': async (environment, options) => {
    const { orchestratorConfig, startRunOrchestrator } = await import('@agentclash/run-orchestrator');
    return await startRunOrchestrator(orchestratorConfig(environment), options);
  },
  'pack-registry': async (environment, options) => {
    const { registryConfig, startPackRegistry } = await import('@agentclash/pack-registry');
    return await startPackRegistry(registryConfig(environment), options);
  },
  'secrets-vault': async (environment, options) => {
    const { startSecretsVault, vaultConfig } = await import('@agentclash/secrets-vault');
    return await startSecretsVault(vaultConfig(environment), options);
  },
  scoring: async (environment, options) => {
    const { scoringConfig, startScoring } = await import('@agentclash/scoring-service');
    return await startScoring(scoringConfig(environment), options);
  },
  'sandbox-executor': async (environment, options) => {
    const { executorConfig, startSandboxExecutor } = await import('@agentclash/sandbox-executor');
    return await startSandboxExecutor(executorConfig(environment), options);
  },
  gateway: async (environment, options) => {
    const { gatewayConfig, startGateway } = await import('@agentclash/gateway');
    return await startGateway(gatewayConfig(environment), options);
  },
};
