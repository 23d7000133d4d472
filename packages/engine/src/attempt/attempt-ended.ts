import type { AttemptEnd } from './outcome.js';

/** Thrown where work must stop because the attempt is over; whatever drives the agent lets it pass. */
export class AttemptEnded extends Error {
  override readonly name = 'AttemptEnded';

  constructor(readonly end: AttemptEnd) {
    super(`the attempt ended: ${end.because}`);
  }
}
