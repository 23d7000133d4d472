import pg from 'pg';
import type { Fleet } from '../fleet/fleet.js';

/** The columns of one attempt that the API does not show. */
export interface StoredAttempt {
  id: string;
  /** Deliveries with a completed result. */
  accepted: number;
  deliveries: number;
  /** Deliveries that have not ended. */
  open: number;
  hasLease: boolean;
}

/** Reads the services' tables past the links, each as the service's own role. */
export class Stored {
  constructor(private readonly fleet: Fleet) {}

  /** The share of these runs' attempts that have finished. Fails while the database is unavailable. */
  async progress(runIds: readonly string[]): Promise<{ finished: number; haveEnded: boolean }> {
    const [row] = await this.rows<{ finished: number; ended: boolean }>(
      'run-orchestrator',
      `SELECT (SELECT avg((state = 'finished')::int)::float8 FROM attempts WHERE run_id = ANY($1::uuid[])) AS finished,
              (SELECT bool_and(status IN ('completed', 'failed', 'cancelled')) FROM runs WHERE id = ANY($1::uuid[])) AS ended`,
      [runIds],
    );
    return { finished: row?.finished ?? 0, haveEnded: row?.ended ?? false };
  }

  async attempts(runIds: readonly string[]): Promise<StoredAttempt[]> {
    return await this.rows<StoredAttempt>(
      'run-orchestrator',
      `SELECT a.id, a.lease_until IS NOT NULL AS "hasLease",
              count(d.*)::int AS deliveries,
              count(*) FILTER (WHERE d.result->>'outcome' = 'completed')::int AS accepted,
              count(*) FILTER (WHERE d.attempt_id IS NOT NULL AND d.finished_at IS NULL)::int AS open
       FROM attempts a LEFT JOIN deliveries d ON d.attempt_id = a.id
       WHERE a.run_id = ANY($1::uuid[]) GROUP BY a.id`,
      [runIds],
    );
  }

  /** Calls to models that are taken for under way. */
  async modelSlots(): Promise<number> {
    const [row] = await this.rows<{ count: number }>(
      'run-orchestrator',
      'SELECT count(*)::int AS count FROM model_slots WHERE lease_until > now()',
      [],
    );
    return row?.count ?? 0;
  }

  /** Scorecards of each attempt, by its id. */
  async scorecards(runIds: readonly string[]): Promise<Map<string, number>> {
    const rows = await this.rows<{ id: string; count: number }>(
      'scoring',
      `SELECT attempt_id AS id, count(*)::int AS count FROM attempt_scorecards
       WHERE run_id = ANY($1::uuid[]) GROUP BY attempt_id`,
      [runIds],
    );
    return new Map(rows.map(({ id, count }) => [id, count]));
  }

  private async rows<T extends pg.QueryResultRow>(
    service: 'run-orchestrator' | 'scoring',
    text: string,
    values: unknown[],
  ): Promise<T[]> {
    const schema = service === 'scoring' ? 'scoring' : 'runs';
    const client = new pg.Client({
      connectionString: this.fleet.databaseUrl(service),
      options: `-c search_path=${schema}`,
    });
    // The server may be killed during a query, which then fails and reports the error.
    client.on('error', () => {});
    try {
      await client.connect();
      return (await client.query<T>(text, values)).rows;
    } finally {
      await client.end().catch(() => {});
    }
  }
}
