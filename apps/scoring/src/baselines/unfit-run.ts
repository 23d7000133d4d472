import { ContractError, type Run } from '@agentclash/contracts';

export interface CandidateBaseline {
  run: Pick<Run, 'id' | 'status' | 'finished_at' | 'selective_retry'>;
  /** Whether an accepted lane has a usable scorecard. */
  isScored: boolean;
}

/** Reasons for which a run cannot be a baseline; the first that applies is reported. */
const UNFIT: readonly [
  code: string,
  applies: (side: CandidateBaseline) => boolean,
  messageOf: (run: CandidateBaseline['run']) => string,
][] = [
  [
    'run_not_over',
    ({ run }) => run.finished_at === null,
    ({ id }) => `The run ${id} has not ended: wait for its ranking.`,
  ],
  [
    'run_not_completed',
    ({ run }) => run.status !== 'completed',
    ({ id, status }) =>
      `The run ${id} ${status === 'cancelled' ? 'was cancelled' : `is ${status}`}: only a completed run can be a baseline.`,
  ],
  [
    'selective_retry',
    ({ run }) => run.selective_retry === true,
    ({ id }) =>
      `Attempts of the run ${id} were retried because of their result: no gate would decide against it. Start a new run.`,
  ],
  [
    'not_scored',
    ({ isScored }) => !isScored,
    ({ id }) => `The run ${id} has no usable scorecard: no gate could decide against it.`,
  ],
];

/** Fails with `conflict` for a run that no gate could decide against. */
export function checkFit(candidate: CandidateBaseline): void {
  for (const [code, applies, messageOf] of UNFIT) {
    if (!applies(candidate)) continue;
    const message = messageOf(candidate.run);
    throw new ContractError('conflict', message, { errors: [{ code, field: 'run_id', message }] });
  }
}
