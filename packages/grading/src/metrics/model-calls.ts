import { numberIn, type PayloadOf, recordIn, textIn } from '@agentclash/domain';
import type { EvidenceEvent } from '../evidence/types.js';

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
