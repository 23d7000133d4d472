import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';

/** Which stored bytes runs refer to. Rows are written by triggers, see the migration `evidence_references`. */
@Injectable()
export class EvidenceReferences {
  constructor(private readonly db: Database) {}

  /** Drops some references of a run; returns what they referred to, and how much of it no other run refers to. */
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
}
