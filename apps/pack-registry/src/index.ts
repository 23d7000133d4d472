export { Environment as RegistryEnvironment, registryConfig } from './config.js';
export { READING_MIB_MAX } from './reading/pack-reader.js';
export { startPackRegistry } from './start.js';
