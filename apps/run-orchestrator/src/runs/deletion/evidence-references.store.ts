import { Injectable } from '@nestjs/common';
import { Database } from '../../database.js';

/** Which stored bytes runs refer to. Rows are written by triggers, see the migration `evidence_references`. */
@Injectable()
export class EvidenceReferences {
  constructor(private readonly db: Database) {}

  /** Drops some references of a run; returns how many, and those sha256 that no other run refers to. */
  async drop(runId: string, take: number): Promise<{ dropped: number; unreferenced: string[] }> {
    return await this.db.$transaction(async (tx) => {
      const rows = await tx.$queryRaw<{ sha256: string }[]>`
        DELETE FROM evidence_references
         WHERE run_id = ${runId}::uuid
           AND sha256 IN (SELECT sha256 FROM evidence_references WHERE run_id = ${runId}::uuid LIMIT ${take})
        RETURNING sha256`;
      const dropped = rows.map(({ sha256 }) => sha256);
      const kept = await tx.evidenceReference.findMany({
        where: { sha256: { in: dropped } },
        distinct: ['sha256'],
        select: { sha256: true },
      });
      const isKept = new Set(kept.map(({ sha256 }) => sha256));
      return { dropped: dropped.length, unreferenced: dropped.filter((sha256) => !isKept.has(sha256)) };
    });
  }

  async has(sha256: string): Promise<boolean> {
    return (
      (await this.db.evidenceReference.findFirst({ where: { sha256 }, select: { runId: true } })) !== null
    );
  }

  async hasAny(): Promise<boolean> {
    return (await this.db.evidenceReference.findFirst({ select: { runId: true } })) !== null;
  }

  /** The sha256 that begin so, of all runs. */
  async startingWith(prefix: string): Promise<ReadonlySet<string>> {
    const rows = await this.db.$queryRaw<{ sha256: string }[]>`
      SELECT DISTINCT sha256 FROM evidence_references WHERE sha256 >= ${prefix} AND sha256 < ${`${prefix}g`}`;
    return new Set(rows.map(({ sha256 }) => sha256));
  }

  /** Claims the next sweep of an area; false when one was begun within `everyMs`. */
  async claimSweep(area: string, everyMs: number): Promise<boolean> {
    const claimed = await this.db.$executeRaw`
      INSERT INTO storage_sweeps (area, started_at) VALUES (${area}, now())
      ON CONFLICT (area) DO UPDATE SET started_at = now()
       WHERE storage_sweeps.started_at < now() - interval '1 millisecond' * ${everyMs}::float8`;
    return claimed === 1;
  }
}
