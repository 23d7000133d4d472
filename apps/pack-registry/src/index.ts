export { Environment as RegistryEnvironment, registryConfig } from './config.js';
export { startPackRegistry } from './start.js';
