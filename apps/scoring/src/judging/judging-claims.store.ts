import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';

const LEASE_SECONDS = 60;

/** Who asks judges about an attempt, so that no two workers ask the same at once. */
@Injectable()
export class JudgingClaims {
  constructor(private readonly db: Database) {}

  /** Whether the claim is the owner's now; it lapses a minute after the last time. */
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
