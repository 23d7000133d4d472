export { WORKERS_MIB_MAX } from '@agentclash/engine';
export { Environment as ExecutorEnvironment, executorConfig } from './config.js';
export { startSandboxExecutor } from './start.js';
