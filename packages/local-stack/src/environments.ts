import { ACCESS, type ServiceName } from '@agentclash/contracts';
import { type Credentials, sha256Hex } from './credentials.js';
import { DATABASE, type ServiceWithState } from './database.js';
import { LOOPBACK_NETWORKS } from './loopback-endpoints.js';
import type { Environment } from './service-group.js';

export interface EnvironmentSources {
  credentials: Credentials;
  natsUrl: string;
  postgresUrl: (database: string, login: { user: string; password: string }) => string;
  roles: Record<ServiceWithState, string>;
  blobFolder: string;
  vaultKeysFile: string;
  httpHost: string;
  httpPort: number;
  logLevel: string;
  /** True when endpoints and provider accounts of members may be on this machine. */
  allowsLoopback: boolean;
  /** Settings of the operator for single services, such as SANDBOX_MAX_CONCURRENT; passed to all. */
  overrides: Environment;
  /** The user's own environment: where the operator allows it, credentials may name its variables. */
  inherited: NodeJS.ProcessEnv;
}

/** Who calls providers and endpoints, and who judges their addresses when they are saved. */
const UNLOCKED: ReadonlySet<ServiceName> = new Set(['run-orchestrator', 'sandbox-executor', 'scoring']);

/** Who opens the credentials of calls. */
const OPENS_CREDENTIALS: ReadonlySet<ServiceName> = new Set(['sandbox-executor', 'scoring']);
/** Variables that would configure a service; they are not taken from the user's environment. */
const SETTINGS =
  /^(BLOB|DATABASE|DOCKER|E2B|EGRESS|EXECUTOR|HTTP|LOG|METRICS|NATS|OPERATOR|OTEL|PROMPTS|S3|SANDBOX|VAULT)_/;

/** The environment of each service, as its deployment on a cluster would have it. */
export function serviceEnvironments(from: EnvironmentSources): Record<ServiceName, Environment> {
  const services = Object.keys(ACCESS) as ServiceName[];
  return Object.fromEntries(services.map((service) => [service, environmentOf(service, from)])) as Record<
    ServiceName,
    Environment
  >;
}

function environmentOf(service: ServiceName, from: EnvironmentSources): Environment {
  const { credentials } = from;
  const password = credentials.passwords[service];
  return {
    ...(OPENS_CREDENTIALS.has(service) && variablesOf(from)),
    NATS_URL: from.natsUrl,
    NATS_USER: service,
    NATS_PASSWORD: password,
    LOG_LEVEL: from.logLevel,
    BLOB_FOLDER: from.blobFolder,
    ...(hasState(service, from.roles) && {
      DATABASE_URL: from.postgresUrl(DATABASE, { user: from.roles[service], password }),
    }),
    ...(service === 'secrets-vault' && {
      VAULT_KEYS_FILE: from.vaultKeysFile,
      VAULT_KEYS_FILE_MANAGED: 'true',
    }),
    ...(service === 'gateway' && {
      HTTP_HOST: from.httpHost,
      HTTP_PORT: String(from.httpPort),
      BOOTSTRAP_ADMIN_TOKEN_SHA256: sha256Hex(credentials.adminToken),
      OPERATOR_TOKEN_SHA256: sha256Hex(credentials.operatorToken),
    }),
    ...(service === 'run-orchestrator' &&
      from.httpPort > 0 && { PUBLIC_URL: `http://127.0.0.1:${from.httpPort}` }),
    ...(from.allowsLoopback && UNLOCKED.has(service) && { OPERATOR_UNLOCK: LOOPBACK_NETWORKS }),
    ...overridesOf(service, from),
  };
}

/** Only the executor gets the key of a sandbox service. */
function overridesOf(service: ServiceName, { overrides }: EnvironmentSources): Environment {
  if (service === 'sandbox-executor') return overrides;
  return Object.fromEntries(Object.entries(overrides).filter(([name]) => !name.startsWith('E2B_')));
}

function variablesOf({ overrides, inherited }: EnvironmentSources): NodeJS.ProcessEnv {
  if (overrides.CREDENTIALS_ENV !== 'allow') return {};
  return Object.fromEntries(Object.entries(inherited).filter(([name]) => !SETTINGS.test(name)));
}

function hasState(
  service: ServiceName,
  roles: Record<ServiceWithState, string>,
): service is ServiceWithState {
  return Object.hasOwn(roles, service);
}
