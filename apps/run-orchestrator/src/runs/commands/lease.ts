import { ContractError } from '@agentclash/contracts';

/** The configuration of the service. */
export class LeaseSettings {
  constructor(private readonly leaseMs: number) {}

  /** Of a lease that is given or extended now. */
  leaseEnd(): Date {
    return new Date(Date.now() + this.leaseMs);
  }
}

/** The identifiers of a lease, as an executor sends them. */
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
