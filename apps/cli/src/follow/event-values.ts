import type { RecordedEvent } from '@agentclash/api';

type Payload = RecordedEvent['payload'];

/** Members of an event's payload: what a newer server writes otherwise is absent, not an error. */
export function textIn(payload: Payload, name: string): string | undefined {
  const value = payload[name];
  return typeof value === 'string' ? value : undefined;
}

export function numberIn(payload: Payload, name: string): number | undefined {
  const value = payload[name];
  return typeof value === 'number' ? value : undefined;
}

export function verdictIn(payload: Payload): { passed: boolean | null; overall: number | null } {
  const { passed, overall } = payload;
  return {
    passed: typeof passed === 'boolean' ? passed : null,
    overall: typeof overall === 'number' ? overall : null,
  };
}

export function recordIn(payload: Payload, name: string): Payload | undefined {
  const value = payload[name];
  return isRecord(value) ? value : undefined;
}

function isRecord(value: unknown): value is Payload {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
