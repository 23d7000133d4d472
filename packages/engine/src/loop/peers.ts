/** How far another lane is with the same case. */
export interface PeerProgress {
  /** Stable within the attempt's run; never shown to the agent. */
  id: string;
  /** Steps that it has completed. */
  steps: number;
  state: 'waiting' | 'working' | 'finished';
}
