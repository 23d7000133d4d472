/** What a variable is for, as an operator needs to know it. */
export interface Words {
  says: string;
  /** Where the default depends on the machine, or on another variable. */
  byDefault?: string;
}

/** Every variable that a service reads, by its name. */
export const WORDS: Readonly<Record<string, Words>> = {
  NATS_URL: { says: 'servers of the bus, apart by commas' },
  NATS_USER: { says: "the service's user on the bus, with `NATS_PASSWORD`; as the embedded stack has it" },
  NATS_PASSWORD: { says: 'its password' },
  NATS_NKEY_SEED: { says: "the seed of the service's nkey, instead of user and password" },
  LOG_LEVEL: { says: '`fatal`, `error`, `warn`, `info`, `debug` or `trace`; lines of JSON on stdout' },
  HEALTH_PORT: { says: '`/healthz` and `/readyz`; 0 takes a free port' },
  HEALTH_HOST: { says: 'where they listen' },
  METRICS_PORT: { says: "Prometheus' `/metrics`; 0 takes a free port", byDefault: 'nothing is measured' },
  METRICS_HOST: { says: 'where it listens' },
  DATABASE_URL: { says: 'PostgreSQL, with the role that owns the schema of the service' },
  DATABASE_CONNECTIONS_MAX: { says: 'connections of one instance', byDefault: '5; 10 of the orchestrator' },
  MIGRATE_ON_START: {
    says: 'whether to apply pending migrations at start; `false` where a job does it before',
  },
  BLOB_STORE: { says: '`folder` or `s3`; see [storage](../storage.md)' },
  BLOB_FOLDER: { says: 'the folder, which all services share', byDefault: 'needed with `folder`' },
  S3_BUCKET: { says: 'the bucket, which must exist', byDefault: 'needed with `s3`' },
  S3_PREFIX: { says: 'in front of every key' },
  S3_REGION: { says: 'its region', byDefault: '`AWS_REGION`' },
  AWS_REGION: { says: 'as AWS has it' },
  S3_ENDPOINT: { says: 'a server with the S3 protocol', byDefault: 'AWS' },
  S3_FORCE_PATH_STYLE: {
    says: 'whether the bucket stands in the path',
    byDefault: '`true` with `S3_ENDPOINT`',
  },
  S3_ACCESS_KEY_ID: { says: 'credentials', byDefault: "what AWS's own variables, profile or role give" },
  S3_SECRET_ACCESS_KEY: { says: 'their secret half' },
  BLOB_SPOOL_FOLDER: {
    says: 'where files on their way to S3 wait',
    byDefault: "the system's temporary folder",
  },
  CREDENTIALS_ENV: { says: '`allow`: credentials of model providers may be variables of this process' },
  EGRESS_PRIVATE: {
    says: '`allowlisted`: private addresses that a pack lists by CIDR may be reached; `never`: none',
    byDefault: '`allowlisted`',
  },
  EGRESS_DENY: { says: 'CIDRs and names that nothing may reach, apart by commas' },
  EGRESS_PORTS: { says: 'the only ports that may be reached', byDefault: 'any' },
  OPERATOR_UNLOCK: { says: 'CIDRs of private networks where model servers and endpoints of yours are' },
  HTTP_HOST: { says: 'where the API listens' },
  HTTP_PORT: { says: 'its port; 0 takes a free one' },
  BOOTSTRAP_WORKSPACE: { says: 'the slug of the workspace that is made at start' },
  BOOTSTRAP_ADMIN_TOKEN_SHA256: { says: 'the SHA-256 of an admin token of that workspace, in hex' },
  OPERATOR_TOKEN_SHA256: {
    says: 'the SHA-256 of the token that makes workspaces and rotates keys',
    byDefault: 'disabled',
  },
  URL_SIGNING_KEY: {
    says: 'signs addresses of stored files: base64 of 32 bytes, the same for all gateways',
    byDefault: 'one of this process alone',
  },
  URL_LIFETIME_SECONDS: { says: 'how long such an address opens' },
  OIDC_ISSUERS: { says: 'issuers whose tokens are taken, a JSON list; see the API guide' },
  RATE_LIMIT: { says: 'requests a minute of one token, a sixth of it at once; 0 is without limit' },
  RUN_RATE_LIMIT: { says: 'the same for starting runs' },
  INVALID_TOKEN_RATE_LIMIT: {
    says: 'requests a minute with an invalid token, of one address, a sixth of it at once; 0 is without limit',
  },
  CONNECTIONS_MAX: { says: 'connections that are open at a time; more are closed at once' },
  BODIES_MAX: { says: 'requests of one token whose bodies are being read at a time' },
  BODY_SECONDS_MAX: { says: 'for the body of a request that is no upload to arrive as a whole' },
  STREAM_CHECK_SECONDS: { says: 'how often the token of an open event stream is checked again' },
  STREAMS_MAX: { says: 'event streams that one token may hold open' },
  CORS_ORIGINS: { says: 'origins that browsers may call from, apart by commas', byDefault: 'none' },
  WEB_FOLDER: { says: 'where the built web app lies', byDefault: 'that of the installation' },
  NATS_STREAM_REPLICAS: { says: 'servers that keep each stream: 3 on a cluster of three' },
  WORKSPACE_MAX_CONCURRENT: {
    says: 'attempts of one workspace at work at once',
    byDefault: 'none: each run has its own limit',
  },
  RECONCILE_MS: { says: 'how often what was lost is looked for' },
  BLOB_SWEEP_MINUTES: { says: 'how often stored bytes are compared with what refers to them' },
  RETENTION_DAYS: {
    says: 'days after their end when runs are deleted, where their workspace has set nothing else',
    byDefault: 'runs are kept for ever',
  },
  WORKSPACE_EVIDENCE_BYTES_MAX: {
    says: 'stored evidence of one workspace beyond which no run is created (100 GiB); `0`: no limit',
  },
  BLOB_GRACE_MINUTES: {
    says: 'how long stored bytes are kept that nothing refers to: an upload may be about to refer to them',
  },
  LEASE_MS: { says: 'how long an attempt is held without a sign of its executor' },
  SLOT_LEASE_MS: { says: "the same for a place among an account's calls" },
  SANDBOX_MAX_CONCURRENT: {
    says: 'attempts in sandboxes at once, of one instance',
    byDefault: 'six for each core, at most one for each 512 MiB of memory',
  },
  SANDBOX_CPU_SLOTS: {
    says: 'CPUs for tests of verifications, of one instance; see [limits under load](../sandbox.md#limits-under-load)',
    byDefault: 'the cores where sandboxes run on the same machine, else no limit',
  },
  SANDBOX_STARVATION_MAX: {
    says: 'how many times its own length a time limit is extended, at most, where sandboxes wait for CPU',
  },
  PROMPTS_MAX_CONCURRENT: { says: 'attempts without a sandbox at once, of one instance' },
  ATTEMPT_EVENTS_MAX: {
    says: 'events of one attempt, beside those of staged files; an attempt with more ends as `limit_reached` (`events`)',
  },
  EXECUTOR_ID: { says: 'what the instance is called', byDefault: 'host, process and a random part' },
  SANDBOX_PROVIDER: { says: '`bubblewrap`, `kubernetes` or `e2b`; see [the sandbox](../sandbox.md)' },
  SANDBOX_TEMPLATES: { says: '`name=where,…`: a root folder, an image, or the id of an E2B template' },
  SANDBOX_OWNER: {
    says: 'whose sandboxes these are, unique among live executors',
    byDefault: "the host's name",
  },
  SANDBOX_NAMESPACE: { says: 'where pods live', byDefault: 'needed with `kubernetes`' },
  SANDBOX_IMAGE: { says: 'what commands run on', byDefault: 'needed with `kubernetes`' },
  SANDBOX_INSIDE_IMAGE: { says: 'what brings the process inside', byDefault: 'needed with `kubernetes`' },
  SANDBOX_INSIDE_PATH: { says: 'where that image has it' },
  SANDBOX_PULL_POLICY: { says: '`Always`, `IfNotPresent` or `Never`', byDefault: "the cluster's" },
  SANDBOX_RUNTIME_CLASS: { says: 'such as `gvisor`' },
  SANDBOX_STRONG_ISOLATION: { says: '`true` where that class gives pods a kernel of their own' },
  SANDBOX_USER_NAMESPACES: { says: '`true` where the nodes have user namespaces' },
  SANDBOX_UIDS: {
    says: 'a range such as `100000-165535`: each pod gets a uid of it, so that the limit of processes holds without user namespaces',
    byDefault: 'all pods run as 1000',
  },
  SANDBOX_CPU_REQUEST_SHARE: {
    says: 'the part of its CPU limit that a pod reserves, 0.01 to 1; below 1 more pods fit on a node, and may slow each other down',
  },
  SANDBOX_API_URL: { says: 'an API server other than that of the own pod' },
  SANDBOX_API_TOKEN_FILE: { says: 'the token for it' },
  SANDBOX_API_CA_FILE: { says: 'the authority that it is signed by' },
  E2B_API_KEY: { says: 'the key of the E2B account', byDefault: 'needed with `e2b`' },
  E2B_API_URL: { says: 'another address than that of E2B' },
  E2B_TEMPLATE: { says: 'the template that sandboxes are made from' },
  E2B_INSIDE_TOOL: { says: 'the process inside as a static program', byDefault: 'compiled here' },
  SCORING_CONCURRENCY: { says: 'attempts scored at once, of one instance' },
  SCORING_THREADS: { says: 'threads that grade' },
  SCORING_THREAD_MIB: { says: 'memory of each, in MiB' },
  VAULT_KEYS: {
    says: 'master keys: JSON, key id to base64 of 32 bytes',
    byDefault: 'needed without `VAULT_KEYS_FILE`',
  },
  VAULT_ACTIVE_KEY: { says: 'which of them wraps what is written', byDefault: 'needed with `VAULT_KEYS`' },
  VAULT_KEYS_FILE: {
    says: 'the keys in a file instead: `{"active": id, "keys": {…}}`; read again when it changes',
  },
  VAULT_KEYS_FILE_MANAGED: { says: 'whether the vault makes and drops keys in that file itself' },
  VAULT_KEYS_CHECK_MS: { says: 'how often the keys are read again' },
  VAULT_AUDIT_DAYS: { says: 'how long audit entries are kept; 0 is for ever' },
};
