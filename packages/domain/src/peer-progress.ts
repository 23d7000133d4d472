export const PEER_STATES = ['waiting', 'working', 'finished'] as const;

/** The progress of another lane with the same case. */
export interface PeerProgress {
  /** Stable within the attempt's run; never shown to the agent. */
  id: string;
  /** Steps that it has completed in its last delivery. */
  steps: number;
  state: (typeof PEER_STATES)[number];
}
