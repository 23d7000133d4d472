import { callCostUsd, canonicalProvider, findPriceRow, type Pricing } from '@agentclash/challengepack';
import type { EvidenceEvent } from '../evidence/types.js';
import { sum } from '../statistics/sample.js';
import { type ModelCall, modelCalls } from './model-calls.js';
import { type Measurement, measured, unmeasured } from './types.js';

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
