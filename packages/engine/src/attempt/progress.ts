import type { AwaitedTurn, ConversationState } from '../conversation/state.js';
import type { AttemptResult } from './result.js';
import type { HostedSandbox } from './sandbox-host.js';

/** Where a delivery is when its executor has nothing more to do: at its end, or waiting for a person. */
export type AttemptProgress = { ended: AttemptResult } | { parked: ParkedAttempt };

/** A delivery that waits for a person. Nothing of it runs; `resumeAttempt` goes on with it. */
export interface ParkedAttempt extends AwaitedTurn {
  state: ConversationState;
  /** Stays alive until a minute after the deadline, then ends by itself. */
  sandbox: HostedSandbox;
}
