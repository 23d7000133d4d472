/** The purpose of a variable, for operators. */
export interface VariableDescription {
  description: string;
  /** The default in words, if it depends on the machine or on another variable. */
  byDefault?: string;
}

/** Every variable that a service reads, by its name. */
export const DESCRIPTIONS: Readonly<Record<string, VariableDescription>> = {
  NATS_URL: { description: 'servers of the bus, separated by commas' },
  NATS_USER: {
    description: "the service's user on the bus, with `NATS_PASSWORD`; only the embedded stack uses it",
  },
  NATS_PASSWORD: { description: 'its password' },
  NATS_NKEY_SEED: { description: "the seed of the service's nkey, instead of user and password" },
  LOG_LEVEL: { description: '`fatal`, `error`, `warn`, `info`, `debug` or `trace`; lines of JSON on stdout' },
  HEALTH_PORT: { description: '`/healthz` and `/readyz`; 0 takes a free port' },
  HEALTH_HOST: { description: 'their address' },
  METRICS_PORT: {
    description: "Prometheus' `/metrics`; 0 takes a free port",
    byDefault: 'nothing is measured',
  },
  METRICS_HOST: { description: 'its address' },
  DATABASE_URL: { description: 'PostgreSQL, with the role that owns the schema of the service' },
  DATABASE_CONNECTIONS_MAX: {
    description: 'connections of one instance',
    byDefault: '5; 10 of the orchestrator',
  },
  MIGRATE_ON_START: {
    description: 'whether to apply pending migrations at start; `false` where a job does it before',
  },
  BLOB_STORE: { description: '`folder` or `s3`; see [storage](../storage.md)' },
  BLOB_FOLDER: { description: 'the folder, which all services share', byDefault: 'needed with `folder`' },
  S3_BUCKET: { description: 'the bucket, which must exist', byDefault: 'needed with `s3`' },
  S3_PREFIX: { description: 'in front of every key' },
  S3_REGION: { description: 'its region', byDefault: '`AWS_REGION`' },
  AWS_REGION: { description: 'the region of the variables of AWS' },
  S3_ENDPOINT: { description: 'a server with the S3 protocol', byDefault: 'AWS' },
  S3_FORCE_PATH_STYLE: {
    description: 'whether the bucket is part of the path',
    byDefault: '`true` with `S3_ENDPOINT`',
  },
  S3_ACCESS_KEY_ID: {
    description: 'credentials',
    byDefault: "those of AWS's own variables, profile or role",
  },
  S3_SECRET_ACCESS_KEY: { description: 'their secret half' },
  BLOB_SPOOL_FOLDER: {
    description: 'the folder of files that are being uploaded to S3',
    byDefault: "the system's temporary folder",
  },
  CREDENTIALS_ENV: {
    description: '`allow`: credentials of model providers may be variables of this process',
  },
  EGRESS_PRIVATE: {
    description: '`allowlisted`: private addresses that a pack lists by CIDR may be reached; `never`: none',
    byDefault: '`allowlisted`',
  },
  EGRESS_DENY: { description: 'CIDRs and names that nothing may reach, separated by commas' },
  EGRESS_PORTS: { description: 'the only ports that may be reached', byDefault: 'any' },
  OPERATOR_UNLOCK: {
    description: 'CIDRs of private networks where model servers and endpoints of yours are',
  },
  HTTP_HOST: { description: 'the address of the API' },
  HTTP_PORT: { description: 'its port; 0 takes a free one' },
  BOOTSTRAP_WORKSPACE: { description: 'the slug of the workspace that is created at start' },
  BOOTSTRAP_ADMIN_TOKEN_SHA256: { description: 'the SHA-256 of an admin token of that workspace, in hex' },
  OPERATOR_TOKEN_SHA256: {
    description: 'the SHA-256 of the token that creates workspaces and rotates keys',
    byDefault: 'disabled',
  },
  URL_SIGNING_KEY: {
    description: 'signs addresses of stored files: base64 of 32 bytes, the same for all gateways',
    byDefault: 'one of this process alone',
  },
  URL_LIFETIME_SECONDS: { description: 'how long such an address is valid' },
  OIDC_ISSUERS: { description: 'issuers whose tokens are accepted, a JSON list; see the API guide' },
  RATE_LIMIT: { description: 'requests a minute of one token, a sixth of it at once; 0 is without limit' },
  RUN_RATE_LIMIT: { description: 'the same for starting runs' },
  INVALID_TOKEN_RATE_LIMIT: {
    description:
      'requests a minute with an invalid token, of one address, a sixth of it at once; 0 is without limit',
  },
  CONNECTIONS_MAX: { description: 'connections that are open at a time; more are closed at once' },
  BODIES_MAX: { description: 'requests of one token whose bodies are being read at a time' },
  BODY_SECONDS_MAX: { description: 'for the body of a request that is no upload to arrive as a whole' },
  STREAM_CHECK_SECONDS: { description: 'how often the token of an open event stream is checked again' },
  STREAMS_MAX: { description: 'event streams that one token may hold open' },
  CORS_ORIGINS: {
    description: 'origins that browsers may call from, separated by commas',
    byDefault: 'none',
  },
  WEB_FOLDER: { description: 'the folder of the built web app', byDefault: 'that of the installation' },
  NATS_STREAM_REPLICAS: { description: 'replicas of each stream: 3 on a cluster of three servers' },
  WORKSPACE_MAX_CONCURRENT: {
    description: 'attempts of one workspace that run at the same time',
    byDefault: 'none: each run has its own limit',
  },
  RECONCILE_MS: { description: 'how often lost jobs and attempts are searched for' },
  BLOB_SWEEP_MINUTES: { description: 'how often stored bytes are compared with what refers to them' },
  PUBLIC_URL: {
    description:
      'the address of the web app that browsers have: webhooks and printed links of `agentclash up` name it',
    byDefault: 'none: webhooks name paths; of `agentclash up` its own',
  },
  SHARE_DAYS_MAX: {
    description: 'days for which a link to the results of a run may be valid; `0`: there are no links',
  },
  WEBHOOK_RETRY_MS: {
    description:
      'the pause after the first failed attempt of a delivery to a webhook; it doubles with each, up to an hour',
  },
  WEBHOOK_RETRY_SECONDS_MAX: {
    description: 'how long a delivery to a webhook is attempted again before it has failed',
  },
  RETENTION_DAYS: {
    description: 'days after their end when runs are deleted, where their workspace has set nothing else',
    byDefault: 'runs are kept forever',
  },
  WORKSPACE_EVIDENCE_BYTES_MAX: {
    description: 'stored evidence of one workspace beyond which no run is created (100 GiB); `0`: no limit',
  },
  BLOB_GRACE_MINUTES: {
    description: 'how long unreferenced bytes are kept: an upload may be about to refer to them',
  },
  LEASE_MS: { description: 'how long an attempt stays assigned without a heartbeat of its executor' },
  SLOT_LEASE_MS: { description: "the same for a slot of the limit of an account's concurrent calls" },
  SANDBOX_MAX_CONCURRENT: {
    description: 'attempts in sandboxes at once, of one instance',
    byDefault: 'six for each core, at most one for each 512 MiB of memory',
  },
  SANDBOX_CPU_SLOTS: {
    description:
      'CPUs for tests of verifications, of one instance; see [limits under load](../sandbox.md#limits-under-load)',
    byDefault: 'the cores where sandboxes run on the same machine, else no limit',
  },
  SANDBOX_STARVATION_MAX: {
    description:
      'how many times its own length a time limit is extended, at most, where sandboxes wait for CPU',
  },
  PROMPTS_MAX_CONCURRENT: { description: 'attempts without a sandbox at once, of one instance' },
  AUDITS_MAX_CONCURRENT: {
    description: 'audits of packs at once, of one instance; together they use a quarter of its sandboxes',
  },
  AUDIT_TIMEOUT_SECONDS: {
    description: 'seconds that an audit may take; a longer one ends as incomplete, with what it has found',
  },
  ATTEMPT_EVENTS_MAX: {
    description:
      'events of one attempt, beside those of staged files; an attempt with more ends as `limit_reached` (`events`)',
  },
  AGENT_PACKAGES_DIR: {
    description: 'where packages of coding agents are kept; executors may share it',
    byDefault: '`/var/cache/agentclash/agents` as root, else `~/.cache/agentclash/agents`',
  },
  AGENT_PACKAGES_CLAIM: {
    description:
      'with the provider `kubernetes`: the claim, in the namespace of sandboxes, whose volume is mounted at `AGENT_PACKAGES_DIR`; see [Kubernetes](../kubernetes.md#packages-of-coding-agents)',
  },
  AGENT_PACKAGES_CLAIM_PATH: {
    description: 'the part of that volume that is mounted there',
    byDefault: 'all of it',
  },
  AGENT_PACKAGES_REGISTRY: { description: 'the npm registry that has them' },
  AGENT_PACKAGES_TOKEN: { description: 'bearer token of that registry' },
  EXECUTOR_ID: { description: 'the name of the instance', byDefault: 'host, process and a random part' },
  SANDBOX_PROVIDER: {
    description: '`bubblewrap`, `docker`, `kubernetes` or `e2b`; see [the sandbox](../sandbox.md)',
    byDefault: '`bubblewrap` on Linux, else `docker`',
  },
  SANDBOX_ISOLATION: {
    description: '`namespaces`, or `gvisor`: a kernel of its own for each sandbox of bubblewrap',
  },
  SANDBOX_RUNSC: { description: 'the program of gVisor', byDefault: 'the first `runsc` that is found' },
  SANDBOX_TEMPLATES: { description: '`name=where,…`: a root folder, an image, or the id of an E2B template' },
  SANDBOX_IMAGES_DIR: {
    description: 'where bubblewrap keeps the images of packs, unpacked',
    byDefault: 'beside the cache of sandboxes',
  },
  SANDBOX_IMAGES_BYTES_MAX: {
    description:
      'the size of the images there, or of those that were pulled and built with `docker`; beyond it those that were unused for longest are removed',
    byDefault: '20 GiB; 32 GiB with `docker`',
  },
  SANDBOX_IMAGE_LAYOUTS: {
    description: 'directories in the layout of OCI that have images, separated by commas',
  },
  SANDBOX_REGISTRIES: { description: '`none`: images come from layouts and from what was loaded alone' },
  SANDBOX_REGISTRY_CREDENTIALS: {
    description: 'a JSON file with `{"REGISTRY": {"username": …, "password": …}}`',
    byDefault: 'public images only',
  },
  SANDBOX_BUILD_NETWORK: {
    description:
      'of builds that require a network: `public` addresses by HTTP and HTTPS, or with `host` all that this machine reaches',
  },
  SANDBOX_OWNER: {
    description: 'the owner of the sandboxes, unique among live executors',
    byDefault: "the host's name",
  },
  DOCKER_HOST: {
    description: 'with `docker`: where its daemon listens, as `unix://`, `npipe://` or `tcp://`',
    byDefault: 'the socket of this machine',
  },
  DOCKER_TLS_VERIFY: { description: 'any value: the connection to the daemon is encrypted' },
  DOCKER_CERT_PATH: {
    description: 'the folder of `ca.pem`, `cert.pem` and `key.pem` for it',
    byDefault: '`~/.docker`',
  },
  SANDBOX_DOCKER_RUNTIME: {
    description: 'a runtime that is registered with the daemon, such as `runsc`',
    byDefault: "the daemon's default",
  },
  SANDBOX_DOCKER_POOL: {
    description: 'started containers that wait for attempts, for each kind of sandbox; `0`: none',
  },
  SANDBOX_NAMESPACE: { description: 'the namespace of the pods', byDefault: 'needed with `kubernetes`' },
  SANDBOX_IMAGE: {
    description: 'the image of the sandboxes',
    byDefault: 'needed with `kubernetes`; `docker.io/library/python:3.13-bookworm` with `docker`',
  },
  SANDBOX_INSIDE_IMAGE: {
    description: 'the image of the program that runs inside of sandboxes',
    byDefault: 'needed with `kubernetes`',
  },
  SANDBOX_INSIDE_PATH: { description: 'the path of that program in its image' },
  SANDBOX_POD_POOL: {
    description: 'started pods that wait for attempts, for each kind of sandbox; `0`: none',
  },
  SANDBOX_PULL_POLICY: { description: '`Always`, `IfNotPresent` or `Never`', byDefault: "the cluster's" },
  SANDBOX_RUNTIME_CLASS: { description: 'such as `gvisor`' },
  SANDBOX_STRONG_ISOLATION: {
    description: '`true` where that class, or the runtime of `docker`, gives sandboxes a kernel of their own',
  },
  SANDBOX_USER_NAMESPACES: { description: '`true` where the nodes have user namespaces' },
  SANDBOX_OBJECTS: {
    description:
      '`sandboxes`: sandboxes are resources of `agents.x-k8s.io`, whose controller makes their pods',
  },
  SANDBOX_ROOT_IN_IMAGES: {
    description:
      '`true`: packs may run images as root in pods and containers that have neither a user namespace nor a kernel of their own; with `docker`, Dockerfiles are built there, too',
  },
  SANDBOX_UIDS: {
    description:
      'a range such as `100000-165535`: each pod gets a uid of it, so that the limit of processes holds without user namespaces',
    byDefault: 'all pods run as 1000',
  },
  SANDBOX_CPU_REQUEST_SHARE: {
    description:
      'the part of its CPU limit that a pod reserves, 0.01 to 1; below 1 more pods fit on a node, and may slow each other down',
  },
  SANDBOX_BUILDER_IMAGE: {
    description: 'an image with `buildah` and `skopeo` that builds Dockerfiles in jobs of the cluster',
    byDefault: 'packs with Dockerfiles are refused',
  },
  SANDBOX_BUILDER_REPOSITORY: {
    description: 'where built images are pushed, such as `registry.example.com/agentclash/built`',
    byDefault: 'needed with `SANDBOX_BUILDER_IMAGE`',
  },
  SANDBOX_BUILDER_PULL_REPOSITORY: {
    description: 'the same repository as nodes name it',
    byDefault: '`SANDBOX_BUILDER_REPOSITORY`',
  },
  SANDBOX_BUILDER_INSECURE: { description: '`true` where that registry has no TLS' },
  SANDBOX_BUILDER_NAMESPACE: { description: 'the namespace of these jobs' },
  SANDBOX_BUILDER_SECRET: {
    description: 'a secret there (`kubernetes.io/dockerconfigjson`), for pushes and base images',
    byDefault: 'registries without a login',
  },
  SANDBOX_BUILDER_SERVICE_ACCOUNT: {
    description: 'that of the pods; its token is not mounted',
    byDefault: '`default`',
  },
  SANDBOX_BUILDER_USER: {
    description:
      '`rootless`: a user with a user namespace of its own; `root`: root of the container with `CAP_SYS_ADMIN`',
  },
  SANDBOX_BUILDER_CPU: { description: 'processors of one build' },
  SANDBOX_BUILDER_MEMORY_BYTES: { description: 'its memory' },
  SANDBOX_BUILDER_DISK_BYTES: { description: 'its disk: its files, base images and layers, several times' },
  SANDBOX_API_URL: { description: 'an API server other than that of the own pod' },
  SANDBOX_API_TOKEN_FILE: { description: 'the token for it' },
  SANDBOX_API_CA_FILE: { description: 'the certificate authority of that API server' },
  E2B_API_KEY: { description: 'the key of the E2B account', byDefault: 'needed with `e2b`' },
  E2B_API_URL: { description: 'the address of the API, if it is not that of E2B' },
  E2B_TEMPLATE: { description: 'the template of the sandboxes' },
  E2B_INSIDE_TOOL: { description: 'the process inside as a static program', byDefault: 'compiled here' },
  SCORING_CONCURRENCY: { description: 'attempts scored at once, of one instance' },
  SCORING_THREADS: { description: 'threads that grade' },
  SCORING_THREAD_MIB: { description: 'memory of each, in MiB' },
  VAULT_KEYS: {
    description: 'master keys: JSON, key id to base64 of 32 bytes',
    byDefault: 'needed without `VAULT_KEYS_FILE`',
  },
  VAULT_ACTIVE_KEY: {
    description: 'the key that encrypts new values',
    byDefault: 'needed with `VAULT_KEYS`',
  },
  VAULT_KEYS_FILE: {
    description: 'the keys in a file instead: `{"active": id, "keys": {…}}`; read again when it changes',
  },
  VAULT_KEYS_FILE_MANAGED: { description: 'whether the vault itself creates and deletes keys in that file' },
  VAULT_KEYS_CHECK_MS: { description: 'how often the keys are read again' },
  VAULT_AUDIT_DAYS: { description: 'how long audit entries are kept; 0 is forever' },
};
