import { deployment } from './deployment.js';
import { gatePolicy } from './gate-policy.js';
import type { ResourceKind } from './kind.js';
import type { KindName } from './kind-names.js';
import { modelAlias } from './model-alias.js';
import { providerAccount } from './provider-account.js';
import { runtimeProfile } from './runtime-profile.js';
import { tool } from './tool.js';

export const KINDS: Readonly<Record<KindName, ResourceKind>> = {
  provider_account: providerAccount,
  model_alias: modelAlias,
  runtime_profile: runtimeProfile,
  tool,
  gate_policy: gatePolicy,
  deployment,
};
