import { utimes } from 'node:fs/promises';
import path from 'node:path';
import { Blobs, newId } from '@agentclash/service-kit';
import { afterAll, beforeAll } from '@jest/globals';
import type { OrchestratorFixture } from './orchestrator-fixture.js';

const TWO_DAYS_MS = 172_800_000;

interface Stored {
  sha256: string;
  bytes: number;
}

/** Runs that have ended, written as they lie in the database, and stored evidence. Call at the top level of a spec. */
export class StoredRuns {
  private blobs: Blobs | undefined;

  constructor(private readonly fixture: OrchestratorFixture) {
    beforeAll(async () => {
      this.blobs = await Blobs.inFolder(fixture.blobFolder);
    });
    afterAll(() => this.blobs?.close());
  }

  get evidence(): Blobs['evidence'] {
    if (this.blobs === undefined) throw new Error('the orchestrator is not open yet');
    return this.blobs.evidence;
  }

  /** Stores bytes, and has them look two days old unless they are to be fresh. */
  async store(text: string, { isFresh = false } = {}): Promise<Stored> {
    const blob = await this.evidence.put(text);
    if (!isFresh) await this.age(blob.sha256);
    return blob;
  }

  /** Has stored bytes look two days old. */
  async age(sha256: string): Promise<void> {
    const file = path.join(this.fixture.blobFolder, 'evidence/sha256', sha256.slice(0, 2), sha256);
    const then = new Date(Date.now() - TWO_DAYS_MS);
    await utimes(file, then, then);
  }

  /** A completed run with one attempt whose events refer to these bytes, and its result to the last of them. */
  async add(
    stored: readonly Stored[],
    { workspaceId = this.fixture.workspaceId, endedDaysAgo = 0 } = {},
  ): Promise<string> {
    const { database } = this.fixture;
    const [run, agent, attempt] = [newId(), newId(), newId()];
    await database.query(
      `INSERT INTO runs.runs (id, workspace_id, status, version_id, evaluation_spec_id, pack_slug, pack_name,
         pack_version_number, input_set_id, input_set_key, repetitions, limits, labels, warnings, created_by,
         finished_at, announced_at)
       VALUES ($1, $2, 'completed', $1, $1, 'words', 'Words', 1, $1, 'all', 1, '{}', '{}', '[]', 'tests',
         now() - interval '1 day' * $3, now())`,
      [run, workspaceId, endedDaysAgo],
    );
    await database.query(
      `INSERT INTO runs.run_agents (id, run_id, ordinal, deployment_id, deployment_revision, name, kind, snapshot)
       VALUES ($1, $2, 0, $1, 1, 'agent', 'scripted', '{}')`,
      [agent, run],
    );
    await database.query(
      `INSERT INTO runs.attempts (id, run_id, run_agent_id, ordinal, case_key, repetition, state, delivery)
       VALUES ($1, $2, $3, 0, 'case-1', 1, 'finished', 1)`,
      [attempt, run, agent],
    );
    const snapshot = stored.at(-1) ?? null;
    await database.query(
      `INSERT INTO runs.deliveries (attempt_id, delivery, executor_id, started_at, result)
       VALUES ($1, 1, 'executor', now(), $2)`,
      [attempt, JSON.stringify({ outcome: 'completed', error: null, snapshot })],
    );
    for (const [index, { sha256, bytes }] of stored.entries()) {
      const payload = JSON.stringify({ $ref: `sha256:${sha256}`, bytes, type: 'tool.call.completed' });
      await database.query(
        `INSERT INTO runs.events (run_id, position, event_id, run_agent_id, attempt_id, delivery, sequence_number,
           event_type, source, occurred_at, payload, summary)
         VALUES ($1, $2, $3, $4, $5, 1, $2, 'tool.call.completed', 'executor', now(), $6, '{}')`,
        [run, index + 1, newId(), agent, attempt, payload],
      );
    }
    return run;
  }
}
