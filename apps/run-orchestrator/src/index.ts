export { SCHEMA_CHECKS_MIB_MAX } from './catalogue/schemas/schema-checks.js';
export { Environment as OrchestratorEnvironment, orchestratorConfig } from './config.js';
export { startRunOrchestrator } from './start.js';
