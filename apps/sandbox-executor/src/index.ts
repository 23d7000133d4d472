export { WORKERS_MIB_MAX } from '@agentclash/engine';
export { ARGUMENT_THREADS_MIB_MAX } from './attempts/argument-threads.js';
export { Environment as ExecutorEnvironment, executorConfig } from './config.js';
export { startSandboxExecutor } from './start.js';
