import type { deliveries, In } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { Database } from '../../database.js';

/** The tests of accounts that are under way. */
@Injectable()
export class AccountTestsStore {
  constructor(private readonly db: Database) {}

  async begin(id: string, workspaceId: string, lastsMs: number): Promise<void> {
    const now = new Date();
    // Those of an orchestrator that died.
    await this.db.accountTest.deleteMany({ where: { overAt: { lt: now } } });
    await this.db.accountTest.create({
      data: { id, workspaceId, overAt: new Date(now.getTime() + lastsMs) },
    });
  }

  async end(id: string): Promise<void> {
    await this.db.accountTest.deleteMany({ where: { id } });
  }

  /** The test that names itself as run and attempt, if it is under way: it serves as a delivery's run agent too. */
  async findLive(request: In<typeof deliveries.live>): Promise<string | undefined> {
    const { workspace_id: workspaceId, run_id: id, attempt_id, delivery, work } = request;
    if (attempt_id !== id || delivery !== 1 || work !== 'execution') return undefined;
    const found = await this.db.accountTest.findFirst({
      where: { id, workspaceId, overAt: { gt: new Date() } },
    });
    return found?.id;
  }
}
