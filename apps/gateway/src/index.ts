export { Environment as GatewayEnvironment, gatewayConfig } from './config.js';
export { type RunningGateway, startGateway } from './start.js';
