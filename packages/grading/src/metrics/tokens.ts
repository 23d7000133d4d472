import { numberIn } from '@agentclash/domain';
import type { EvidenceEvent } from '../evidence/types.js';
import { sum } from '../statistics/sample.js';
import { modelCalls, type TokenUsage, usageIn } from './model-calls.js';
import { endEvent } from './run-clock.js';

/** One token figure of the attempt: as its end reports it, else summed over the calls that report it. */
export function tokenFigure(
  events: readonly EvidenceEvent[],
  figure: Exclude<keyof TokenUsage, 'total'>,
): number | undefined {
  return reportedAtEnd(events)?.[figure] ?? sumReported(modelCalls(events).map(({ usage }) => usage[figure]));
}

/** All tokens of the attempt; where no total is reported, input plus output. */
export function totalTokens(events: readonly EvidenceEvent[]): number | undefined {
  const atEnd = reportedAtEnd(events);
  const calls = modelCalls(events).map(({ usage }) => totalOf(usage));
  return (atEnd && totalOf(atEnd)) ?? sumReported(calls);
}

/** Tokens that race standings added to the agent's context. */
export function raceContextTokens(events: readonly EvidenceEvent[]): number {
  const injected = events.filter((event) => event.event_type === 'race.standings.injected');
  return sum(injected.map(({ payload }) => numberIn(payload, 'tokens_added') ?? 0));
}

function reportedAtEnd(events: readonly EvidenceEvent[]): TokenUsage | undefined {
  const end = endEvent(events);
  return end === undefined ? undefined : usageIn(end.payload);
}

function totalOf({ total, input, output }: TokenUsage): number | undefined {
  if (total !== undefined) return total;
  return input === undefined || output === undefined ? undefined : input + output;
}

function sumReported(values: readonly (number | undefined)[]): number | undefined {
  const reported = values.filter((value) => value !== undefined);
  return reported.length === 0 ? undefined : sum(reported);
}
