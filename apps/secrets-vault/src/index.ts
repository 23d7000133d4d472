export { vaultConfig } from './config.js';
export { startSecretsVault } from './start.js';
