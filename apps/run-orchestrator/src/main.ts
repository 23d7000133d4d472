import { runService } from '@agentclash/service-kit';
import { orchestratorConfig } from './config.js';
import { startRunOrchestrator } from './start.js';

await runService(() => startRunOrchestrator(orchestratorConfig(process.env)));
