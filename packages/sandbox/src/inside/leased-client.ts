import { InsideClient } from './client.js';
import type { InsideLink } from './link.js';

/** A client whose leases are passed on to the service that holds the sandbox, which ends it where this process cannot. */
export class LeasedClient extends InsideClient {
  constructor(
    link: InsideLink,
    private readonly onLease: (leaseMs: number) => void,
  ) {
    super(link);
  }

  override setLease(leaseMs: number): void {
    super.setLease(leaseMs);
    this.onLease(leaseMs);
  }
}
