import type { Attempt, HistoryEvent, PackErrorOfRun, Run, RunAgent } from '@agentclash/contracts';
import {
  type AgentCounts,
  addCounts,
  type CountChange,
  changedPackErrors,
  costOf,
  failureOf,
  noCounts,
  overallSoFar,
  progressOf,
  runAgentStatus,
  scoreChange,
  spendingOf,
} from '@agentclash/run-rules';
import { uuidOf } from './ids.js';
import type { LocalLane, PreparedRun } from './prepare-run.js';

type Score = Pick<Attempt, 'overall' | 'passed' | 'validity' | 'pack_error'>;

/** The counts of one run, and the run as readers see it. */
export class RunCounts {
  private readonly lanes: Map<string, AgentCounts>;
  private packErrors: PackErrorOfRun[] = [];
  status: Run['status'] = 'queued';
  startedAt: string | null = null;
  finishedAt: string | null = null;

  constructor(private readonly prepared: PreparedRun) {
    const { caseKeys, run } = prepared;
    const queued = caseKeys.length * run.repetitions;
    this.lanes = new Map(prepared.lanes.map(({ id }) => [id, { ...noCounts(), queued }]));
  }

  change(laneId: string, change: CountChange): void {
    const counts = this.lanes.get(laneId);
    if (counts === undefined) throw new TypeError(`the run has no lane ${laneId}`);
    this.lanes.set(laneId, addCounts(counts, change));
  }

  /** Tokens and cost of a delivery, by the event that ends it. */
  spend(laneId: string, event: Pick<HistoryEvent, 'event_type' | 'payload'>): void {
    const spending = spendingOf(event);
    if (spending !== undefined) this.change(laneId, spending);
  }

  /** Counts the score of an attempt, which has none yet. */
  score(laneId: string, caseKey: string, { overall, passed, validity, pack_error }: Score): void {
    const before = { revision: null, overall: null, passed: null, validity: null };
    const scored = { revision: 1, overall, passed, validity: validity ?? 'invalid' };
    const change = scoreChange(before, scored);
    if (change !== undefined) this.change(laneId, change);
    if (pack_error === undefined) return;
    const error = { case_key: caseKey, before: null, after: pack_error };
    this.packErrors = changedPackErrors(this.packErrors, [error]);
  }

  /** Ends what waits or is at work, where nothing can come of the run. */
  cancelRest(): void {
    for (const [id, { queued, running }] of this.lanes) {
      this.change(id, {
        ...{ queued: -queued, running: -running },
        byOutcome: { cancelled: queued + running },
      });
    }
  }

  get usable(): number {
    return [...this.lanes.values()].reduce((sum, { usable }) => sum + usable, 0);
  }

  get errors(): readonly PackErrorOfRun[] {
    return this.packErrors;
  }

  get progress(): Run['progress'] {
    return progressOf([...this.lanes.values()]);
  }

  get run(): Run {
    const { status, packErrors } = this;
    const failure = failureOf(status, packErrors);
    return {
      ...this.prepared.run,
      status,
      ...(packErrors.length > 0 && { pack_errors: packErrors }),
      ...(failure && { failure }),
      progress: this.progress,
      ...{ started_at: this.startedAt, finished_at: this.finishedAt },
    };
  }

  get agents(): RunAgent[] {
    return this.prepared.lanes.map((lane) => this.agentOf(lane));
  }

  private agentOf({ id, snapshot, prices }: LocalLane): RunAgent {
    const counts = this.lanes.get(id) ?? noCounts();
    const { deployment_id, revision, name, variant, kind } = snapshot;
    return {
      ...{ id, run_id: this.prepared.run.id, deployment_id: deployment_id ?? uuidOf(name) },
      ...{ deployment_revision: revision, name, ...(variant && { variant }), kind, prices },
      status: runAgentStatus(counts, this.status),
      ...{ progress: progressOf([counts]), overall_so_far: overallSoFar(counts) },
      tally: { judged: counts.judged, graded: counts.graded, tokens: counts.tokens, ...costOf(counts) },
    };
  }
}
