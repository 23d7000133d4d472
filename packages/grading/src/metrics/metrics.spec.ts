import type { CollectorName, PriceRow } from '@agentclash/challengepack';
import { describe, expect, test } from '@jest/globals';
import { behaviorEvidence } from '../behavior/panel.js';
import type { EvidenceEvent } from '../evidence/types.js';
import { COLLECT } from './collectors.js';

const GPT: PriceRow = {
  provider_key: 'openai',
  provider_model_id: 'gpt-4.1',
  input_cost_per_million_tokens: 2,
  output_cost_per_million_tokens: 8,
};

function collect(collector: CollectorName, events: EvidenceEvent[], pricing: PriceRow[] = [GPT]) {
  const behavior = behaviorEvidence(events, []);
  return COLLECT[collector]({ events, pricing: { models: pricing }, behavior, validators: [] });
}

let sequence = 0;

function event(event_type: string, payload: Record<string, unknown> = {}, second = 0): EvidenceEvent {
  sequence += 1;
  const occurred_at = new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
  return { sequence_number: sequence, event_type, occurred_at, payload };
}

function call(payload: Record<string, unknown>): EvidenceEvent {
  return event('model.call.completed', { provider_key: 'openai', model: 'gpt-4.1', ...payload });
}

describe('time', () => {
  test('the time to the first token counts from the start, queueing included, whatever came later', () => {
    const events = [
      event('system.run.started'),
      event('model.call.started', { call_id: 'a' }, 1),
      call({ call_id: 'a' }),
      event('model.call.started', { call_id: 'b' }, 3),
      call({ call_id: 'b', timing: { queued_ms: 500, ttft_ms: 200 } }),
      event('model.call.started', { call_id: 'c' }, 4),
      call({ call_id: 'c', timing: { ttft_ms: 1 } }),
    ];
    expect(collect('run_ttft_ms', events).value).toBe(3_700);
  });

  test('the reported latency outranks the clock', () => {
    const events = [event('system.run.started'), event('system.run.completed', { latency_ms: 12 }, 9)];
    expect(collect('run_total_latency_ms', events).value).toBe(12);
  });
});

describe('tokens', () => {
  test('a provider that reports nothing is missing data, not 0', () => {
    const events = [call({ usage: { input: null } })];
    expect(collect('run_input_tokens', events)).toEqual({
      state: 'unavailable',
      value: null,
      reason: 'unreported',
    });
  });

  test('a total is not half a sum: a missing side makes it unavailable', () => {
    expect(collect('run_total_tokens', [call({ usage: { input: 5 } })]).state).toBe('unavailable');
  });
});

describe('cost', () => {
  test('the recorded cost of every call is used when there is no price', () => {
    const events = [call({ model: 'local', cost_usd: 0.25 }), call({ model: 'local', cost_usd: 0.5 })];
    expect(collect('run_model_cost_usd', events).value).toBe(0.75);
  });

  test('a priced call without usage is not free', () => {
    const events = [call({ usage: { input: 1_000_000, output: 0 } }), call({ usage: {} })];
    expect(collect('run_model_cost_usd', events)).toMatchObject({ value: null, reason: 'no_usage' });
    expect(collect('run_model_cost_usd', [])).toMatchObject({ value: null, reason: 'no_usage' });
  });

  test('reasoning never exceeds the output it is part of', () => {
    const row = { ...GPT, reasoning_cost_per_million_tokens: 100 };
    const events = [call({ usage: { input: 0, output: 1_000_000, reasoning: 5_000_000 } })];
    expect(collect('run_model_cost_usd', events, [row]).value).toBe(100);
  });

  test('an exact price row outranks the undated one, and gemini is google', () => {
    const dated = { ...GPT, provider_model_id: 'gpt-4.1-2025-04-14', input_cost_per_million_tokens: 3 };
    const google = { ...GPT, provider_key: 'gemini', provider_model_id: 'gemini-3' };
    const usage = { input: 1_000_000, output: 0 };
    expect(
      collect('run_model_cost_usd', [call({ model: 'gpt-4.1-2025-04-14', usage })], [GPT, dated]).value,
    ).toBe(3);
    expect(collect('run_model_cost_usd', [call({ model: 'gpt-4.1-20250414', usage })], [GPT]).value).toBe(2);
    expect(
      collect('run_model_cost_usd', [call({ provider_key: 'google', model: 'gemini-3', usage })], [google])
        .value,
    ).toBe(2);
  });
});
