import { runService } from '@agentclash/service-kit';
import { gatewayConfig } from './config.js';
import { startGateway } from './start.js';

await runService(() => startGateway(gatewayConfig(process.env)));
