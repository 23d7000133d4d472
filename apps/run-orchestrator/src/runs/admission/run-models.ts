import { type LimitSettings, type ModelConnection, resolveLimits } from '@agentclash/attempt-plan';
import type { EvaluationSpec } from '@agentclash/challengepack';
import { providerKeyOf, WIRES_OF_PROVIDER, type WireKey } from '@agentclash/domain';
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
  for (const agent of agents) {
    const limits = resolveLimits({ run: runLimits, profile: agent.profile ?? {}, pack: spec.runtime_limits });
    if (limits.max_cost_usd === null) continue;
    const unpriced = modelsOf(agent).find((model) => !withPrice(model, spec.pricing).pricing);
    if (unpriced === undefined) continue;
    const { provider_key, model } = unpriced;
    return {
      code: 'price_unknown',
      message: `The deployment "${agent.name}" has a cost limit, but ${provider_key} ${model} has no price: add one to the pack's or the account's pricing.`,
    };
  }
  return undefined;
}

/** The first program whose preset has no API of its model's provider. */
export function presetProblem(agents: readonly AgentSnapshot[]): AdmissionProblem | undefined {
  for (const agent of agents) {
    if (agent.kind !== 'program' || !agent.config.preset || !agent.config.models) continue;
    const { definition } = agent.config.preset;
    const { provider_key: key } = agent.config.models.main;
    const provider = providerKeyOf(key);
    const served: readonly WireKey[] = provider === undefined ? [] : WIRES_OF_PROVIDER[provider];
    if (definition.wires.some((wire) => served.includes(wire))) continue;
    return {
      code: 'incompatible_deployment',
      message: `The agent ${definition.name} of the deployment "${agent.name}" uses ${definition.wires.join(' or ')}, which the provider ${key} of its model does not serve: name a model alias of another provider.`,
    };
  }
  return undefined;
}

/** The models that an agent calls. */
export function modelsOf(agent: AgentSnapshot): ModelConnection[] {
  if (agent.kind === 'model') return [agent.config];
  const models = agent.kind === 'program' ? agent.config.models : undefined;
  return models === undefined ? [] : [models.main, ...(models.small ? [models.small] : [])];
}

/** Every credential that calls of the run need, as references. */
export function credentialReferences(
  agents: readonly AgentSnapshot[],
  packModels: Record<string, ModelConnection>,
): string[] {
  const ofAgents = agents.flatMap((agent) =>
    (agent.kind === 'endpoint' ? [agent.config] : modelsOf(agent)).flatMap(
      ({ credential_reference }) => credential_reference ?? [],
    ),
  );
  const ofPack = Object.values(packModels).flatMap(({ credential_reference }) => credential_reference ?? []);
  return [...new Set([...ofAgents, ...ofPack])].sort();
}
