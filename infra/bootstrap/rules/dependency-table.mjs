/** Which workspace packages each package may depend on. Names without `@agentclash/`. */
export const MAY_DEPEND_ON = {
  domain: [],
  challengepack: ['domain'],
  contracts: ['challengepack', 'domain'],
  api: ['challengepack', 'contracts', 'domain'],
  bus: ['contracts'],
  'service-kit': ['bus', 'contracts', 'domain', 'egress'],

  'attempt-plan': ['challengepack', 'domain'],
  redaction: [],
  egress: [],
  sandbox: [],
  models: ['challengepack', 'domain', 'egress'],
  engine: ['attempt-plan', 'challengepack', 'domain', 'egress', 'models', 'redaction', 'sandbox'],
  grading: ['challengepack', 'domain'],

  gateway: ['api', 'bus', 'challengepack', 'contracts', 'domain', 'models', 'service-kit'],
  'pack-registry': ['bus', 'challengepack', 'contracts', 'service-kit'],
  'run-orchestrator': [
    'attempt-plan',
    'bus',
    'challengepack',
    'contracts',
    'domain',
    'egress',
    'service-kit',
  ],
  'sandbox-executor': [
    'attempt-plan',
    'bus',
    'challengepack',
    'contracts',
    'domain',
    'egress',
    'engine',
    'models',
    'redaction',
    'sandbox',
    'service-kit',
  ],
  'scoring-service': [
    'bus',
    'challengepack',
    'contracts',
    'domain',
    'egress',
    'models',
    'redaction',
    'grading',
    'service-kit',
  ],
  'secrets-vault': ['bus', 'challengepack', 'contracts', 'service-kit'],
  cli: ['api', 'challengepack', 'domain'],
  web: ['api', 'challengepack', 'domain'],

  embedded: [],
  testkit: ['embedded'],
  vectors: ['challengepack', 'egress', 'engine', 'grading', 'sandbox', 'scoring-service', 'testkit'],
  'local-stack': [
    'bus',
    'contracts',
    'embedded',
    'gateway',
    'pack-registry',
    'run-orchestrator',
    'sandbox-executor',
    'scoring-service',
    'secrets-vault',
    'service-kit',
  ],
  e2e: ['api', 'challengepack', 'contracts', 'domain', 'embedded', 'local-stack', 'testkit'],
  bench: [
    'api',
    'challengepack',
    'contracts',
    'domain',
    'e2e',
    'local-stack',
    'sandbox',
    'grading',
    'testkit',
  ],
  'infra-tests': [
    'bus',
    'contracts',
    'domain',
    'e2e',
    'embedded',
    'gateway',
    'pack-registry',
    'run-orchestrator',
    'sandbox',
    'sandbox-executor',
    'scoring-service',
    'secrets-vault',
    'service-kit',
    'testkit',
  ],
};

/** What may be loaded only by `import()` at the moment of use, so that other commands start without it. */
export const LAZILY = {
  cli: ['local-stack', 'sandbox'],
};

/** What tests of any package may import in addition. */
export const IN_TESTS = ['testkit'];

/** Packages whose folders still import each other in a cycle; the list only shrinks. */
export const FOLDERS_IN_CYCLES = [];
