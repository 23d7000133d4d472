import type { HistoryEvent } from '@agentclash/contracts';
import type { CountChange } from './progress.js';

/** Events with the totals of a delivery. */
const ENDS: ReadonlySet<string> = new Set(['system.run.completed', 'system.run.failed']);

/** Tokens and cost of a delivery, by the event that ends it; undefined for other events, and where they are missing. */
export function spendingOf({
  event_type,
  payload,
}: Pick<HistoryEvent, 'event_type' | 'payload'>): CountChange | undefined {
  if (!ENDS.has(event_type)) return undefined;
  const { usage, cost_usd } = payload;
  const { total, input, output } = (usage ?? {}) as Readonly<Record<string, unknown>>;
  const tokens = figure(total) || figure(input) + figure(output);
  return { tokens, costUsd: figure(cost_usd) };
}

/** Figures of programs and endpoints are untrusted. */
function figure(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}
