export { Environment as VaultEnvironment, vaultConfig } from './config.js';
export { startSecretsVault } from './start.js';
