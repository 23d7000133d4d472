import { ContractError } from '@agentclash/contracts';

/** How an executor names what it holds. */
export type Lease = { attempt_id: string; delivery: number; executor_id: string };

export function holderOf({ attempt_id: attemptId, delivery, executor_id: executorId }: Lease) {
  return { attemptId, delivery, executorId };
}

export function leaseLost({ attempt_id, delivery }: Lease): never {
  throw new ContractError(
    'lease_lost',
    `Delivery ${delivery} of attempt ${attempt_id} is not held by this executor.`,
  );
}
