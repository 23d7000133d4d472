import type { ServiceName } from '@agentclash/contracts';
import type { RunningService, StartOptions } from '@agentclash/service-kit';

export type Environment = Record<string, string>;
type Starter = (environment: Environment, options: StartOptions) => Promise<RunningService>;

/** Loads a service; a process loads those that it runs. Each starts as its own `main.ts` does: read the environment, start. */
export const LOADERS: Record<ServiceName, () => Promise<Starter>> = {
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
