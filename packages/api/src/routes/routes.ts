import { artifactRoutes, storageRoutes } from './artifacts.js';
import { attemptRoutes, runAgentRoutes } from './attempts.js';
import { auditPolicyRoutes, auditRoutes } from './audits.js';
import {
  deploymentRoutes,
  modelAliasRoutes,
  priceRoutes,
  profileRoutes,
  providerAccountRoutes,
  toolRoutes,
} from './catalogue.js';
import { baselineRoutes, comparisonRoutes } from './comparisons.js';
import { gatePolicyRoutes, gateRoutes } from './gates.js';
import { packRoutes, versionRoutes } from './packs.js';
import { reviewRoutes } from './reviews.js';
import { evalPlanRoutes, runRoutes } from './runs.js';
import { secretRoutes, vaultKeyRoutes } from './secrets.js';
import { serviceRoutes } from './service.js';
import { sessionRoutes } from './sessions.js';
import { shareRoutes } from './shares.js';
import { tokenRoutes } from './tokens.js';
import { webhookRoutes } from './webhooks.js';
import { workspaceRoutes } from './workspaces.js';

/** The whole HTTP API, by resource. */
export const routes = {
  service: serviceRoutes,
  workspaces: workspaceRoutes,
  tokens: tokenRoutes,
  sessions: sessionRoutes,
  packs: packRoutes,
  versions: versionRoutes,
  audits: auditRoutes,
  auditPolicy: auditPolicyRoutes,
  secrets: secretRoutes,
  vaultKeys: vaultKeyRoutes,
  storage: storageRoutes,
  providerAccounts: providerAccountRoutes,
  modelAliases: modelAliasRoutes,
  prices: priceRoutes,
  profiles: profileRoutes,
  tools: toolRoutes,
  deployments: deploymentRoutes,
  artifacts: artifactRoutes,
  runs: runRoutes,
  shares: shareRoutes,
  evalPlans: evalPlanRoutes,
  runAgents: runAgentRoutes,
  attempts: attemptRoutes,
  comparisons: comparisonRoutes,
  baselines: baselineRoutes,
  gatePolicies: gatePolicyRoutes,
  gates: gateRoutes,
  reviews: reviewRoutes,
  webhooks: webhookRoutes,
};
