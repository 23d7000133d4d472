import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';

const LEASE_SECONDS = 60;

/** Leases of workers on the judging of an attempt, so that no two call the same judges. */
@Injectable()
export class JudgingClaims {
  constructor(private readonly db: Database) {}

  /** Takes or renews the claim for a minute; returns whether the owner holds it. */
  async hold(attemptId: string, owner: string): Promise<boolean> {
    const held = await this.db.$executeRaw`
      INSERT INTO judging_claims (attempt_id, owner, lease_until)
      VALUES (${attemptId}::uuid, ${owner}, now() + make_interval(secs => ${LEASE_SECONDS}))
      ON CONFLICT (attempt_id) DO UPDATE SET owner = excluded.owner, lease_until = excluded.lease_until
      WHERE judging_claims.owner = excluded.owner OR judging_claims.lease_until < now()`;
    return held > 0;
  }

  async release(attemptId: string, owner: string): Promise<void> {
    await this.db.judgingClaim.deleteMany({ where: { attemptId, owner } });
  }
}
