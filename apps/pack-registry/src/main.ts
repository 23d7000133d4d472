import { runService } from '@agentclash/service-kit';
import { registryConfig } from './config.js';
import { startPackRegistry } from './start.js';

await runService(() => startPackRegistry(registryConfig(process.env)));
