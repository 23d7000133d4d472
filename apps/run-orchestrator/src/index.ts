export { orchestratorConfig } from './config.js';
export { startRunOrchestrator } from './start.js';
