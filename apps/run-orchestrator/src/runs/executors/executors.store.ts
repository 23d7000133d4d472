import type { ExecutorReport } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { Database } from '../../database.js';

/** An executor without a heartbeat for this long does not count. */
const HEARTBEAT_TIMEOUT_MS = 120_000;

/** The earliest heartbeat that counts. */
export function seenSince(now: Date): Date {
  return new Date(now.getTime() - HEARTBEAT_TIMEOUT_MS);
}

/** The executors that have reported themselves. */
@Injectable()
export class ExecutorsStore {
  constructor(private readonly db: Database) {}

  async save(report: ExecutorReport, now: Date): Promise<void> {
    const row = { report, seenAt: now };
    await this.db.executor.upsert({
      where: { id: report.executor_id },
      create: { id: report.executor_id, ...row },
      update: row,
    });
  }

  /** True when the executor is known, and so was seen now. */
  async see(id: string, now: Date): Promise<boolean> {
    const { count } = await this.db.executor.updateMany({ where: { id }, data: { seenAt: now } });
    return count > 0;
  }

  async remove(id: string): Promise<void> {
    await this.db.executor.deleteMany({ where: { id } });
  }

  async removeExpired(before: Date): Promise<void> {
    await this.db.executor.deleteMany({ where: { seenAt: { lt: before } } });
  }

  async find(id: string, since: Date): Promise<ExecutorReport | undefined> {
    const row = await this.db.executor.findFirst({ where: { id, seenAt: { gte: since } } });
    return row === null ? undefined : (row.report as ExecutorReport);
  }

  async seen(since: Date): Promise<ExecutorReport[]> {
    const rows = await this.db.executor.findMany({ where: { seenAt: { gte: since } } });
    return rows.map(({ report }) => report as ExecutorReport);
  }
}
