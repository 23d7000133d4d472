export { executorConfig } from './config.js';
export { startSandboxExecutor } from './start.js';
