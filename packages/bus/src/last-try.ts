import { type BusEvent, ContractError, type Job } from '@agentclash/contracts';

/** With the waits in between, about ten minutes. */
export const EVENT_DELIVERIES_MAX = 25;

/**
 * Whether a message that failed is tried no more. What a job was for is still in the rows of its sender, who asks again;
 * a fact is said once, so it is kept for as long as a neighbour is away.
 */
export function isLastTry(contract: Job | BusEvent, deliveries: number, error: unknown): boolean {
  if (contract.kind === 'job') return deliveries >= contract.deliveriesMax;
  const isAway = error instanceof ContractError && error.code === 'unavailable';
  return !isAway && deliveries >= EVENT_DELIVERIES_MAX;
}
