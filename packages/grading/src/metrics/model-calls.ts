import { callCostUsd, canonicalProvider, findPriceRow, type Pricing } from '@agentclash/challengepack';
import { numberIn, type PayloadOf, recordIn, textIn } from '@agentclash/domain';
import type { EvidenceEvent } from '../evidence/types.js';
import { sum } from '../statistics/sample.js';
import { type Measurement, measured, unmeasured } from './types.js';

/** Token figures as a provider reports them; undefined is unreported, never 0. */
export interface TokenUsage {
  readonly input: number | undefined;
  readonly output: number | undefined;
  readonly total: number | undefined;
  readonly cached_input: number | undefined;
  readonly reasoning: number | undefined;
}

export interface ModelCall {
  readonly provider_key: string;
  readonly model: string;
  readonly usage: TokenUsage;
  readonly cost_usd: number | undefined;
}

/** Every completed model call, in order. */
export function modelCalls(events: readonly EvidenceEvent[]): ModelCall[] {
  return events
    .filter((event) => event.event_type === 'model.call.completed')
    .map(({ payload }: { payload: PayloadOf<'model.call.completed'> }) => ({
      provider_key: textIn(payload, 'provider_key') ?? '',
      model: textIn(payload, 'model') ?? '',
      usage: usageIn(payload),
      cost_usd: numberIn(payload, 'cost_usd'),
    }));
}

/** The `usage` of an event's payload. */
export function usageIn(payload: { readonly usage?: unknown }): TokenUsage {
  const usage = recordIn(payload, 'usage') ?? {};
  return {
    input: numberIn(usage, 'input'),
    output: numberIn(usage, 'output'),
    total: numberIn(usage, 'total'),
    cached_input: numberIn(usage, 'cached_input'),
    reasoning: numberIn(usage, 'reasoning'),
  };
}

/** US dollars spent on the agent's model calls. Never 0 for want of a price or of usage. */
export function modelCostUsd(events: readonly EvidenceEvent[], pricing: Pricing): Measurement {
  const calls = modelCalls(events);
  if (calls.length === 0) return unmeasured('no_usage');
  const costs = byModel(calls).map((ofModel) => costOfModel(ofModel, pricing));
  const missing = costs.find((cost) => cost.state === 'unavailable');
  return missing ?? measured(sum(costs.map(({ value }) => Number(value))));
}

function byModel(calls: readonly ModelCall[]): ModelCall[][] {
  const groups = new Map<string, ModelCall[]>();
  for (const call of calls) {
    const key = JSON.stringify([canonicalProvider(call.provider_key), call.model]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [call]);
    else group.push(call);
  }
  return [...groups.values()];
}

function costOfModel(calls: readonly ModelCall[], pricing: Pricing): Measurement {
  const [first] = calls;
  const row = first && findPriceRow(pricing.models, { provider: first.provider_key, id: first.model });
  if (row === undefined) return recordedCost(calls);
  const costs = calls.flatMap((call) => callCostUsd(call.usage, row) ?? []);
  return costs.length < calls.length ? unmeasured('no_usage') : measured(sum(costs));
}

/** The sum of the recorded costs of the calls, if each call has one. */
function recordedCost(calls: readonly ModelCall[]): Measurement {
  const costs = calls.flatMap(({ cost_usd }) => cost_usd ?? []);
  return costs.length < calls.length ? unmeasured('model_unpriced') : measured(sum(costs));
}
