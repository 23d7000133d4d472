import type { ServiceName } from '@agentclash/contracts';
import { gatewayConfig, startGateway } from '@agentclash/gateway';
import { registryConfig, startPackRegistry } from '@agentclash/pack-registry';
import { orchestratorConfig, startRunOrchestrator } from '@agentclash/run-orchestrator';
import { executorConfig, startSandboxExecutor } from '@agentclash/sandbox-executor';
import { scoringConfig, startScoring } from '@agentclash/scoring-service';
import { startSecretsVault, vaultConfig } from '@agentclash/secrets-vault';
import type { RunningService, StartOptions } from '@agentclash/service-kit';

export type Environment = Record<string, string>;
type Starter = (environment: Environment, options: StartOptions) => Promise<RunningService>;

/** Each service by what its own `main.ts` does: read the environment, start. */
export const STARTERS: Record<ServiceName, Starter> = {
  'run-orchestrator': (environment, options) =>
    startRunOrchestrator(orchestratorConfig(environment), options),
  'pack-registry': (environment, options) => startPackRegistry(registryConfig(environment), options),
  'secrets-vault': (environment, options) => startSecretsVault(vaultConfig(environment), options),
  scoring: (environment, options) => startScoring(scoringConfig(environment), options),
  'sandbox-executor': (environment, options) => startSandboxExecutor(executorConfig(environment), options),
  gateway: (environment, options) => startGateway(gatewayConfig(environment), options),
};
