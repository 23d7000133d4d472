import type { PlannedPreset, ProgramModel } from '@agentclash/attempt-plan';
import { readEvaluationSpec } from '@agentclash/challengepack';
import { describe, expect, test } from '@jest/globals';
import type { AgentSnapshot } from '../agents/agent-snapshot.js';
import { ModelCatalog } from '../models/model-catalog.js';
import { publish, wordPack } from '../testing/published-pack.js';
import {
  budgetPriceProblem,
  budgetWarnings,
  credentialReferences,
  presetProblem,
  priceProblem,
  priceWarnings,
} from './run-models.js';

type Wires = PlannedPreset['definition']['wires'];

function program(
  models: { main: ProgramModel; small?: ProgramModel },
  wires?: Wires,
  resources: object = {},
): AgentSnapshot {
  const definition = { name: 'coder', wires, resources } as PlannedPreset['definition'];
  return {
    deployment_id: 'd',
    revision: 1,
    name: 'mine',
    profile: null,
    kind: 'program',
    config: { command: [], models, ...(wires && { preset: { definition } }) },
  };
}

const model = (provider_key: string, more: Partial<ProgramModel> = {}): ProgramModel => ({
  alias: 'main',
  provider_key,
  model: 'm-1',
  ...more,
});

const at = new Date(0).toISOString();
const catalog = new ModelCatalog(
  [{ id: 'a-1', name: 'work', provider_key: 'openai', created_at: at, updated_at: at }],
  [],
);
const spec = readEvaluationSpec(publish(wordPack(1)).manifest.evaluation_spec);

const PRICE = {
  provider_key: 'openai',
  provider_model_id: 'm-1',
  input_cost_per_million_tokens: 1,
  output_cost_per_million_tokens: 2,
};

describe('A program that calls models', () => {
  test('a program is refused when its preset has no API that the provider of its model serves', () => {
    expect(presetProblem([program({ main: model('openai') }, ['anthropic', 'google'])])).toMatchObject({
      code: 'incompatible_deployment',
      message: expect.stringMatching(/coder.*"mine".*anthropic or google.*openai/s),
    });
    expect(presetProblem([program({ main: model('unheard-of') }, ['chat'])])).toBeDefined();
  });

  test('a program is accepted when one of the APIs is served, and without a preset', () => {
    expect(presetProblem([program({ main: model('openai') }, ['anthropic', 'responses'])])).toBeUndefined();
    expect(presetProblem([program({ main: model('gemini') }, ['google'])])).toBeUndefined();
    expect(presetProblem([program({ main: model('openai') })])).toBeUndefined();
  });

  test.each([
    ['memory', 'memory_bytes', 3_221_225_472, 1_073_741_824, '3.0 GiB of memory', '1.0 GiB of memory'],
    ['processes', 'pids', 128, 64, '128 processes', '64 processes'],
  ])(
    'a program is refused when its profile sets less %s than its preset needs',
    (_noun, member, needed, set, neededText, setText) => {
      const agent = program({ main: model('openai') }, ['chat'], { [member]: needed });
      const small = { ...agent, profile: { sandbox: { [member]: set } }, profile_name: 'tight' };
      const problem = presetProblem([small]);
      expect(problem?.code).toBe('incompatible_deployment');
      expect(problem?.message).toContain(
        `needs ${neededText}, and its runtime profile "tight" allows ${setText}`,
      );
      expect(problem?.message).toContain(`set sandbox.${member} of the profile to ${needed} or more`);
      expect(presetProblem([{ ...small, profile: { sandbox: { [member]: needed } } }])).toBeUndefined();
      expect(presetProblem([{ ...small, profile: { sandbox: { cpu: 1 } } }])).toBeUndefined();
    },
  );

  test('a program needs a price for each of its models under a cost limit', () => {
    const priced = model('openai', { pricing: { models: [PRICE] } });
    const limits = { spec, runLimits: { max_cost_usd: 1 }, catalog };
    expect(priceProblem([program({ main: priced })], limits)).toBeUndefined();
    const small = model('openai', { alias: 'small', model: 'm-2' });
    expect(priceProblem([program({ main: priced, small })], limits)).toMatchObject({
      code: 'price_unknown',
      message: expect.stringContaining('openai m-2'),
    });
    expect(priceProblem([program({ main: priced, small })], { ...limits, runLimits: {} })).toBeUndefined();
  });

  test('a limit of judges in dollars needs the price of the model behind each alias', () => {
    const alias = {
      id: 'l-1',
      name: 'j',
      provider_account_id: 'a-1',
      model: 'm-2',
      created_at: at,
      updated_at: at,
    };
    const account = {
      id: 'a-1',
      name: 'work',
      provider_key: 'openai' as const,
      created_at: at,
      updated_at: at,
    };
    const judged = (max_calls_usd: number): typeof spec => ({
      ...spec,
      llm_judges: [{ models: ['alias:j'] }] as typeof spec.llm_judges,
      scorecard: { ...spec.scorecard, judge_limits: { ...spec.scorecard.judge_limits, max_calls_usd } },
    });
    const problemOf = (max_calls_usd: number, pricing = {}) =>
      priceProblem([], {
        spec: judged(max_calls_usd),
        runLimits: {},
        catalog: new ModelCatalog([{ ...account, ...pricing }], [alias]),
      });
    expect(problemOf(1)).toMatchObject({
      code: 'price_unknown',
      message: expect.stringMatching(/max_calls_usd.*openai m-2 .*prices set m-2 --account work/),
    });
    expect(problemOf(0)).toBeUndefined();
    const priced = { pricing: { models: [{ ...PRICE, provider_model_id: 'm-2' }] } };
    expect(problemOf(1, priced)).toBeUndefined();
  });

  test('a model without a price is one warning that names its lanes, its provider and the command that sets its price', () => {
    const priced = model('openai', { pricing: { models: [PRICE] } });
    const unpriced = model('openai', { alias: 'small', model: 'm-2', provider_account_id: 'a-1' });
    const lanes = ['one', 'two'].map((name) => ({ ...program({ main: priced, small: unpriced }), name }));
    const packModels = { 'gpt-judge': { ...unpriced, alias: undefined }, 'alias:j': priced };
    expect(priceWarnings(lanes, { spec, packModels, catalog })).toEqual([
      {
        code: 'price_unknown',
        message:
          'The price of openai m-2 is unknown, and so is the cost of the deployment "one", the deployment "two", the pack\'s model gpt-judge. Set it, in US dollars per million tokens: agentclash prices set m-2 --account work --input USD --output USD',
      },
    ]);
  });

  test('no warning names a model that the account, the list or the pack prices', () => {
    const pricing = { models: [{ ...PRICE, provider_model_id: 'm-2' }] };
    const lanes = [program({ main: model('openai', { model: 'm-2' }) })];
    const packModels = { judge: model('openai', { pricing: { models: [PRICE], source: 'list' } }) };
    expect(priceWarnings(lanes, { spec: { ...spec, pricing }, packModels, catalog })).toEqual([]);
  });

  test('a budget in dollars needs a price for each model that is called, and the refusal names those without', () => {
    const priced = model('openai', { pricing: { models: [PRICE] } });
    const unpriced = (name: string) => model('openai', { model: name, provider_account_id: 'a-1' });
    const admitted = { spec, simulators: {}, catalog };
    expect(budgetPriceProblem([program({ main: priced })], admitted)).toBeUndefined();
    const agents = [program({ main: priced, small: { ...unpriced('m-2'), alias: 'small' } })];
    const simulators = { 'alias:simulator': unpriced('m-3') };
    expect(budgetPriceProblem(agents, { ...admitted, simulators })).toEqual({
      code: 'price_unknown',
      message:
        'The run has a budget in US dollars (stop_when.budget.usd), but there is no price of openai m-2, openai m-3. Set it, in US dollars per million tokens: agentclash prices set m-2 --account work --input USD --output USD',
    });
  });

  test('a budget of calls warns of replies that it limits, and of endpoints that it cannot count', () => {
    const named = (name: string, agent: object) => ({
      ...program({ main: model('openai') }),
      ...agent,
      name,
    });
    const config = (more: object) => ({
      kind: 'model',
      config: { provider_key: 'openai', model: 'm', ...more },
    });
    const warnings = budgetWarnings([
      named('coder', {}),
      named('open', config({})),
      named('limited', config({ sampling: { max_output_tokens: 9 } })),
      named('remote', { kind: 'endpoint' }),
    ] as AgentSnapshot[]);
    expect(warnings.map(({ code, message }) => [code, message])).toEqual([
      ['budget_limits_replies', expect.stringContaining('That concerns "coder" and "open".')],
      ['budget_excludes_endpoints', expect.stringContaining('counts no calls of "remote"')],
    ]);
    expect(
      budgetWarnings([named('limited', config({ sampling: { max_output_tokens: 9 } }))] as AgentSnapshot[]),
    ).toEqual([]);
  });

  test('a program names the credentials of all its models', () => {
    const main = model('openai', { credential_reference: 'workspace-secret://B' });
    const small = model('openai', { credential_reference: 'workspace-secret://A' });
    expect(credentialReferences([program({ main, small })], {})).toEqual([
      'workspace-secret://A',
      'workspace-secret://B',
    ]);
  });
});
