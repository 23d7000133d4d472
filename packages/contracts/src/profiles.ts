import { z } from 'zod';
import { limitFields } from './limits.js';
import { rpc } from './message.js';
import { Applied, inWorkspace, ResourceName } from './resources.js';
import { PageQuery, PlainText, page, Timestamp, Uuid } from './values.js';

/** Execution limits and overrides; what is absent has the default of the engine. Seconds and bytes as named. */
export const RuntimeProfileSpec = z.strictObject({
  name: ResourceName,
  ...limitFields,
  sandbox: z
    .strictObject({
      cpu: z.number().positive().max(64).optional(),
      memory_bytes: z
        .number()
        .int()
        .min(16_777_216)
        .optional()
        .describe(
          'Memory of the processes when the disks in memory are full: the sandbox as a whole may hold this plus the sizes of those disks.',
        ),
      pids: z.number().int().min(8).optional(),
      workspace_bytes: z.number().int().min(1_048_576).optional(),
    })
    .optional(),
  tool_policy: z
    .strictObject({
      allow_shell: z.boolean().optional(),
      allow_network: z.boolean().optional(),
      denied_tools: z.array(z.string().min(1)).max(200).optional(),
    })
    .optional(),
});
export type RuntimeProfileSpec = z.infer<typeof RuntimeProfileSpec>;

export const RuntimeProfile = RuntimeProfileSpec.extend({
  id: Uuid,
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type RuntimeProfile = z.infer<typeof RuntimeProfile>;

export const profiles = {
  create: rpc('profiles.v1.create', {
    input: z.object({ ...inWorkspace, spec: RuntimeProfileSpec }),
    output: RuntimeProfile,
  }),
  update: rpc('profiles.v1.update', {
    input: z.object({ ...inWorkspace, profile_id: Uuid, spec: RuntimeProfileSpec }),
    output: z.object({ applied: Applied, profile: RuntimeProfile }),
  }),
  list: rpc('profiles.v1.list', {
    input: PageQuery.extend({ ...inWorkspace, name: PlainText.optional() }),
    output: page(RuntimeProfile),
  }),
  get: rpc('profiles.v1.get', {
    input: z.object({ ...inWorkspace, profile_id: Uuid }),
    output: RuntimeProfile,
  }),
  remove: rpc('profiles.v1.remove', {
    input: z.object({ ...inWorkspace, profile_id: Uuid }),
    output: z.object({}),
  }),
};
