/** An attempt that has been scored, or that is tried again: what is worth a line. */
export interface AttemptLanding {
  kind: 'scored' | 'retried';
  at: string;
  lane: string;
  attemptId: string;
  caseKey: string;
  repetition: number;
  outcome: string | undefined;
  passed: boolean | null;
  overall: number | null;
  /** Of its scorecard; undefined before there is one. */
  validity: string | undefined;
  /** Why, where something failed. */
  message: string | undefined;
  /** How far its lane is by then. */
  scored: number;
  total: number;
}

interface RunLanding {
  kind: 'run';
  at: string;
  status: string;
  reason: string | undefined;
}

export type Landing = AttemptLanding | RunLanding;
