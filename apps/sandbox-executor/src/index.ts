export { WORKERS_MIB_MAX } from '@agentclash/engine';
export { Environment as ExecutorEnvironment, executorConfig } from './config.js';
export { UNTRUSTED_THREADS_MIB_MAX } from './machine/untrusted-threads.js';
export { startSandboxExecutor } from './start.js';
