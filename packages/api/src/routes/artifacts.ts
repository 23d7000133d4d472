import { Artifact, artifacts } from '@agentclash/contracts';
import { z } from 'zod';
import { queryOf } from '../list-query.js';
import { route } from '../route.js';

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
