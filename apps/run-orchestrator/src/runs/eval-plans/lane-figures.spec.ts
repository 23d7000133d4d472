import type { ProgramModel } from '@agentclash/attempt-plan';
import { readEvaluationSpec } from '@agentclash/challengepack';
import type { AgentSnapshot } from '@agentclash/run-rules';
import { publish, wordPack } from '@agentclash/run-rules/testing/published-pack';
import { describe, expect, test } from '@jest/globals';
import { resultOf } from '../../testing/executor.js';
import type { EndedDelivery } from '../store/attempts/attempt-reads.store.js';
import { laneFigures } from './lane-figures.js';

const { pricing } = readEvaluationSpec(publish(wordPack(1)).manifest.evaluation_spec);
const PRICE = {
  provider_key: 'openai',
  provider_model_id: 'm-1',
  input_cost_per_million_tokens: 1,
  output_cost_per_million_tokens: 10,
};
const model: ProgramModel = { alias: 'main', provider_key: 'openai', model: 'm-1' };
const priced = { ...pricing, models: [PRICE] };

const of = { deployment_id: 'd', revision: 1, name: 'mine', profile: null };
const scripted: AgentSnapshot = { ...of, kind: 'scripted', config: { steps: [] } };
const program = (
  models?: { main: ProgramModel; small?: ProgramModel },
  model_hosts: string[] = [],
): AgentSnapshot => ({
  ...of,
  kind: 'program',
  config: { command: [], model_hosts, ...(models && { models }) },
});

function delivery(attemptId: string, seconds: number, result: Partial<ReturnType<typeof resultOf>> = {}) {
  const startedAt = new Date('2026-01-01T00:00:00Z');
  const finishedAt = new Date(startedAt.getTime() + seconds * 1_000);
  return { attemptId, startedAt, finishedAt, result: resultOf(result) } satisfies EndedDelivery;
}

const tokens = { usage: { input: 1_000_000, output: 100_000 }, model_call_count: 1 };

describe('the figures of a lane', () => {
  test('the cost and time of an attempt include its repeated deliveries', () => {
    const deliveries = [
      delivery('one', 2, { cost_usd: 0.5 }),
      delivery('one', 4, { cost_usd: 0.25 }),
      delivery('two', 6, { cost_usd: 0.25 }),
    ];
    expect(laneFigures(deliveries, program({ main: model }), pricing)).toEqual({
      cost_usd: 0.5,
      duration_ms: 6_000,
      unknown_cost: null,
      attempts: 2,
    });
  });

  test('a lane without an earlier run has no figures', () => {
    expect(laneFigures([], scripted, pricing)).toEqual({
      cost_usd: null,
      duration_ms: null,
      unknown_cost: 'no_earlier_run',
      attempts: 0,
    });
  });

  test('tokens that had no price are charged at the present price', () => {
    const deliveries = [delivery('one', 1, tokens), delivery('two', 1, { cost_usd: 4, ...tokens })];
    expect(laneFigures(deliveries, program({ main: model }), priced)).toMatchObject({ cost_usd: 3 });
  });

  test('the cost is unknown, and not 0, as soon as that of one delivery is', () => {
    const deliveries = [delivery('one', 1, tokens), delivery('two', 1, { cost_usd: 4 })];
    const unknown = { cost_usd: null, unknown_cost: 'no_price', duration_ms: 1_000 };
    expect(laneFigures(deliveries, program({ main: model }), pricing)).toMatchObject(unknown);
    const two = program({ main: model, small: { ...model, alias: 'small' } });
    expect(laneFigures(deliveries, two, priced)).toMatchObject(unknown);
  });

  test('an attempt whose cost a lost executor left unknown is no part of the mean, and names no missing price', () => {
    const error = { code: 'worker_lost', message: 'silent', retryable: true };
    const lost = { outcome: 'infra_error', error, cost_usd: null, model_call_count: 2 } as const;
    const deliveries = [
      delivery('one', 1, lost),
      delivery('one', 1, { cost_usd: 4 }),
      delivery('two', 1, { cost_usd: 2 }),
      delivery('three', 1, { ...lost, cost_usd: 1 }),
      delivery('three', 1, { cost_usd: 3 }),
    ];
    const figuresOf = (count: number) =>
      laneFigures(deliveries.slice(0, count), program({ main: model }), pricing);
    expect(figuresOf(5)).toMatchObject({ cost_usd: 3, unknown_cost: null, attempts: 3 });
    expect(figuresOf(2)).toMatchObject({ cost_usd: null, unknown_cost: 'interrupted' });
  });

  test('an agent that calls no model costs nothing, unless its calls are made elsewhere', () => {
    const deliveries = [delivery('one', 1, { model_call_count: 0 })];
    const costOf = (agent: AgentSnapshot) => laneFigures(deliveries, agent, pricing).cost_usd;
    expect(costOf(scripted)).toBe(0);
    expect(costOf(program({ main: model }))).toBe(0);
    expect(costOf(program())).toBe(0);
    expect(costOf(program(undefined, ['api.example.com']))).toBeNull();
  });
});
