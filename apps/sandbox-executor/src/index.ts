export { WORKERS_MIB_MAX } from '@agentclash/engine';
export { UNTRUSTED_THREADS_MIB_MAX } from './attempts/untrusted-threads.js';
export { Environment as ExecutorEnvironment, executorConfig } from './config.js';
export { startSandboxExecutor } from './start.js';
