import { ContractError, type Run } from '@agentclash/contracts';

export interface CandidateBaseline {
  run: Pick<Run, 'id' | 'status' | 'finished_at' | 'selective_retry'>;
  /** Whether the lane that is accepted, or one of several, has a usable scorecard. */
  isScored: boolean;
}

/** Why a run cannot be what others are measured against, the first that applies. */
const UNFIT: readonly [
  code: string,
  applies: (side: CandidateBaseline) => boolean,
  says: (run: CandidateBaseline['run']) => string,
][] = [
  [
    'run_not_over',
    ({ run }) => run.finished_at === null,
    ({ id }) => `The run ${id} is not over: wait for its ranking.`,
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
      `Attempts of the run ${id} were run again because of their result: no gate would decide against it. Start it anew.`,
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
