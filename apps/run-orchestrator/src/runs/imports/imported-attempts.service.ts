import { ContractError, type ImportedAttempt } from '@agentclash/contracts';
import { hasRunEnded } from '@agentclash/domain';
import { interruptedResult, progressOf } from '@agentclash/run-rules';
import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database.js';
import { RunChanges } from '../changes/run-changes.service.js';
import { RunCompletion } from '../changes/run-completion.js';
import { FINISHED_AT_ONCE } from '../changes/run-termination.js';
import { Deliveries } from '../commands/deliveries.service.js';
import type { RunChange } from '../state/run-change.js';
import { moveRun, recordMove, recordUnclaimedEnd } from '../state/state-moves.js';
import { AttemptReads } from '../store/attempts/attempt-reads.store.js';
import { AttemptWrites } from '../store/attempts/attempt-writes.store.js';
import { importedDelivery } from './imported-delivery.js';

/** The holder of deliveries that are written at once. */
const IMPORT = 'import';
/** The reason of an attempt that the source did not have. */
const NOT_IMPORTED = 'not_imported';
/** Problems that one error names. */
const PROBLEMS_MAX = 20;

/** Attempts of imported runs: each begins and ends in one change, as one delivery. */
@Injectable()
export class ImportedAttemptsService {
  constructor(
    private readonly changes: RunChanges,
    private readonly attempts: AttemptReads,
    private readonly writes: AttemptWrites,
    private readonly deliveries: Deliveries,
    private readonly completion: RunCompletion,
  ) {}

  /** Attempts that are finished already stay as they are. */
  async add(runId: string, attempts: readonly ImportedAttempt[]) {
    return await this.changes.make(runId, async (change, tx) => {
      checkOpen(change);
      const locations = await this.attempts.findLocations(tx, runId, attempts);
      checkLocations(attempts, locations);
      const wanted = new Map(
        attempts.flatMap((attempt, index) => {
          const location = locations.get(index);
          return location?.state === 'queued' ? [[location.id, attempt] as const] : [];
        }),
      );
      await this.start(change, tx);
      await this.deliver(change, tx, wanted);
      return { accepted: wanted.size, repeated: attempts.length - wanted.size };
    });
  }

  /** Ends what was not imported as missing data, some at a time. */
  async complete(runId: string): Promise<void> {
    for (let isDone = false; !isDone; ) {
      isDone = await this.changes.make(runId, async (change, tx) => {
        checkImported(change);
        if (hasRunEnded(change.status) || change.status === 'scoring') return true;
        await this.start(change, tx);
        const message = 'The imported file has no such attempt.';
        const result = {
          ...interruptedResult({ outcome: 'infra_error', code: NOT_IMPORTED, message, lastSequence: 0 }),
          error: { code: NOT_IMPORTED, message, retryable: false },
        };
        const { now } = change;
        const finished = await this.writes.finishQueued(tx, runId, { result, now, take: FINISHED_AT_ONCE });
        const end = { outcome: 'infra_error', reason: NOT_IMPORTED } as const;
        for (const attempt of finished) recordUnclaimedEnd(change, attempt, end);
        await this.completion.scoreIfComplete(change, tx);
        return finished.length < FINISHED_AT_ONCE;
      });
    }
  }

  private async start(change: RunChange, tx: Transaction): Promise<void> {
    if (change.status !== 'queued') return;
    const agents = await this.changes.agents(change, tx);
    change.set({ startedAt: change.now });
    moveRun(change, 'running', { counts: progressOf(agents.map(({ counts }) => counts)) });
  }

  private async deliver(
    change: RunChange,
    tx: Transaction,
    wanted: ReadonlyMap<string, ImportedAttempt>,
  ): Promise<void> {
    const { run, now } = change;
    const { id: runId, imported } = run;
    if (wanted.size === 0 || imported === null) return;
    const attemptIds = [...wanted.keys()];
    const claim = { runId, attemptIds, executorId: IMPORT, leaseUntil: now, now };
    const held = await this.writes.claim(tx, claim);
    const ends = held.flatMap(({ id, runAgentId, caseKey, repetition, delivery }) => {
      const attempt = wanted.get(id);
      if (attempt === undefined) return [];
      change.count(runAgentId, { queued: -1, running: 1 });
      recordMove(change, { id, runAgentId, caseKey, repetition }, { from: 'queued', to: 'preparing' });
      const target = { runId, runAgentId, attemptId: id, caseKey, repetition, delivery, now };
      const { events, result } = importedDelivery(attempt, target, imported);
      change.append(events);
      const holder = { attemptId: id, delivery, executorId: IMPORT };
      return [{ holder, result, after: { next: 'finished' as const } }];
    });
    await this.deliveries.end(change, tx, ends);
  }
}

function checkImported({ run }: RunChange): void {
  if (run.imported !== null) return;
  throw new ContractError('conflict', `The run ${run.id} is no import: its attempts are run here.`);
}

function checkOpen(change: RunChange): void {
  checkImported(change);
  if (change.status === 'queued' || change.status === 'running') return;
  const message = `The run is ${change.status}: it takes no more attempts.`;
  throw new ContractError('conflict', message);
}

function checkLocations(attempts: readonly ImportedAttempt[], locations: ReadonlyMap<number, unknown>): void {
  const seen = new Set<string>();
  const errors = attempts.flatMap(({ lane, case_key, repetition }, index) => {
    const location = JSON.stringify([lane, case_key, repetition]);
    const isRepeated = seen.has(location);
    seen.add(location);
    const name = `case "${case_key}", repetition ${repetition}, of the lane "${lane}"`;
    const field = `attempts[${index}]`;
    if (isRepeated) return [{ code: 'duplicate', field, message: `is the second of ${name}` }];
    if (locations.has(index)) return [];
    return [{ code: 'unknown_reference', field, message: `is of ${name}, which the run does not have` }];
  });
  if (errors.length === 0) return;
  throw new ContractError('invalid_input', 'The run does not have all of these attempts.', {
    errors: errors.slice(0, PROBLEMS_MAX),
  });
}
