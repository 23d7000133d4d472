import {
  Artifact,
  artifacts,
  StorageSettings,
  StorageUsage,
  SweepRequest,
  SweepStep,
} from '@agentclash/contracts';
import { STORAGE_AREAS } from '@agentclash/domain';
import { z } from 'zod';
import { queryOf } from './list-query.js';
import { route } from './route.js';

const path = '/v1/workspaces/{ws}/artifacts';

export const ARTIFACT_BYTES_MAX = 104_857_600;

export const artifactRoutes = {
  upload: route({
    method: 'POST',
    path,
    access: 'member',
    summary: 'Store a file (multipart/form-data, one part with a file name, at most 100 MiB)',
    body: 'upload',
    response: Artifact,
    status: 201,
    creates: true,
  }),
  list: route({
    method: 'GET',
    path,
    access: 'viewer',
    summary: 'Stored files, newest first',
    query: queryOf(artifacts.list.input, 'workspace_id'),
    response: artifacts.list.output,
    status: 200,
  }),
  get: route({
    method: 'GET',
    path: `${path}/{artifact_id}`,
    access: 'viewer',
    summary: 'One stored file, with a short-lived URL of its bytes',
    response: Artifact.extend({
      /** Relative to the API's address; valid without a token until it expires. */
      content_url: z.string(),
    }),
    status: 200,
  }),
  remove: route({
    method: 'DELETE',
    path: `${path}/{artifact_id}`,
    access: 'member',
    summary: 'Delete a stored file that no version, deployment or run refers to',
    response: 'none',
    status: 204,
    conflicts: 'Something refers to it',
  }),
  content: route({
    method: 'GET',
    path: `${path}/{artifact_id}/content`,
    access: 'signed',
    summary: 'The bytes of a stored file, by token or by signed URL',
    query: z.strictObject({
      /** Seconds since the epoch. */
      expires: z.number().int().optional(),
      signature: z.string().max(128).optional(),
    }),
    response: 'bytes',
    status: 200,
    also: { 206: 'The requested range' },
  }),
};

const storagePath = '/v1/workspaces/{ws}/storage';

/** How long runs are kept after their end: a number of days, null for ever, `default` for the operator's setting. */
const Retention = z.strictObject({
  retention_days: z.union([StorageSettings.shape.retention_days.unwrap(), z.literal('default')]),
});

export const storageRoutes = {
  usage: route({
    method: 'GET',
    path: storagePath,
    access: 'viewer',
    summary: 'Stored bytes of the evidence of the workspace, their maximum, and the retention',
    response: StorageUsage,
    status: 200,
  }),
  configure: route({
    method: 'PUT',
    path: storagePath,
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
    body: SweepRequest.extend({ area: z.enum(STORAGE_AREAS) }),
    response: SweepStep,
    status: 200,
  }),
};
