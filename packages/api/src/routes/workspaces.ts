import { PlainText, Timestamp, Uuid } from '@agentclash/contracts';
import { ROLES } from '@agentclash/domain';
import { z } from 'zod';
import { route } from './route.js';

const WorkspaceSlug = z
  .string()
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be lower-case letters and digits, joined by single hyphens')
  .max(63)
  .refine((slug) => !Uuid.safeParse(slug).success, 'must not look like an id');

export const Workspace = z.object({
  id: Uuid,
  slug: z.string(),
  name: z.string(),
  created_at: Timestamp,
});
export type Workspace = z.infer<typeof Workspace>;

const NewWorkspace = z.strictObject({
  slug: WorkspaceSlug,
  /** Default: the slug. */
  name: PlainText.trim().min(1).max(128).optional(),
});

export const Whoami = z.object({
  /** Null for the operator; of a person with several, the first. */
  workspace: Workspace.nullable(),
  role: z.enum([...ROLES, 'operator']),
  /** Of a person who signed in with a token of their own issuer: all workspaces, and the role in each. */
  memberships: z.array(z.object({ workspace: Workspace, role: z.enum(ROLES) })).optional(),
  /** True where the server shows the results of one run in a file, and has nothing else. */
  results_only: z.boolean().optional(),
  /** Of a link: the run that it shows. */
  shared_run_id: Uuid.optional(),
  /** Its id is null for the operator and for people. */
  token: z.object({ id: Uuid.nullable(), name: z.string(), expires_at: Timestamp.nullable() }),
});
export type Whoami = z.infer<typeof Whoami>;

export const workspaceRoutes = {
  whoami: route({
    method: 'GET',
    path: '/v1/whoami',
    access: 'any_token',
    summary: 'The caller of this token, and its permissions',
    response: Whoami,
    status: 200,
  }),
  list: route({
    method: 'GET',
    path: '/v1/workspaces',
    access: 'any_token',
    summary: 'The workspaces that the token can access',
    response: z.object({ items: z.array(Workspace), next_cursor: z.string().nullable() }),
    status: 200,
  }),
  create: route({
    method: 'POST',
    path: '/v1/workspaces',
    access: 'operator',
    summary: 'Create a workspace',
    body: NewWorkspace,
    response: Workspace,
    status: 201,
    conflicts: 'The slug is taken',
    creates: true,
  }),
};
