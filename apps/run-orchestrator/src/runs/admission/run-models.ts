import { type LimitSettings, type ModelConnection, resolveLimits } from '@agentclash/attempt-plan';
import type { EvaluationSpec } from '@agentclash/challengepack';
import type { AgentSnapshot } from '../plans/agent-snapshot.js';
import { withPrice } from '../plans/model-catalog.js';
import type { PackModelsReading } from '../plans/pack-models.js';
import type { AdmissionProblem, Warning } from '../state/admission-problem.js';

/** Models that a pack names, or leaves to the deployment, and that cannot be called. */
export function packModelsProblem(
  { unknown, usesDeployment }: PackModelsReading,
  agents: readonly AgentSnapshot[],
): AdmissionProblem | undefined {
  if (unknown.length > 0) {
    return {
      code: 'provider_account_required',
      message: `The pack names models that the workspace has no provider account for: ${unknown.join(', ')}. Create an account of their provider (one of several is named "default"), or the model alias.`,
    };
  }
  const without = usesDeployment ? agents.find(({ kind }) => kind !== 'model') : undefined;
  return (
    without && {
      code: 'provider_account_required',
      message: `No model simulates the user for the deployment "${without.name}", which is no model: create the model alias "simulator".`,
    }
  );
}

export function simulatorWarnings({ usesDeployment }: PackModelsReading): Warning[] {
  if (!usesDeployment) return [];
  const message =
    'Each model plays its own user, as neither the pack nor a model alias "simulator" names one: the users differ.';
  return [{ code: 'simulator_differs', message }];
}

/** A cost limit that cannot be enforced: the first model that has it and no price. */
export function priceProblem(
  agents: readonly AgentSnapshot[],
  { spec, runLimits }: { spec: EvaluationSpec; runLimits: LimitSettings },
): AdmissionProblem | undefined {
  const unpriced = agents.find((agent) => {
    if (agent.kind !== 'model') return false;
    const limits = resolveLimits({ run: runLimits, profile: agent.profile ?? {}, pack: spec.runtime_limits });
    return limits.max_cost_usd !== null && !withPrice(agent.config, spec.pricing).pricing;
  });
  if (unpriced?.kind !== 'model') return undefined;
  const { provider_key, model } = unpriced.config;
  return {
    code: 'price_unknown',
    message: `The deployment "${unpriced.name}" has a cost limit, but ${provider_key} ${model} has no price: add one to the pack's or the account's pricing.`,
  };
}

/** Every credential that calls of the run need, as references. */
export function credentialReferences(
  agents: readonly AgentSnapshot[],
  packModels: Record<string, ModelConnection>,
): string[] {
  const ofAgents = agents.flatMap((agent) =>
    agent.kind === 'model' || agent.kind === 'endpoint' ? (agent.config.credential_reference ?? []) : [],
  );
  const ofPack = Object.values(packModels).flatMap(({ credential_reference }) => credential_reference ?? []);
  return [...new Set([...ofAgents, ...ofPack])].sort();
}
