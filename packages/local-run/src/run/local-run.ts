import type { Attempt, HistoryEvent, RecordedEvent, StoredEvidence } from '@agentclash/contracts';
import { type AttemptEvent, endOfScoring } from '@agentclash/domain';
import type { RatedUnit } from '@agentclash/grading';
import { evidenceOf } from '@agentclash/local-attempts';
import { isUngradable, NO_EVIDENCE } from '@agentclash/run-rules';
import {
  AgentFold,
  type Contract,
  failureClusters,
  type Grader,
  openJudgeModel,
  rankRun,
  SEARCH_LIMITS,
  securityInput,
  sha256Of,
  WorkspaceSearch,
} from '@agentclash/run-scoring';
import { v7 as newId } from 'uuid';
import type { EndRecord, FinishedAttempt } from '../results/records.js';
import type { ResultsWriter } from '../results/results-writer.js';
import { LocalScoring, type ScoredAttempt } from '../scoring/local-scoring.js';
import { attemptLine } from './attempt-line.js';
import {
  type AttemptEnd,
  type AttemptResources,
  AttemptRunner,
  type LocalAttempt,
} from './attempt-runner.js';
import { type LocalCase, type PreparedRun, storedCase, WORKSPACE_ID } from './prepare-run.js';
import { RunCounts } from './run-counts.js';
import { Turns } from './turns.js';

/** Attempts that begin in one turn of the event loop: as many as are graded together. */
const BEGUN_AT_ONCE = 16;
/** No attempt begins while so many wait to be graded. */
const UNGRADED_MAX = 32;

export interface LocalRunOptions extends AttemptResources {
  grader: Grader;
  results: ResultsWriter;
  /** Attempts at once. */
  concurrency: number;
  onEvent: (event: RecordedEvent) => void;
  /** Ends the run; what has ended is kept. */
  signal: AbortSignal;
}

/** Conducts a run in this process, from its first attempt to its ranking. */
export class LocalRun {
  readonly counts: RunCounts;
  private readonly contract: Contract;
  private readonly runner: AttemptRunner;
  private readonly scoring: LocalScoring;
  private readonly search: WorkspaceSearch;
  private readonly folds: Map<string, AgentFold>;
  private readonly ratings = new Map<string, RatedUnit[]>();
  private readonly done = new Set<number>();
  private readonly writtenCases = new Set<string>();
  private readonly stores = new Map<string, AttemptEnd['store']>();
  private readonly turns: Turns;
  private readonly stopping = new AbortController();
  private readonly signal: AbortSignal;
  private position = 0;
  private endedBy: 'interrupt' | 'pack_errors' | undefined;

  constructor(
    private readonly prepared: PreparedRun,
    private readonly options: LocalRunOptions,
  ) {
    const { version, lanes } = prepared;
    this.contract = { manifest: version.manifest, spec: version.spec };
    this.counts = new RunCounts(prepared);
    this.runner = new AttemptRunner(prepared, options);
    this.turns = new Turns(BEGUN_AT_ONCE, () => options.grader.waiting >= UNGRADED_MAX);
    this.signal = AbortSignal.any([options.signal, this.stopping.signal]);
    this.folds = new Map(lanes.map(({ id }) => [id, new AgentFold(version.spec, this.ratings)]));
    this.search = new WorkspaceSearch(
      { open: (sha256) => this.archive(sha256) },
      { ...SEARCH_LIMITS, threads: 1 },
    );
    this.scoring = new LocalScoring({
      ...{ contract: this.contract, grader: options.grader, lanes: lanes.length, signal: this.signal },
      ...{ onError: options.ports.onError },
      judgeModels: {
        open: ({ model, judge }, { run_id: runId }, pricing) =>
          openJudgeModel(
            prepared.packModels[model],
            { judge, runId, pricing },
            { egress: options.ports.egress, slots: options.slots, credential: prepared.secrets.credential },
          ),
      },
    });
  }

  /** Counts an attempt of an interrupted run, so that it is not run again. */
  restore({ attempt, ordinal, scorecard, end }: FinishedAttempt): void {
    const { run_agent_id: laneId, case_key: caseKey, outcome } = attempt;
    this.done.add(ordinal);
    this.writtenCases.add(caseKey);
    this.counts.change(laneId, {
      queued: -1,
      ...(outcome !== null && { byOutcome: { [outcome]: 1 } }),
      tokens: tokensOf(attempt),
      costUsd: attempt.cost_usd ?? attempt.cost_at_least_usd ?? 0,
      ...(attempt.cost_usd === null && (attempt.model_call_count ?? 0) > 0 && { unpriced: 1 }),
    });
    this.counts.score(laneId, caseKey, attempt);
    this.folds.get(laneId)?.add({
      ...{ attemptId: attempt.id, caseKey, repetition: attempt.repetition },
      ...{ specHash: scorecard.spec_hash ?? '', evidenceHash: scorecard.evidence_hash ?? '' },
      attemptEnd: JSON.stringify(end),
      scorecard: scorecard.scorecard === null ? null : JSON.stringify(scorecard.scorecard),
    });
  }

  /** The end of the run; undefined when it was interrupted. Fails when the results cannot be written. */
  async run(): Promise<EndRecord | undefined> {
    const { concurrency } = this.options;
    this.counts.startedAt = new Date().toISOString();
    this.moveTo('running');
    const attempts = this.attempts();
    const workers = Array.from({ length: concurrency }, () => this.work(attempts));
    try {
      await Promise.all(workers);
    } finally {
      await this.search.stop();
    }
    if (this.options.signal.aborted) return undefined;
    return this.end();
  }

  /** In the order of work: one per repetition, case and lane, so that the lanes meet each case side by side. */
  private *attempts(): Generator<LocalAttempt> {
    const { caseKeys, cases, lanes, run } = this.prepared;
    let ordinal = 0;
    for (let repetition = 1; repetition <= run.repetitions; repetition++) {
      for (const key of caseKeys) {
        const own = cases.get(key);
        if (own === undefined) throw new TypeError(`the run has no case ${key}`);
        for (const lane of lanes) {
          const at = ordinal++;
          if (this.done.has(at)) continue;
          yield { id: newId(), ordinal: at, lane, case: decoded(own), repetition };
        }
      }
    }
  }

  private async work(attempts: Generator<LocalAttempt>): Promise<void> {
    try {
      for (;;) {
        await this.turns.next();
        if (this.signal.aborted) return;
        const next = attempts.next();
        if (next.done) return;
        await this.attempt(next.value);
        await this.options.results.drained();
      }
    } catch (error) {
      // A call of a judge that the interrupt ended.
      if (this.options.signal.aborted) return;
      // The other workers end too: without results there is no run.
      this.stopping.abort(error);
      this.turns.admit();
      throw error;
    }
  }

  private async attempt(attempt: LocalAttempt): Promise<void> {
    const laneId = attempt.lane.id;
    const { results } = this.options;
    this.counts.change(laneId, { queued: -1, running: 1 });
    const end = await this.runner.run(attempt, {
      signal: this.signal,
      emit: (event) => this.show(recorded(event)),
      onDelivery: (delivery, events) => {
        const last = events.at(-1);
        // Of an interrupted attempt nothing is kept: it is run again.
        if (this.signal.aborted || last === undefined) return;
        const items = events.map(recorded);
        for (const item of items) this.counts.spend(laneId, item);
        this.writeCase(attempt);
        results.add({ record: 'events', attempt_id: attempt.id, delivery, items });
      },
    });
    if (this.signal.aborted) return;
    this.stores.set(attempt.id, end.store);
    const ended = await this.endedAttempt(attempt, end);
    for (const scored of await this.scoring.score(ended)) this.keep(scored);
  }

  private async endedAttempt(attempt: LocalAttempt, end: AttemptEnd) {
    const { pack, run, packModels } = this.prepared;
    const { result, delivery } = end;
    const events = end.events.filter(({ event_type }) => !NO_EVIDENCE.includes(event_type));
    const stored: StoredEvidence = {
      ...{
        workspace_id: WORKSPACE_ID,
        run_id: run.id,
        run_agent_id: attempt.lane.id,
        attempt_id: attempt.id,
      },
      ...{ delivery, case_key: attempt.case.case.case.case_key, repetition: attempt.repetition },
      ...{
        challenge_pack_version_id: run.challenge_pack_version_id,
        evaluation_spec_id: run.evaluation_spec_id,
      },
      result: { ...result, usage: { ...result.usage } },
      events: events.map(recorded),
      stored_case: storedCase(attempt.case),
      pack_models: Object.fromEntries(
        Object.entries(packModels).map(([name, model]) => [name, { ...model }]),
      ),
    };
    const evidence = await evidenceOf(attempt.case.case, { pack, result, events, signal: this.signal });
    const security = await securityInput(this.contract, { stored, evidence }, this.search);
    return { stored, evidence, security, attempt, end };
  }

  private keep(scored: ScoredAttempt): void {
    const { attempt, end } = scored.attempt as Awaited<ReturnType<LocalRun['endedAttempt']>>;
    const { id, lane } = attempt;
    const { overall, passed, validity, pack_error } = scored.score;
    this.stores.delete(id);
    this.counts.change(lane.id, { running: -1, byOutcome: { [end.result.outcome]: 1 } });
    const caseKey = attempt.case.case.case.case_key;
    this.counts.score(lane.id, caseKey, { overall, passed, validity, ...(pack_error && { pack_error }) });
    this.folds.get(lane.id)?.add(scored.card);
    this.options.results.addLine(attemptLine({ attempt, end, scored, run: this.prepared.run }));
    this.record('run.attempt_scored', {
      payload: { attempt_id: id, overall, passed, validity, ...(pack_error && { pack_error }) },
      attempt: { run_agent_id: lane.id, attempt_id: id, case_key: caseKey, repetition: attempt.repetition },
    });
    if (isUngradable(this.counts.errors, this.counts.usable) && this.endedBy === undefined) {
      this.endedBy = 'pack_errors';
      this.stopping.abort();
    }
  }

  private end(): EndRecord {
    const { prepared } = this;
    const { run, lanes } = prepared;
    const isFailed = this.endedBy === 'pack_errors';
    if (isFailed) this.counts.cancelRest();
    else this.moveTo('scoring');
    const agents = lanes.map(({ id, snapshot }) => {
      const fold = this.folds.get(id);
      if (fold === undefined) throw new TypeError(`the run has no lane ${id}`);
      const planned = prepared.caseKeys.length * run.repetitions;
      const aggregate = fold.end({
        attempts_planned: planned,
        repetitions: run.repetitions,
        order: undefined,
      });
      return { run_agent_id: id, name: snapshot.name, variant: snapshot.variant, ...aggregate };
    });
    const ranking = isFailed
      ? { items: [], judges: [], variants: [] }
      : rankRun(this.contract.spec, agents, { ratings: this.ratings, isStopped: false });
    this.counts.finishedAt = new Date().toISOString();
    this.moveTo(isFailed ? 'failed' : endOfScoring(this.counts.usable));
    const counts = this.counts.progress;
    this.record('run.completed', { payload: { status: this.counts.status, counts, ranking: ranking.items } });
    const specHash = sha256Of(this.contract.spec);
    const end: EndRecord = {
      record: 'end',
      ...{ run: this.counts.run, agents: this.counts.agents, ranking },
      agent_scorecards: agents.map(({ run_agent_id, scorecard, evidenceHash }) => ({
        ...{ run_agent_id, state: 'ready' as const, revision: 1, evaluation_spec_id: run.evaluation_spec_id },
        ...{ spec_hash: specHash, evidence_hash: evidenceHash, scored_at: this.counts.finishedAt },
        ...{ scorecard: { ...scorecard }, failure: null },
      })),
      failures: agents.flatMap(({ run_agent_id, name, failed }) =>
        failureClusters(this.contract.manifest.pack.slug, failed).map(
          ({ key, caseKey, failure, attempts, attemptId }) => ({
            ...{ cluster_key: key, run_agent_id, agent_name: name, case_key: caseKey },
            ...failure,
            failing_keys: [...failure.failing_keys],
            ...{ attempts, attempt_id: attemptId, runs: 1 },
          }),
        ),
      ),
    };
    this.options.results.add(end);
    return end;
  }

  private moveTo(to: RunCounts['status']): void {
    const from = this.counts.status;
    this.counts.status = to;
    this.record('run.state_changed', { payload: { from, to, counts: this.counts.progress } });
  }

  private record(
    event_type: string,
    { payload, attempt = {} }: { payload: Record<string, unknown>; attempt?: object },
  ): void {
    const event: Omit<RecordedEvent, 'position'> = {
      ...{ event_id: newId(), schema_version: '1', run_id: this.prepared.run.id, ...attempt },
      ...{ sequence_number: this.position + 1, event_type, source: 'orchestrator' },
      ...{ occurred_at: new Date().toISOString(), payload, summary: {} },
    };
    this.options.results.add({ record: 'run_event', event });
    this.show(event);
  }

  private show(event: Omit<RecordedEvent, 'position'>): void {
    this.position += 1;
    this.options.onEvent({ ...event, position: this.position });
  }

  private writeCase({ case: own }: LocalAttempt): void {
    const key = own.case.case.case_key;
    if (this.writtenCases.has(key)) return;
    this.writtenCases.add(key);
    this.options.results.add({ record: 'case', case: storedCase(own) });
  }

  private async *archive(sha256: string): AsyncGenerator<Uint8Array> {
    for (const store of this.stores.values()) {
      if (store.has(sha256)) yield* store.get({ sha256, bytes: 0 });
    }
  }
}

/** Decoded once for its attempt, and no longer than that. */
function decoded({ case: { inputSetKey, case: each }, position }: LocalCase): LocalCase {
  return { case: { inputSetKey, case: each }, position };
}

function tokensOf({ usage }: Attempt): number {
  const { total, input, output } = (usage ?? {}) as Partial<Record<string, unknown>>;
  if (typeof total === 'number') return total;
  return (typeof input === 'number' ? input : 0) + (typeof output === 'number' ? output : 0);
}

/** A numbered event of the engine, which is JSON. */
function recorded(event: AttemptEvent): HistoryEvent {
  return event as object as HistoryEvent;
}
