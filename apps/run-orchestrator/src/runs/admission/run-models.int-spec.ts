import type { AttemptPlan } from '@agentclash/attempt-plan';
import {
  type DeploymentSpec,
  deployments,
  evidence,
  type In,
  modelAliases,
  prices,
  providerAccounts,
  runs,
  tools,
} from '@agentclash/contracts';
import { publish, wordPack } from '@agentclash/run-rules/testing/published-pack';
import { newId } from '@agentclash/service-kit';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { claim } from '../../testing/executor.js';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';

const fixture = await openOrchestrator();
const { fakes, workspaceId: workspace_id } = fixture;
const actor = 'tests';

const RATE = { input_cost_per_million_tokens: 1, output_cost_per_million_tokens: 2 };
const row = (provider_key: string, provider_model_id: string) => ({
  provider_key,
  provider_model_id,
  ...RATE,
});

type AccountSpec = In<typeof providerAccounts.create>['spec'];

async function account(spec: AccountSpec) {
  return await fixture.bus.call(providerAccounts.create, { workspace_id, spec, actor });
}
async function deploy(spec: DeploymentSpec) {
  return await fixture.bus.call(deployments.create, { workspace_id, spec, actor });
}
async function planOf(run_id: string, agent: string): Promise<Partial<AttemptPlan>> {
  const attempt = (await fixture.attempts(run_id)).find(({ agent_name }) => agent_name === agent);
  const reply = await claim(fixture.bus, attempt?.id ?? '', 'e');
  if (!reply.claimed) throw new Error(reply.reason);
  return reply.plan;
}

/** All that a run may open, whichever of its parts. */
function grantedTo(run: string): string[] {
  const found = fakes.granted.filter(({ run_id }) => run_id === run);
  const keys = found.flatMap(({ keys, judges = [], agents = [] }) => [
    ...keys,
    ...judges,
    ...agents.flatMap((agent) => agent.keys),
  ]);
  return [...new Set(keys)].sort();
}

const CONVERSATION = (phases: string) => `
pack: {slug: talk-${newId()}, name: Talk, family: talk}
version:
  number: 1
  execution_mode: multi_turn
  evaluation_spec:
    name: talk
    version_number: 1
    judge_mode: deterministic
    validators: [{key: contained, type: contains, target: final_output, expected_from: 'literal:x'}]
    scorecard: {dimensions: [correctness], pass_threshold: 1}
challenges: [{key: c, title: Talk, category: talk, difficulty: easy, instructions: Talk.}]
input_sets:
  - key: all
    name: All
    cases:
      - challenge_key: c
        case_key: one
        user_simulator: {schema_version: 1, kind: hybrid, phases: ${phases}}
`;
const LLM = '[{id: p, actor: llm, persona: A user, max_turns: 2}]';
const NAMED = '[{id: p, actor: llm, persona: A user, max_turns: 2, model: gpt-5}]';

const JUDGED = wordPack(1, { slug: 'judged' })
  .replace('judge_mode: deterministic', 'judge_mode: hybrid')
  .replace(
    '    scorecard:',
    '    llm_judges: [{key: tone, mode: rubric, rubric: Kind?, models: [alias:judge, claude-sonnet-4-5], consensus: {aggregation: mean}}]\n    scorecard:',
  );

describe('models in a run', () => {
  let openai: Awaited<ReturnType<typeof account>>;
  let model: Awaited<ReturnType<typeof deploy>>;
  const words = fakes.add(publish(wordPack(1)));

  beforeAll(async () => {
    for (const key of ['OPENAI', 'LOCAL']) fakes.secrets.add(key);
    openai = await account({
      name: 'openai',
      provider_key: 'openai',
      credential_reference: 'workspace-secret://OPENAI',
      pricing: { models: [row('openai', 'gpt-5')] },
    });
    model = await deploy({
      name: 'model',
      kind: 'model',
      config: {
        provider_account_id: openai.id,
        model: 'gpt-5',
        policy_spec: { role: 'A clerk.' },
        tool_overrides: { denied: ['exec'] },
      },
    });
  });

  /** Sets the prices of the account openai. */
  const setPrices = async (models: ReturnType<typeof row>[]) =>
    await fixture.bus.call(providerAccounts.update, {
      workspace_id,
      provider_account_id: openai.id,
      actor,
      spec: {
        name: 'openai',
        provider_key: 'openai',
        credential_reference: 'workspace-secret://OPENAI',
        pricing: { models },
      },
    });

  test('models are pinned whole: account, reference, price, tools; and may open exactly their credential', async () => {
    const leaf = await fixture.bus.call(tools.create, {
      workspace_id,
      actor,
      spec: {
        name: 'leaf',
        tool_kind: 'primitive',
        lifecycle_status: 'active',
        definition: { implementation: { mode: 'delegate', primitive: 'read_file', args: { path: 'a' } } },
      },
    });
    const top = await fixture.bus.call(tools.create, {
      workspace_id,
      actor,
      spec: {
        name: 'top',
        tool_kind: 'composed',
        lifecycle_status: 'active',
        definition: { steps: [{ id: 's', ref: { type: 'tool', name: 'leaf' }, inputs: {} }] },
      },
    });
    const config = { provider_account_id: openai.id, model: 'gpt-5', tools: [top.id] };
    const pinned = await deploy({ name: 'pinned', kind: 'model', config });
    const run = await fixture.createRun(words.version.id, [pinned], { race_context: true });
    expect(run).toMatchObject({ race_context: true, race_context_min_step_gap: 3 });
    expect(grantedTo(run.id)).toEqual(['OPENAI']);

    await fixture.bus.call(providerAccounts.update, {
      workspace_id,
      provider_account_id: openai.id,
      actor,
      spec: { name: 'openai', provider_key: 'openai', credential_reference: 'workspace-secret://OTHER' },
    });
    await fixture.bus.call(tools.update, {
      workspace_id,
      tool_id: leaf.id,
      actor,
      spec: {
        name: 'leaf',
        tool_kind: 'primitive',
        lifecycle_status: 'disabled',
        definition: leaf.definition,
      },
    });
    const plan = await planOf(run.id, 'pinned');
    expect(plan.agent).toEqual({
      kind: 'model',
      config: {
        provider_account_id: openai.id,
        provider_key: 'openai',
        model: 'gpt-5',
        credential_reference: 'workspace-secret://OPENAI',
        pricing: { models: [row('openai', 'gpt-5')], source: 'account' },
      },
    });
    expect(plan.tools?.workspace).toMatchObject([
      { name: 'top', attached: true, lifecycle_status: 'active' },
      { name: 'leaf', attached: false, lifecycle_status: 'active' },
    ]);
    expect(plan.race_context).toEqual({ min_step_gap: 3 });
    await setPrices([row('openai', 'gpt-5')]);
  });

  test('models behind an alias are resolved, and tools that their deployment denies are denied', async () => {
    const { id: model_alias_id } = await fixture.bus.call(modelAliases.create, {
      workspace_id,
      actor,
      spec: { name: 'fast', provider_account_id: openai.id, model: 'gpt-5-mini' },
    });
    const aliased = await deploy({ name: 'aliased', kind: 'model', config: { model_alias: 'fast' } });
    const run = await fixture.createRun(words.version.id, [aliased, model]);
    await fixture.bus.call(modelAliases.update, {
      workspace_id,
      model_alias_id,
      actor,
      spec: { name: 'fast', provider_account_id: openai.id, model: 'another' },
    });
    const plan = await planOf(run.id, 'aliased');
    expect(plan.agent).toMatchObject({ kind: 'model', config: { model: 'gpt-5-mini' } });
    expect(plan).not.toHaveProperty('race_context');
    expect((await planOf(run.id, 'model')).narrowing?.denied_tools).toEqual(['exec']);
  });

  test('models without a price refuse a cost limit', async () => {
    const config = { provider_account_id: openai.id, model: 'unheard-of' };
    const unpriced = await deploy({ name: 'unpriced', kind: 'model', config });
    const limits = { max_cost_usd: 1 };
    await expect(fixture.createRun(words.version.id, [model, unpriced], { limits })).rejects.toMatchObject({
      code: 'price_unknown',
      message: expect.stringContaining('unpriced'),
    });
    await fixture.createRun(words.version.id, [model], { limits });
  });

  test('a run keeps the prices with which it was created, whatever its account is set to later', async () => {
    const run = await fixture.createRun(words.version.id, [model]);
    await setPrices([{ ...row('openai', 'gpt-5'), output_cost_per_million_tokens: 99 }]);
    const lanes = await fixture.bus.call(runs.agents, { workspace_id, run_id: run.id });
    expect(lanes.items.map(({ prices }) => prices)).toEqual([
      [{ provider_key: 'openai', model: 'gpt-5', source: 'account', price: row('openai', 'gpt-5') }],
    ]);
    expect((await planOf(run.id, 'model')).agent).toMatchObject({
      config: { pricing: { models: [row('openai', 'gpt-5')], source: 'account' } },
    });
    await setPrices([]);
    const listed = await fixture.createRun(words.version.id, [model]);
    expect(listed.warnings).toEqual([]);
    expect((await planOf(listed.id, 'model')).agent).toMatchObject({
      config: { pricing: { models: [{ provider_model_id: 'gpt-5' }], source: 'list' } },
    });
    await setPrices([row('openai', 'gpt-5')]);
  });

  test('the prices of a workspace are shown as runs created now would pin them', async () => {
    const own = { id: openai.id, name: 'openai' };
    const shown = await fixture.bus.call(prices.list, { workspace_id, model: 'gpt-5' });
    expect(shown.items).toContainEqual({
      ...{ provider_key: 'openai', model: 'gpt-5', account: own, source: 'account' },
      price: row('openai', 'gpt-5'),
    });
    const { items, lists } = await fixture.bus.call(prices.list, { workspace_id, provider: 'openai' });
    expect(items.map(({ source }) => source)).toEqual(expect.arrayContaining(['account', 'list']));
    expect(lists).toMatchObject([{ provider_key: 'openai', as_of: expect.any(String) }]);
  });

  test('models whose credential is no secret of the workspace are refused', async () => {
    const { id } = await account({
      name: 'unset',
      provider_key: 'xai',
      credential_reference: 'workspace-secret://UNSET',
    });
    const config = { provider_account_id: id, model: 'grok-4' };
    const keyless = await deploy({ name: 'keyless', kind: 'model', config });
    await expect(fixture.createRun(words.version.id, [keyless])).rejects.toMatchObject({
      code: 'missing_secret',
      details: { keys: ['UNSET'] },
    });
  });

  test('models of judges need accounts, which scoring receives', async () => {
    const pack = fakes.add(publish(JUDGED));
    const scripted = await fixture.scripted('judged one');
    await expect(fixture.createRun(pack.version.id, [scripted])).rejects.toMatchObject({
      code: 'provider_account_required',
      message: expect.stringContaining('alias:judge, claude-sonnet-4-5'),
    });
    const { id } = await account({
      name: 'anthropic',
      provider_key: 'anthropic',
      credential_reference: 'workspace-secret://LOCAL',
    });
    const judge = { name: 'judge', provider_account_id: openai.id, model: 'gpt-5' };
    await fixture.bus.call(modelAliases.create, { workspace_id, actor, spec: judge });
    const run = await fixture.createRun(pack.version.id, [scripted]);
    expect(grantedTo(run.id)).toEqual(['LOCAL', 'OPENAI']);
    await fixture.bus.call(runs.cancel, {
      workspace_id,
      run_id: run.id,
      actor,
    });
    const [attempt] = await fixture.attempts(run.id);
    const { items } = await fixture.bus.call(evidence.get, {
      workspace_id,
      attempt_ids: [attempt?.id ?? ''],
    });
    expect(items[0]?.pack_models).toMatchObject({
      'alias:judge': { provider_account_id: openai.id, model: 'gpt-5' },
      'claude-sonnet-4-5': { provider_account_id: id, provider_key: 'anthropic' },
    });
  });

  test('users are simulated by the named model, else by that of the workspace, else by that of each deployment', async () => {
    const open = fakes.add(publish(CONVERSATION(LLM)));
    const named = fakes.add(publish(CONVERSATION(NAMED)));
    const simulatorOf = async (run_id: string) => {
      const [phase] = (await planOf(run_id, 'model')).conversation?.phases ?? [];
      return phase?.actor === 'llm' ? phase.simulator : undefined;
    };
    const own = await fixture.createRun(open.version.id, [model]);
    expect(own.warnings).toMatchObject([{ code: 'simulator_differs' }]);
    const simulator = await simulatorOf(own.id);
    expect(simulator).toMatchObject({ model: 'gpt-5', provider_account_id: openai.id });
    expect(simulator).not.toHaveProperty('policy_spec');

    const scripted = await fixture.scripted('talker');
    await expect(fixture.createRun(open.version.id, [model, scripted])).rejects.toMatchObject({
      code: 'provider_account_required',
      message: expect.stringContaining('talker'),
    });
    const spec = { name: 'simulator', provider_account_id: openai.id, model: 'user-model' };
    await fixture.bus.call(modelAliases.create, { workspace_id, actor, spec });
    const shared = await fixture.createRun(open.version.id, [model, scripted]);
    expect(shared.warnings).toMatchObject([{ code: 'price_unknown' }]);
    expect(await simulatorOf(shared.id)).toMatchObject({ model: 'user-model' });
    const received = await fixture.createRun(named.version.id, [model]);
    expect(await simulatorOf(received.id)).toMatchObject({ model: 'gpt-5' });
  });
});
