import { type LimitSettings, type ModelConnection, resolveLimits } from '@agentclash/attempt-plan';
import type { EvaluationSpec } from '@agentclash/challengepack';
import type { PinnedModelPrice } from '@agentclash/contracts';
import { formatBytes } from '@agentclash/domain';
import { type AgentSnapshot, presetOf } from '../agents/agent-snapshot.js';
import { type PresetNeeds, wireProblem } from '../agents/preset-rules.js';
import { type ModelCatalog, withPrice } from '../models/model-catalog.js';
import type { PackModels, PackModelsReading } from '../models/pack-models.js';
import type { AdmissionProblem, Warning } from '../problems/admission-problem.js';
import { quoted } from './run-admission.js';

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

/** A cap of judges in dollars that cannot be enforced. Only aliases may lack a price: of other models a pack has it. */
function judgePriceProblem(spec: EvaluationSpec, catalog: ModelCatalog): AdmissionProblem | undefined {
  if (spec.scorecard.judge_limits.max_calls_usd <= 0) return undefined;
  const models = spec.llm_judges
    .flatMap((judge) => judge.models)
    .flatMap((name) => catalog.ofPack(name) ?? []);
  const unpriced = models.find((model) => !withPrice(model, spec.pricing).pricing);
  if (unpriced === undefined) return undefined;
  const { provider_key, model } = unpriced;
  return {
    code: 'price_unknown',
    message: `The judges of the pack have a limit in US dollars (judge_limits.max_calls_usd), but ${provider_key} ${model} has no price. ${setPrice(unpriced, catalog)}`,
  };
}

/** A cost limit that cannot be enforced: the first model that has it and no price. */
export function priceProblem(
  agents: readonly AgentSnapshot[],
  { spec, runLimits, catalog }: { spec: EvaluationSpec; runLimits: LimitSettings; catalog: ModelCatalog },
): AdmissionProblem | undefined {
  for (const agent of agents) {
    const limits = resolveLimits({ run: runLimits, profile: agent.profile ?? {}, pack: spec.runtime_limits });
    if (limits.max_cost_usd === null) continue;
    const [unpriced] = unpricedModels(agent, spec.pricing);
    if (unpriced === undefined) continue;
    const { provider_key, model } = unpriced;
    return {
      code: 'price_unknown',
      message: `The deployment "${agent.name}" has a cost limit, but ${provider_key} ${model} has no price. ${setPrice(unpriced, catalog)}`,
    };
  }
  return judgePriceProblem(spec, catalog);
}

/** A budget in dollars that cannot be enforced, with every model that has no price. */
export function budgetPriceProblem(
  agents: readonly AgentSnapshot[],
  { spec, simulators, catalog }: { spec: EvaluationSpec; simulators: PackModels; catalog: ModelCatalog },
): AdmissionProblem | undefined {
  const unpriced = [
    ...agents.flatMap((agent) => unpricedModels(agent, spec.pricing)),
    ...Object.values(simulators).filter((model) => !withPrice(model, spec.pricing).pricing),
  ];
  const [first] = unpriced;
  if (first === undefined) return undefined;
  const names = [...new Set(unpriced.map(({ provider_key, model }) => `${provider_key} ${model}`))];
  const message = `The run has a budget in US dollars (stop_when.budget.usd), but there is no price of ${names.join(', ')}. ${setPrice(first, catalog)}`;
  return { code: 'price_unknown', message };
}

/** The changes that a budget of calls makes to the work of agents, and the calls that it cannot count. */
export function budgetWarnings(agents: readonly AgentSnapshot[]): Warning[] {
  const open = agents.filter(
    (agent) =>
      (agent.kind === 'model' && agent.config.sampling?.max_output_tokens === undefined) ||
      (agent.kind === 'program' && agent.config.models !== undefined),
  );
  const uncounted = agents.filter(({ kind }) => kind === 'endpoint');
  const limit = `The budget reserves every reply before its call: a reply that neither the deployment (sampling.max_output_tokens) nor the request of a program limits has at most 4096 tokens. That concerns ${quoted(open)}.`;
  const outside = `The budget in tokens and US dollars counts no calls of ${quoted(uncounted)}: an endpoint makes its own.`;
  return [
    ...(open.length > 0 ? [{ code: 'budget_limits_replies', message: limit }] : []),
    ...(uncounted.length > 0 ? [{ code: 'budget_excludes_endpoints', message: outside }] : []),
  ];
}

/** One warning for each model without a price, with the lanes whose cost will be unknown. */
export function priceWarnings(
  agents: readonly AgentSnapshot[],
  { spec, packModels, catalog }: { spec: EvaluationSpec; packModels: PackModels; catalog: ModelCatalog },
): Warning[] {
  const users = new Map<string, { model: ModelConnection; of: string[] }>();
  const add = (model: ModelConnection, user: string) => {
    const key = JSON.stringify([model.provider_account_id, model.provider_key, model.model]);
    const known = users.get(key) ?? { model, of: [] };
    if (!known.of.includes(user)) known.of.push(user);
    users.set(key, known);
  };
  for (const agent of agents) {
    for (const model of unpricedModels(agent, spec.pricing)) add(model, `the deployment "${agent.name}"`);
  }
  for (const [name, model] of Object.entries(packModels)) {
    if (!withPrice(model, spec.pricing).pricing) add(model, `the pack's model ${name}`);
  }
  return [...users.values()].map(({ model, of }) => ({
    code: 'price_unknown',
    message: `The price of ${model.provider_key} ${model.model} is unknown, and so is the cost of ${of.join(', ')}. ${setPrice(model, catalog)}`,
  }));
}

/** The prices of all models that an agent calls, as readers of the run see them. */
export function pinnedPrices(agent: AgentSnapshot, pack: EvaluationSpec['pricing']): PinnedModelPrice[] {
  return modelsOf(agent).map((connection) => {
    const { provider_key, model, pricing } = withPrice(connection, pack);
    const [price] = pricing?.models ?? [];
    return {
      provider_key,
      model,
      source: price === undefined ? null : (pricing?.source ?? 'account'),
      ...(pricing?.as_of !== undefined && { as_of: pricing.as_of }),
      price: price ?? null,
    };
  });
}

function unpricedModels(agent: AgentSnapshot, pack: EvaluationSpec['pricing']): ModelConnection[] {
  return modelsOf(agent).filter((model) => !withPrice(model, pack).pricing);
}

function setPrice({ provider_account_id: id = '', model }: ModelConnection, catalog: ModelCatalog): string {
  const account = catalog.accountName(id) ?? 'ACCOUNT';
  const command = `agentclash prices set ${model} --account ${account} --input USD --output USD`;
  return `Set it, in US dollars per million tokens: ${command}`;
}

/** The first coding agent that cannot call its model, or does not fit into its runtime profile. */
export function presetProblem(agents: readonly AgentSnapshot[]): AdmissionProblem | undefined {
  for (const agent of agents) {
    const { definition } = presetOf(agent) ?? {};
    const models = agent.kind === 'program' ? agent.config.models : undefined;
    if (definition === undefined || models === undefined) continue;
    const problem = wireProblem(definition, models.main.provider_key) ?? sizeProblem(definition, agent);
    if (problem === undefined) continue;
    const message = `The agent ${definition.name} of the deployment "${agent.name}" ${problem}`;
    return { code: 'incompatible_deployment', message };
  }
  return undefined;
}

const NEEDED = [
  ['memory_bytes', (bytes: number) => `${formatBytes(bytes)} of memory`],
  ['pids', (count: number) => `${count} processes`],
] as const;

/** The values of a runtime profile that are below the need of a coding agent. */
function sizeProblem(
  { resources = {} }: PresetNeeds,
  { profile, profile_name = '' }: AgentSnapshot,
): string | undefined {
  for (const [member, text] of NEEDED) {
    const [needed, set] = [resources[member], profile?.sandbox?.[member]];
    if (needed === undefined || set === undefined || set >= needed) continue;
    return `needs ${text(needed)}, and its runtime profile "${profile_name}" allows ${text(set)}: set sandbox.${member} of the profile to ${needed} or more, or leave it out.`;
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
