import { artifactRoutes, storageRoutes } from './routes/artifacts.js';
import { attemptRoutes, runAgentRoutes } from './routes/attempts.js';
import {
  deploymentRoutes,
  modelAliasRoutes,
  profileRoutes,
  providerAccountRoutes,
  toolRoutes,
} from './routes/catalogue.js';
import { baselineRoutes, comparisonRoutes } from './routes/comparisons.js';
import { gatePolicyRoutes, gateRoutes } from './routes/gates.js';
import { packRoutes, versionRoutes } from './routes/packs.js';
import { runRoutes } from './routes/runs.js';
import { secretRoutes, vaultKeyRoutes } from './routes/secrets.js';
import { serviceRoutes } from './routes/service.js';
import { sessionRoutes } from './routes/sessions.js';
import { tokenRoutes } from './routes/tokens.js';
import { workspaceRoutes } from './routes/workspaces.js';

/** The whole HTTP API, by resource. */
export const routes = {
  service: serviceRoutes,
  workspaces: workspaceRoutes,
  tokens: tokenRoutes,
  sessions: sessionRoutes,
  packs: packRoutes,
  versions: versionRoutes,
  secrets: secretRoutes,
  vaultKeys: vaultKeyRoutes,
  storage: storageRoutes,
  providerAccounts: providerAccountRoutes,
  modelAliases: modelAliasRoutes,
  profiles: profileRoutes,
  tools: toolRoutes,
  deployments: deploymentRoutes,
  artifacts: artifactRoutes,
  runs: runRoutes,
  runAgents: runAgentRoutes,
  attempts: attemptRoutes,
  comparisons: comparisonRoutes,
  baselines: baselineRoutes,
  gatePolicies: gatePolicyRoutes,
  gates: gateRoutes,
};
