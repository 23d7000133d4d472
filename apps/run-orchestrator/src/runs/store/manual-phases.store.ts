import type { RequestedPhase } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { Database } from '../../database.js';
import { PHASE_IS_AHEAD } from './attempts/attempt-conditions.store.js';

interface PhaseRequest {
  attemptId: string;
  phaseId: string;
  actor: string;
  now: Date;
}

/** Manual phases: requested by people, reached by deliveries. Of the two, the first on record wins. */
@Injectable()
export class ManualPhasesStore {
  constructor(private readonly db: Database) {}

  /** The request that holds; nothing when the delivery at work has gone past the phase without one. */
  async request({ attemptId, phaseId, actor, now }: PhaseRequest): Promise<RequestedPhase | undefined> {
    const [row] = await this.db.$queryRaw<{ requestedAt: Date; requestedBy: string }[]>`
      INSERT INTO manual_phases AS p (attempt_id, phase_id, requested_at, requested_by)
      VALUES (${attemptId}::uuid, ${phaseId}, ${now}::timestamptz, ${actor})
      ON CONFLICT (attempt_id, phase_id) DO UPDATE
         SET requested_at = COALESCE(p.requested_at, EXCLUDED.requested_at),
             requested_by = COALESCE(p.requested_by, EXCLUDED.requested_by)
       WHERE p.requested_at IS NOT NULL
          OR ${PHASE_IS_AHEAD}
      RETURNING requested_at AS "requestedAt", requested_by AS "requestedBy"`;
    if (!row) return undefined;
    const { requestedAt, requestedBy } = row;
    return {
      attempt_id: attemptId,
      phase_id: phaseId,
      requested_at: requestedAt.toISOString(),
      requested_by: requestedBy,
    };
  }

  /** Records that a delivery has reached the phase; whether it was requested. */
  async reach({ attemptId, phaseId, delivery }: { attemptId: string; phaseId: string; delivery: number }) {
    const [row] = await this.db.$queryRaw<{ isRequested: boolean }[]>`
      INSERT INTO manual_phases (attempt_id, phase_id, reached_in)
      VALUES (${attemptId}::uuid, ${phaseId}, ${delivery})
      ON CONFLICT (attempt_id, phase_id) DO UPDATE SET reached_in = EXCLUDED.reached_in
      RETURNING requested_at IS NOT NULL AS "isRequested"`;
    return row?.isRequested ?? false;
  }
}
