import { z } from 'zod';
import { event } from './message.js';
import { Timestamp } from './values.js';

export const busEvents = {
  /**
   * A dead letter: a message that is not delivered again. An event stays in its stream under `sequence`, as long as the
   * stream keeps it; the work of a job is still in the rows of its sender.
   */
  deadLetter: event('bus.v1.given_up', {
    input: z.object({
      service: z.string(),
      subject: z.string(),
      sequence: z.number().int(),
      deliveries: z.number().int(),
      /** `internal` is a bug, whose error is in the log of the service only. */
      code: z.string(),
      /** The message's content; null where that is no JSON, or too long. */
      content: z.unknown(),
      occurred_at: Timestamp,
    }),
  }),
};
