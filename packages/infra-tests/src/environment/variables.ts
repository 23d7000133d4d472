import type { ServiceName } from '@agentclash/contracts';
import { GatewayEnvironment, gatewayConfig } from '@agentclash/gateway';
import { RegistryEnvironment, registryConfig } from '@agentclash/pack-registry';
import { OrchestratorEnvironment, orchestratorConfig } from '@agentclash/run-orchestrator';
import { ExecutorEnvironment, executorConfig } from '@agentclash/sandbox-executor';
import { ScoringEnvironment, scoringConfig } from '@agentclash/scoring-service';
import { VaultEnvironment, vaultConfig } from '@agentclash/secrets-vault';
import type { z } from 'zod';

interface Reader {
  schema: z.ZodType;
  /** Throws with all problems at once. */
  read: (environment: Record<string, string | undefined>) => unknown;
}

/** The schema and the reader of the environment of each service. */
export const READERS: Record<ServiceName, Reader> = {
  gateway: { schema: GatewayEnvironment, read: gatewayConfig },
  'pack-registry': { schema: RegistryEnvironment, read: registryConfig },
  'run-orchestrator': { schema: OrchestratorEnvironment, read: orchestratorConfig },
  'sandbox-executor': { schema: ExecutorEnvironment, read: executorConfig },
  'secrets-vault': { schema: VaultEnvironment, read: vaultConfig },
  scoring: { schema: ScoringEnvironment, read: scoringConfig },
};

/** Variables of Node.js and of the libraries that it loads. */
export const RUNTIME_VARIABLES = /^(?:NODE_OPTIONS|NODE_EXTRA_CA_CERTS|OTEL_[A-Z_]+)$/;

/** The names of all variables that a configuration's schema reads. */
export function variablesOf(schema: z.core.$ZodType): Set<string> {
  const own = membersOf(schema).map(([name]) => name);
  return new Set([...own, ...madeFrom(schema).flatMap((part) => [...variablesOf(part)])]);
}

type Schema = z.core.$ZodType;

/** The definition of a schema in zod. */
export function definitionOf(schema: Schema) {
  return (schema as z.core.$ZodTypes)._zod.def;
}

/** The members of the schema of an object. */
export function membersOf(schema: Schema): [name: string, schema: Schema][] {
  const definition = definitionOf(schema);
  return 'shape' in definition ? Object.entries(definition.shape) : [];
}

/** The inner schemas that read the same value: both parts of an intersection, or the input of a transformation. */
export function madeFrom(schema: Schema): Schema[] {
  const definition = definitionOf(schema);
  if ('left' in definition) return [definition.left, definition.right];
  if ('innerType' in definition) return [definition.innerType];
  return 'in' in definition ? [definition.in] : [];
}
