import { Timestamp, Uuid } from '@agentclash/contracts';
import { z } from 'zod';
import { route } from './route.js';

/** A link that shows the result pages of one run to everyone who has it, read-only, until it expires. */
export const RunShare = z.object({
  id: Uuid,
  run_id: Uuid,
  created_at: Timestamp,
  created_by: z.string(),
  expires_at: Timestamp,
  /** To the minute; null when it was never opened. */
  last_used_at: Timestamp.nullable(),
});
export type RunShare = z.infer<typeof RunShare>;

const NewShare = z.strictObject({
  /** Default: in 7 days. The installation sets the longest time. */
  expires_at: Timestamp.optional(),
});

/** Of the web app; the token comes after the `#`, which no browser sends to a server. */
export const SHARE_PATH = '/share';

const path = '/v1/workspaces/{ws}/runs/{run_id}/shares';

export const shareRoutes = {
  create: route({
    method: 'POST',
    path,
    access: 'member',
    summary: 'Create a link that shows the results of the run without a sign-in; only this response holds it',
    body: NewShare,
    response: RunShare.extend({
      token: z.string(),
      /** Below the address of the web app. */
      path: z.string(),
    }),
    status: 201,
    conflicts: 'The run has too many links',
    creates: true,
  }),
  list: route({
    method: 'GET',
    path,
    access: 'viewer',
    summary: 'The links of a run that are valid, newest first; never the links themselves',
    response: z.object({ items: z.array(RunShare) }),
    status: 200,
  }),
  revoke: route({
    method: 'DELETE',
    path: `${path}/{share_id}`,
    access: 'member',
    summary: 'Revoke a link at once',
    response: 'none',
    status: 204,
  }),
};
