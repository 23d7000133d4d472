import type { RecordedEvent } from '@agentclash/api';

export type Payload = RecordedEvent['payload'];

/** Members of an event's payload; what a newer server writes otherwise is absent, not an error. */
export function textIn(payload: Payload, name: string): string | undefined {
  const value = payload[name];
  return typeof value === 'string' ? value : undefined;
}

export function numberIn(payload: Payload, name: string): number | undefined {
  const value = payload[name];
  return typeof value === 'number' ? value : undefined;
}

export function recordIn(payload: Payload, name: string): Payload | undefined {
  const value = payload[name];
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Payload)
    : undefined;
}

/** Input and output tokens of a `usage`, in whichever way it tells them. */
export function tokensIn(payload: Payload): number | undefined {
  const usage = recordIn(payload, 'usage');
  if (usage === undefined) return undefined;
  const total = numberIn(usage, 'total');
  if (total !== undefined) return total;
  const [input, output] = [numberIn(usage, 'input'), numberIn(usage, 'output')];
  return input === undefined && output === undefined ? undefined : (input ?? 0) + (output ?? 0);
}
