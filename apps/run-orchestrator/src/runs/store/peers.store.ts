import { Injectable } from '@nestjs/common';
import { Database } from '../../database.js';
import type { AttemptContext } from './attempts.store.js';

export interface Peer {
  id: string;
  /** Completed in its last delivery. */
  steps: number;
  state: 'waiting' | 'working' | 'finished';
}

/** How far attempts at the same case are. */
@Injectable()
export class PeersStore {
  constructor(private readonly db: Database) {}

  /** The attempts of the run's other agents at the same case and repetition. */
  async of({
    id,
    runId,
    caseKey,
    repetition,
  }: Pick<AttemptContext, 'id' | 'runId' | 'caseKey' | 'repetition'>): Promise<Peer[]> {
    return await this.db.$queryRaw<Peer[]>`
      SELECT a.id,
             CASE a.state WHEN 'queued' THEN 'waiting' WHEN 'finished' THEN 'finished' ELSE 'working' END AS state,
             (SELECT count(*)::int FROM events e
               WHERE e.attempt_id = a.id AND e.delivery = a.delivery AND e.event_type = 'system.step.completed') AS steps
        FROM attempts a
       WHERE a.run_id = ${runId}::uuid AND a.case_key = ${caseKey} AND a.repetition = ${repetition}
         AND a.id <> ${id}::uuid
       ORDER BY a.ordinal`;
  }
}
