import { StorageSettings, StorageUsage, SweepRequest, SweepStep } from '@agentclash/contracts';
import { z } from 'zod';
import { route } from '../route.js';

const path = '/v1/workspaces/{ws}/storage';

/** How long runs are kept after their end: a number of days, null for ever, `default` for the operator's setting. */
const Retention = z.strictObject({
  retention_days: z.union([StorageSettings.shape.retention_days.unwrap(), z.literal('default')]),
});

const SWEPT_AREAS = ['evidence', 'artifacts'] as const;

export const storageRoutes = {
  usage: route({
    method: 'GET',
    path,
    access: 'viewer',
    summary: 'Stored bytes of the evidence of the workspace, their maximum, and the retention',
    response: StorageUsage,
    status: 200,
  }),
  configure: route({
    method: 'PUT',
    path,
    access: 'admin',
    summary:
      'Set how many days runs are kept after their end: a number, null (for ever), or "default" (as the operator has set it)',
    body: Retention,
    response: StorageUsage,
    status: 200,
  }),
  sweep: route({
    method: 'POST',
    path: '/v1/storage/sweep',
    access: 'operator',
    summary:
      'Compare stored bytes with what refers to them, one step at a time: continue with `from` set to `next` until it is null',
    body: SweepRequest.extend({ area: z.enum(SWEPT_AREAS) }),
    response: SweepStep,
    status: 200,
  }),
};
