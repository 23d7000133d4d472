import { type BusEvent, ContractError, type Job } from '@agentclash/contracts';

/** With the back-off in between, about ten minutes. */
export const EVENT_DELIVERIES_MAX = 25;

/**
 * Whether a failed message becomes a dead letter. A job can be dropped: its sender's rows still hold the work and are
 * reconciled. An event is published once, so it is redelivered for as long as a dependency is unavailable.
 */
export function isLastDelivery(contract: Job | BusEvent, deliveries: number, error: unknown): boolean {
  if (contract.kind === 'job') return deliveries >= contract.deliveriesMax;
  const isUnavailable = error instanceof ContractError && error.code === 'unavailable';
  return !isUnavailable && deliveries >= EVENT_DELIVERIES_MAX;
}
