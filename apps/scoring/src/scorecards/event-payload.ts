import type { HistoryEvent } from '@agentclash/contracts';

const REFERENCE = /^sha256:([0-9a-f]{64})$/;

/** The sha256 of a payload that is stored as a blob, or undefined for an inline payload. */
export function payloadReference(payload: HistoryEvent['payload']): string | undefined {
  const { $ref } = payload;
  return typeof $ref === 'string' ? REFERENCE.exec($ref)?.[1] : undefined;
}
