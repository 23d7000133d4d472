export { registryConfig } from './config.js';
export { startPackRegistry } from './start.js';
