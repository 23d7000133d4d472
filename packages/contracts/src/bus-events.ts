import { z } from 'zod';
import { event } from './message.js';
import { Timestamp } from './values.js';

export const busEvents = {
  /**
   * A message that a service failed on until nobody tries it any more. An event stays in its stream under `sequence`,
   * as long as the stream keeps it; what a job was for is still in the rows of who sent it.
   */
  deadLetter: event('bus.v1.given_up', {
    input: z.object({
      service: z.string(),
      subject: z.string(),
      sequence: z.number().int(),
      deliveries: z.number().int(),
      /** `internal` stands for a bug: what it was, only the log of the service says. */
      code: z.string(),
      /** What the message said; null where that was not JSON, or is long. */
      content: z.unknown(),
      occurred_at: Timestamp,
    }),
  }),
};
