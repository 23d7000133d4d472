import type {
  Attempt,
  AttemptScorecard,
  Failure,
  HistoryEvent,
  PackVersion,
  RecordedEvent,
  Run,
  RunAgent,
  ScorecardReply,
  StoredCase,
} from '@agentclash/contracts';
import type { AttemptView, RankedRun } from '@agentclash/run-scoring';

/** The first line of a file of results names it. */
export const RESULTS_FORMAT = 'agentclash.results/1';

/** The run as it was before its first attempt. */
export interface RunRecord {
  record: 'run';
  format: typeof RESULTS_FORMAT;
  /** The release that wrote it. */
  agentclash: string;
  run: Run;
  agents: RunAgent[];
  version: PackVersion;
  /** Of the pack, without its input sets. */
  manifest: object;
  /** Of pack and agents, by which a resumed run is the same. */
  digest: string;
}

/** A case of the run, before the first attempt at it. */
export interface CaseRecord {
  record: 'case';
  case: StoredCase;
}

/** Events of one delivery, next in its history. */
export interface EventsRecord {
  record: 'events';
  attempt_id: string;
  delivery: number;
  items: HistoryEvent[];
}

/** An event of the run itself. */
interface RunEventRecord {
  record: 'run_event';
  event: Omit<RecordedEvent, 'position'>;
}

/** A finished attempt with its scorecard. */
export interface AttemptRecord {
  record: 'attempt';
  /** In the order of work. */
  ordinal: number;
  attempt: Attempt;
  scorecard: AttemptScorecard;
  final_output: string | null;
  end: AttemptView;
}

/** The part of an attempt that a continued run counts. */
export type FinishedAttempt = Pick<AttemptRecord, 'attempt' | 'ordinal' | 'scorecard' | 'end'>;

/** The end of a run: all attempts are scored. */
export interface EndRecord {
  record: 'end';
  run: Run;
  agents: RunAgent[];
  ranking: RankedRun;
  agent_scorecards: (ScorecardReply & { run_agent_id: string })[];
  failures: Failure[];
}

export type ResultsRecord =
  | RunRecord
  | CaseRecord
  | EventsRecord
  | RunEventRecord
  | AttemptRecord
  | EndRecord;
