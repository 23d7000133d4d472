import { runService } from '@agentclash/service-kit';
import { executorConfig } from './config.js';
import { startSandboxExecutor } from './start.js';

await runService(() => startSandboxExecutor(executorConfig(process.env)));
