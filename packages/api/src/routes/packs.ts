import { JsonObject, packs } from '@agentclash/contracts';
import { LIFECYCLE_STATUSES } from '@agentclash/domain';
import { z } from 'zod';
import { ListQuery, queryOf } from './list-query.js';
import { route } from './route.js';

const packsPath = '/v1/workspaces/{ws}/challenge-packs';
const versionPath = '/v1/workspaces/{ws}/challenge-pack-versions/{version_id}';
/** Warnings count as errors. */
const Strictness = z.strictObject({ strict: z.boolean().default(false) });
/** `draft` stores a version that is in no list and expires, for runs that try it. */
const PublishQuery = Strictness.extend({ draft: z.boolean().default(false) });

export const packRoutes = {
  validate: route({
    method: 'POST',
    path: `${packsPath}/validate`,
    access: 'viewer',
    summary:
      'Validate a challenge pack, with or without the files beside it, and report every problem at once; stores nothing',
    query: Strictness,
    body: 'pack',
    response: packs.validate.output,
    status: 200,
  }),
  publish: route({
    method: 'POST',
    path: packsPath,
    access: 'member',
    summary:
      'Publish a version and store the files beside it; 200 with the same ids when the same was published before. With draft=true, store a draft for two days: its runs are in no list, and compared with none',
    query: PublishQuery,
    body: 'pack',
    response: packs.publish.output,
    status: 201,
    conflicts: 'The number was published with other content, or the pack is another',
    also: { 200: 'The same content was published before' },
    creates: true,
  }),
  list: route({
    method: 'GET',
    path: packsPath,
    access: 'viewer',
    summary: 'Challenge packs with their versions',
    query: queryOf(packs.list.input, 'workspace_id'),
    response: packs.list.output,
    status: 200,
  }),
  get: route({
    method: 'GET',
    path: `${packsPath}/{pack}`,
    access: 'viewer',
    summary: 'One pack, by id or slug, with its versions',
    response: packs.get.output,
    status: 200,
  }),
};

export const versionRoutes = {
  get: route({
    method: 'GET',
    path: versionPath,
    access: 'viewer',
    summary: 'One version: metadata, digest, summary',
    response: packs.getVersion.output,
    status: 200,
  }),
  manifest: route({
    method: 'GET',
    path: `${versionPath}/manifest`,
    access: 'viewer',
    summary: 'The manifest as canonical JSON (RFC 8785), the bytes behind the digest',
    response: JsonObject,
    status: 200,
  }),
  bundle: route({
    method: 'GET',
    path: `${versionPath}/bundle`,
    access: 'viewer',
    summary: 'The document as it was published, byte for byte',
    response: 'bytes',
    status: 200,
  }),
  setLifecycle: route({
    method: 'PATCH',
    path: versionPath,
    access: 'member',
    summary: 'Deprecate, restore or archive a version; archived is final',
    body: z.strictObject({ lifecycle_status: z.enum(LIFECYCLE_STATUSES) }),
    response: packs.setLifecycle.output,
    status: 200,
    conflicts: 'The version cannot change to this state',
  }),
  inputSets: route({
    method: 'GET',
    path: `${versionPath}/input-sets`,
    access: 'viewer',
    summary: 'Input sets of a version, in authored order',
    response: packs.inputSets.output,
    status: 200,
  }),
  cases: route({
    method: 'GET',
    path: `${versionPath}/input-sets/{input_set_id}/cases`,
    access: 'viewer',
    summary: 'Stored cases of an input set, in authored order',
    query: ListQuery,
    response: packs.cases.output,
    status: 200,
  }),
};
