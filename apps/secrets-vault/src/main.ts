import { runService } from '@agentclash/service-kit';
import { vaultConfig } from './config.js';
import { startSecretsVault } from './start.js';

await runService(() => startSecretsVault(vaultConfig(process.env)));
