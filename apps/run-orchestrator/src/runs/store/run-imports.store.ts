import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '../../database.js';
import { Prisma } from '../../generated/client.js';

@Injectable()
export class RunImportsStore {
  constructor(private readonly db: Database) {}

  /** Imported runs of a workspace that still take attempts, the oldest first, at most `take`. */
  async findOpen(workspaceId: string, take: number): Promise<string[]> {
    const imported = { not: Prisma.DbNull };
    const found = await this.db.run.findMany({
      where: { workspaceId, imported, status: { in: ['queued', 'running', 'paused'] } },
      select: { id: true },
      orderBy: { id: 'asc' },
      take,
    });
    return found.map(({ id }) => id);
  }

  /**
   * The run of an import; none where there is none, or where each was cancelled. `requestId` is then that of the next one:
   * a cancelled run takes no attempts, and must not keep its source from being imported again.
   */
  async findByRequest(
    workspaceId: string,
    requestId: string,
  ): Promise<{ requestId: string; runId?: string }> {
    for (let current = requestId; ; ) {
      const where = { workspaceId_requestId: { workspaceId, requestId: current } };
      const run = await this.db.run.findUnique({ where, select: { id: true, status: true } });
      if (run === null) return { requestId: current };
      if (run.status !== 'cancelled') return { requestId: current, runId: run.id };
      current = `import:${createHash('sha256').update(`${current} ${run.id}`).digest('hex')}`;
    }
  }
}
