/** Which workspace packages each package may depend on. Names without `@agentclash/`. */
export const MAY_DEPEND_ON = {
  challengepack: [],
  contracts: ['challengepack'],
  api: ['challengepack', 'contracts'],
  bus: ['contracts'],
  'service-kit': ['bus', 'contracts', 'egress'],

  egress: [],
  sandbox: [],
  models: ['challengepack', 'egress'],
  engine: ['challengepack', 'egress', 'models', 'sandbox'],
  scoring: ['challengepack'],

  gateway: ['api', 'bus', 'challengepack', 'contracts', 'models', 'service-kit'],
  'pack-registry': ['bus', 'challengepack', 'contracts', 'service-kit'],
  'run-orchestrator': ['bus', 'challengepack', 'contracts', 'egress', 'engine', 'models', 'service-kit'],
  'sandbox-executor': [
    'bus',
    'challengepack',
    'contracts',
    'egress',
    'engine',
    'models',
    'sandbox',
    'service-kit',
  ],
  'scoring-service': [
    'bus',
    'challengepack',
    'contracts',
    'egress',
    'engine',
    'models',
    'scoring',
    'service-kit',
  ],
  'secrets-vault': ['bus', 'challengepack', 'contracts', 'service-kit'],
  cli: ['api', 'challengepack'],
  web: ['api', 'challengepack'],

  embedded: [],
  testkit: ['embedded'],
  vectors: ['challengepack', 'egress', 'engine', 'sandbox', 'scoring', 'testkit'],
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
  e2e: ['api', 'challengepack', 'contracts', 'embedded', 'local-stack', 'testkit'],
  bench: ['api', 'challengepack', 'contracts', 'e2e', 'local-stack', 'sandbox', 'scoring', 'testkit'],
  cluster: [
    'bus',
    'contracts',
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
