import type { ServiceName } from '@agentclash/contracts';
import { GatewayEnvironment, gatewayConfig } from '@agentclash/gateway';
import { RegistryEnvironment, registryConfig } from '@agentclash/pack-registry';
import { OrchestratorEnvironment, orchestratorConfig } from '@agentclash/run-orchestrator';
import { ExecutorEnvironment, executorConfig } from '@agentclash/sandbox-executor';
import { ScoringEnvironment, scoringConfig } from '@agentclash/scoring-service';
import { VaultEnvironment, vaultConfig } from '@agentclash/secrets-vault';
import type { z } from 'zod';
import { madeFrom, membersOf } from './schema-parts.js';

interface Reader {
  schema: z.ZodType;
  /** Throws with every fault at once. */
  read: (environment: Record<string, string | undefined>) => unknown;
}

/** What each service makes of its environment. */
export const READERS: Record<ServiceName, Reader> = {
  gateway: { schema: GatewayEnvironment, read: gatewayConfig },
  'pack-registry': { schema: RegistryEnvironment, read: registryConfig },
  'run-orchestrator': { schema: OrchestratorEnvironment, read: orchestratorConfig },
  'sandbox-executor': { schema: ExecutorEnvironment, read: executorConfig },
  'secrets-vault': { schema: VaultEnvironment, read: vaultConfig },
  scoring: { schema: ScoringEnvironment, read: scoringConfig },
};

/** Read by Node.js itself, or by what is loaded into it. */
export const RUNTIME_VARIABLES = /^(?:NODE_OPTIONS|NODE_EXTRA_CA_CERTS|OTEL_[A-Z_]+)$/;

/** The names of all variables that a configuration's schema reads. */
export function variablesOf(schema: z.core.$ZodType): Set<string> {
  const own = membersOf(schema).map(([name]) => name);
  return new Set([...own, ...madeFrom(schema).flatMap((part) => [...variablesOf(part)])]);
}
