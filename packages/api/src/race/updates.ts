/** An attempt that was scored, or whose delivery failed and is retried. */
export interface AttemptUpdate {
  kind: 'scored' | 'retried';
  /** Of its event. */
  position: number;
  at: string;
  attemptId: string;
  laneIndex: number;
  laneName: string;
  caseKey: string;
  repetition: number;
  outcome: string | null;
  passed: boolean | null;
  overall: number | null;
  /** Of its scorecard; null before there is one. */
  validity: string | null;
  /** The reason, where something failed. */
  message: string | null;
  /** The progress of its lane at that event. */
  scored: number;
  total: number;
}

/** A change of the run's status. */
interface RunUpdate {
  kind: 'run';
  at: string;
  status: string;
  reason: string | null;
}

/** A lane that needs no further attempts. */
export interface HaltUpdate {
  kind: 'halted';
  at: string;
  laneIndex: number;
  laneName: string;
  /** `eliminated`, `decided` or `budget`. */
  reason: string;
  /** Of an eliminated lane: the cases of the evidence by then, and the name of the lane that was better. */
  afterCases: number | null;
  by: string | null;
  skipped: number;
}

export type RaceUpdate = AttemptUpdate | RunUpdate | HaltUpdate;
