import type { HistoryEvent } from '@agentclash/contracts';

const REFERENCE = /^sha256:([0-9a-f]{64})$/;

/** The sha256 behind a payload that was too large to travel, or nothing for a payload that is whole. */
export function payloadReference(payload: HistoryEvent['payload']): string | undefined {
  const { $ref } = payload;
  return typeof $ref === 'string' ? REFERENCE.exec($ref)?.[1] : undefined;
}
