export { Environment as GatewayEnvironment, gatewayConfig } from './config.js';
export { startGateway } from './start.js';
