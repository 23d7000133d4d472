import { type deliveries, type In } from '@agentclash/contracts';
import { isRunOver, RUN_STATUSES } from '@agentclash/domain';
import { Injectable } from '@nestjs/common';
import { Database } from '../../database.js';
import type { Prisma } from '../../generated/client.js';

type LiveRequest = In<typeof deliveries.live>;

const LIVE_RUN = { status: { in: RUN_STATUSES.filter((status) => !isRunOver(status)) } };

/** What makes a delivery one that is at work. */
const AT_WORK: Record<LiveRequest['work'], (now: Date) => Prisma.AttemptWhereInput> = {
  execution: (now) => ({
    state: { notIn: ['queued', 'finished'] },
    leaseUntil: { gt: now },
    runAgent: { run: LIVE_RUN },
  }),
  /** Also of an ended run: it may be scored again at any time. */
  judging: () => ({ state: 'finished' }),
};

/** Finds the deliveries at work. */
@Injectable()
export class LiveDeliveriesStore {
  constructor(private readonly db: Database) {}

  /** The run agent of a live delivery; nothing when it is not one. */
  async findRunAgent({
    workspace_id,
    run_id,
    attempt_id,
    delivery,
    work,
  }: LiveRequest): Promise<string | undefined> {
    const ofRun = {
      id: attempt_id,
      runId: run_id,
      delivery,
      runAgent: { run: { workspaceId: workspace_id } },
    };
    const row = await this.db.attempt.findFirst({
      where: { AND: [ofRun, AT_WORK[work](new Date())] },
      select: { runAgentId: true },
    });
    return row?.runAgentId;
  }
}
