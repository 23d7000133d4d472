export { Environment as OrchestratorEnvironment, orchestratorConfig } from './config.js';
export { SCHEMA_CHECKS_MIB_MAX } from './schemas/schema-checks.js';
export { startRunOrchestrator } from './start.js';
