export { Environment as OrchestratorEnvironment, orchestratorConfig } from './config.js';
export { startRunOrchestrator } from './start.js';
