import { canonicalJson } from '@agentclash/challengepack';
import type { JudgeSample } from '@agentclash/grading';
import { type JudgeSamples, type StoredSample, sampleKey } from '@agentclash/run-scoring';
import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';
import { holdRun } from '../removal/held-run.store.js';

/** Samples of judges by attempt, and their replies by question for other attempts of the workspace. */
@Injectable()
export class JudgeSamplesStore implements JudgeSamples {
  constructor(private readonly db: Database) {}

  /** The samples of an attempt by judge and question. */
  async ofAttempt(attemptId: string): Promise<Map<string, JudgeSample>> {
    const rows = await this.db.judgeSample.findMany({ where: { attemptId } });
    return new Map(rows.map((row) => [sampleKey(row.judgeKey, row.question), JSON.parse(row.sample)]));
  }

  /** Adds samples of attempts of one run; existing ones are kept. Fails with `not_found` for a deleted run. */
  async add(runId: string, samples: readonly StoredSample[]): Promise<void> {
    const data = samples.map(({ sample, ...key }) => ({ ...key, sample: canonicalJson(sample) }));
    await this.db.$transaction(async (tx) => {
      await holdRun(tx, runId);
      await tx.judgeSample.createMany({ data, skipDuplicates: true });
    });
  }

  async findReply(workspaceId: string, key: string): Promise<string | undefined> {
    const where = { workspaceId_key: { workspaceId, key } };
    return (await this.db.judgeReply.findUnique({ where }))?.reply;
  }

  async addReply(workspaceId: string, key: string, reply: string): Promise<void> {
    await this.db.judgeReply.createMany({ data: [{ workspaceId, key, reply }], skipDuplicates: true });
  }
}
