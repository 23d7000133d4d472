import { PlainText, Timestamp, Uuid } from '@agentclash/contracts';
import { z } from 'zod';
import { ListQuery } from '../list-query.js';
import { ROLES, route } from '../route.js';

export const Token = z.object({
  id: Uuid,
  name: z.string(),
  role: z.enum(ROLES),
  created_at: Timestamp,
  created_by: z.string(),
  expires_at: Timestamp.nullable(),
  /** To the minute. */
  last_used_at: Timestamp.nullable(),
});
export type Token = z.infer<typeof Token>;

export const NewToken = z.strictObject({
  name: PlainText.trim().min(1).max(128),
  role: z.enum(ROLES),
  expires_at: Timestamp.optional(),
});

const path = '/v1/workspaces/{ws}/tokens';

export const tokenRoutes = {
  list: route({
    method: 'GET',
    path,
    access: 'admin',
    operatorMay: true,
    summary: 'Tokens of the workspace, newest first; never their values',
    query: ListQuery,
    response: z.object({ items: z.array(Token), next_cursor: z.string().nullable() }),
    status: 200,
  }),
  create: route({
    method: 'POST',
    path,
    access: 'admin',
    operatorMay: true,
    summary: 'Make a token; its value is in this answer and nowhere else',
    body: NewToken,
    response: Token.extend({ token: z.string() }),
    status: 201,
    creates: true,
  }),
  revoke: route({
    method: 'DELETE',
    path: `${path}/{token_id}`,
    access: 'admin',
    operatorMay: true,
    summary: 'Revoke a token at once',
    response: 'none',
    status: 204,
  }),
};
