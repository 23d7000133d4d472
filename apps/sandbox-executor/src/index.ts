export { Environment as ExecutorEnvironment, executorConfig } from './config.js';
export { startSandboxExecutor } from './start.js';
