import type {
  BusEvent,
  CaseSubset,
  HistoryEvent,
  In,
  Job,
  PackErrorOfRun,
  Race,
  Run,
  StopWhen,
} from '@agentclash/contracts';
import { canRunMove, type ModelCallMode, type RunStatus, type RunStopReason } from '@agentclash/domain';
import { type CountChange, spendingOf } from '@agentclash/run-rules';
import { newId } from '@agentclash/service-kit';
import type { EventRow, RunFactDraft } from './event-draft.js';
import { factMessageId, factOf } from './event-draft.js';
import type { NoticeDraft, WebhookNotice } from './webhook-notice.js';

/** The run's row as it was when it was locked. */
export interface LockedRun {
  id: string;
  workspaceId: string;
  /** The request that it was made for. */
  requestId: string | null;
  versionId: string;
  evaluationSpecId: string;
  /** Of the version. */
  executionMode: string;
  status: RunStatus;
  repetitions: number;
  /** How often it was set going. */
  round: number;
  selectiveRetry: boolean;
  /** Null: its attempts are run here. */
  imported: NonNullable<Run['imported']> | null;
  /** Null: live. */
  modelCalls: Exclude<ModelCallMode, 'live'> | null;
  packErrors: PackErrorOfRun[];
  stopWhen: StopWhen | null;
  /** Why it ends before its last attempt. */
  stopped: RunStopReason | null;
  /** Blocks that the verdicts of its race are of; since when they lack evidence. */
  raceBlocks: number;
  raceDueAt: Date | null;
  /** Lanes of which no more attempts are needed in this round. */
  haltedAgents: string[];
  caseSubset: CaseSubset | null;
  maxConcurrency: number | null;
  eventPosition: number;
  eventSequence: number;
  /** Attempts that are not finished; not scored. */
  unfinished: number;
  unscored: number;
  startedAt: Date | null;
  finishedAt: Date | null;
  scoreDueAt: Date | null;
  announcedAt: Date | null;
}

/** Columns of the run that a change may set. */
export interface RunPatch {
  status?: RunStatus;
  round?: number;
  selectiveRetry?: true;
  packErrors?: PackErrorOfRun[];
  startedAt?: Date;
  /** Null when an ended run is resumed. */
  finishedAt?: Date | null;
  ranking?: unknown;
  race?: Race;
  raceBlocks?: number;
  raceDueAt?: Date | null;
  /** Null where a retry has left open what had stopped the run. */
  stopped?: RunStopReason | null;
  scoreDueAt?: Date | null;
  announcedAt?: null;
}

/** A message that is published once the change is committed. */
export type OutboxMessage =
  | { kind: 'event'; message: BusEvent; input: unknown; id: string }
  | { kind: 'job'; message: Job; input: unknown; id: string };

/**
 * One change of a run, collected in memory while its row is locked and written at once. The outbox is published after
 * the commit.
 */
export class RunChange {
  readonly events: EventRow[] = [];
  readonly counts = new Map<string, CountChange[]>();
  readonly outbox: OutboxMessage[] = [];
  /** The events of this change that webhooks of the workspace may report. */
  readonly notices: WebhookNotice[] = [];
  readonly patch: RunPatch = {};
  unfinished = 0;
  unscored = 0;
  /** The source of the attempts that may be dispatched now: the run's window, or the queue alone. */
  freed: 'window' | 'queue' | undefined;
  /** Lanes of which no more attempts are needed. */
  readonly halted: Set<string>;
  private facts = 0;
  /** Numbers of the events that were appended, by delivery. */
  private readonly appended = new Map<string, Set<number>>();

  constructor(
    readonly run: LockedRun,
    readonly now: Date,
  ) {
    this.halted = new Set(run.haltedAgents);
  }

  get status(): RunStatus {
    return this.patch.status ?? this.run.status;
  }

  /** Attempts still unscored after this change. */
  get unscoredLeft(): number {
    return this.run.unscored + this.unscored;
  }

  /** The errors of the pack that keep attempts from being graded, after this change. */
  get packErrors(): PackErrorOfRun[] {
    return this.patch.packErrors ?? this.run.packErrors;
  }

  /** True when no more attempts of a lane are needed, after this change. */
  isHalted(runAgentId: string): boolean {
    return this.halted.has(runAgentId);
  }

  /** Why the run ends before its last attempt, after this change. */
  get stopped(): RunStopReason | null {
    return this.patch.stopped === undefined ? this.run.stopped : this.patch.stopped;
  }

  /** True when the verdicts of the run's race lack evidence, after this change. */
  get isRaceDue(): boolean {
    const { raceDueAt } = this.patch;
    return (raceDueAt === undefined ? this.run.raceDueAt : raceDueAt) !== null;
  }

  /** True when the run has ended before all its attempts: what is left of them ends without being graded. */
  get isStopping(): boolean {
    const hasEnded = this.status === 'cancelled' || this.status === 'failed';
    const finishedAt = this.patch.finishedAt === undefined ? this.run.finishedAt : this.patch.finishedAt;
    return hasEnded && finishedAt === null;
  }

  get unfinishedLeft(): number {
    return this.run.unfinished + this.unfinished;
  }

  set(patch: RunPatch): void {
    const { status } = patch;
    if (status !== undefined && !canRunMove(this.status, status)) {
      throw new Error(`run ${this.run.id} cannot go from ${this.status} to ${status}`);
    }
    if (patch.stopped === 'budget' && this.stopped !== 'budget') {
      this.notify({ event: 'budget.reached', data: { budget: this.run.stopWhen?.budget ?? {} } });
    }
    Object.assign(this.patch, patch);
  }

  count(runAgentId: string, change: CountChange): void {
    const changes = this.counts.get(runAgentId) ?? [];
    changes.push(change);
    this.counts.set(runAgentId, changes);
  }

  /** Writes a fact into the run's own history. */
  record({ type, payload, attempt }: RunFactDraft): EventRow {
    this.facts += 1;
    const sequenceNumber = this.run.eventSequence + this.facts;
    const row: EventRow = {
      eventId: newId(),
      runAgentId: attempt?.run_agent_id ?? null,
      attemptId: attempt?.attempt_id ?? null,
      delivery: null,
      caseKey: attempt?.case_key ?? null,
      repetition: attempt?.repetition ?? null,
      sequenceNumber,
      eventType: type,
      source: 'orchestrator',
      occurredAt: this.now.toISOString(),
      payload,
      summary: {},
    };
    this.events.push(row);
    return row;
  }

  /** Records an event and adds it to the outbox; its number is the message id, so that a repeated publication is dropped. */
  recordAndPublish<E extends BusEvent>(message: E, draft: RunFactDraft): void {
    const { id, workspaceId } = this.run;
    const fact = factOf({ ...this.record(draft), runId: id }, workspaceId);
    this.publish(message, fact as In<E>, factMessageId(fact));
  }

  /** Numbers of a delivery's events that this change has appended so far, none of which is stored yet. */
  numbersOf(attemptId: string, delivery: number): ReadonlySet<number> {
    return this.appended.get(`${attemptId} ${delivery}`) ?? new Set();
  }

  /** Adds events of a delivery, which bring their own numbers. */
  append(events: readonly HistoryEvent[]): void {
    for (const event of events) {
      const { run_agent_id, attempt_id, delivery, sequence_number } = event;
      const key = `${attempt_id} ${delivery}`;
      this.appended.set(key, (this.appended.get(key) ?? new Set()).add(sequence_number));
      const spent = spendingOf(event);
      if (spent !== undefined && run_agent_id !== undefined) this.count(run_agent_id, spent);
    }
    this.events.push(
      ...events.map((event) => ({
        eventId: event.event_id,
        runAgentId: event.run_agent_id ?? null,
        attemptId: event.attempt_id ?? null,
        delivery: event.delivery ?? null,
        caseKey: event.case_key ?? null,
        repetition: event.repetition ?? null,
        sequenceNumber: event.sequence_number,
        eventType: event.event_type,
        source: event.source,
        occurredAt: event.occurred_at,
        payload: event.payload,
        summary: event.summary,
      })),
    );
  }

  /** Has the workspace's webhooks report it; `factId` names what may be reported again. */
  notify({ factId = newId(), ...draft }: NoticeDraft): void {
    this.notices.push({ ...draft, factId });
  }

  /** Dispatches further attempts after this change is complete. */
  requestDispatch(where: 'window' | 'queue'): void {
    if (this.freed !== 'window') this.freed = where;
  }

  publish<E extends BusEvent>(message: E, input: In<E>, id: string): void {
    this.outbox.push({ kind: 'event', message, input, id });
  }

  send<J extends Job>(message: J, input: In<J>, id: string): void {
    this.outbox.push({ kind: 'job', message, input, id });
  }

  /** Events recorded so far; they continue the run's own numbering. */
  get factCount(): number {
    return this.facts;
  }

  /** True when there is anything to write. */
  get isEmpty(): boolean {
    const isCounted = this.counts.size > 0 || this.unfinished !== 0 || this.unscored !== 0;
    return this.events.length === 0 && !isCounted && Object.keys(this.patch).length === 0;
  }
}
