import type { In, scoringEvents } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database.js';

type Scored = In<typeof scoringEvents.attemptScored>;

/** The scores in the rows of attempts. */
@Injectable()
export class ScoresStore {
  /** A finished attempt of the run; nothing when there is none. */
  async findFinished(tx: Transaction, { attempt_id, run_id }: Scored) {
    return await tx.attempt.findFirst({
      where: { id: attempt_id, runId: run_id, state: 'finished' },
      select: {
        runAgentId: true,
        caseKey: true,
        repetition: true,
        scoreRevision: true,
        overall: true,
        passed: true,
      },
    });
  }

  async write(tx: Transaction, { attempt_id, revision, overall, passed, validity }: Scored): Promise<void> {
    const data = { scoreRevision: revision, overall, passed, validity, scoreDueAt: null };
    await tx.attempt.update({ where: { id: attempt_id }, data });
  }

  /** Stops asking for a score that is there. */
  async settle(tx: Transaction, attemptId: string): Promise<void> {
    await tx.attempt.update({ where: { id: attemptId }, data: { scoreDueAt: null } });
  }
}
