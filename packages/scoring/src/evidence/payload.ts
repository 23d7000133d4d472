import type { EvidenceEvent } from './types.js';

type Payload = EvidenceEvent['payload'];

/** A payload field when it is a string. */
export function textField(payload: Payload, name: string): string | undefined {
  const value = payload[name];
  return typeof value === 'string' ? value : undefined;
}

/** A payload field when it is a finite number. */
export function numberField(payload: Payload, name: string): number | undefined {
  const value = payload[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** A payload field when it is an object; otherwise an empty one. */
export function recordField(payload: Payload, name: string): Payload {
  const value = payload[name];
  return isRecord(value) ? value : {};
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
