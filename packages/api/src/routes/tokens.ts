import { PlainText, Timestamp, Uuid } from '@agentclash/contracts';
import { ROLES } from '@agentclash/domain';
import { z } from 'zod';
import { ListQuery } from './list-query.js';
import { route } from './route.js';

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

const NewToken = z.strictObject({
  name: PlainText.trim().min(1).max(128),
  role: z.enum(ROLES),
  expires_at: Timestamp.optional(),
});

/** The subset of RFC 8693 that CI jobs need, in JSON. */
const TokenExchange = z.strictObject({
  grant_type: z
    .literal('urn:ietf:params:oauth:grant-type:token-exchange')
    .default('urn:ietf:params:oauth:grant-type:token-exchange'),
  /** A JWT of an issuer that this installation trusts. */
  subject_token: z.string().min(1).max(16_384),
  subject_token_type: z
    .enum(['urn:ietf:params:oauth:token-type:jwt', 'urn:ietf:params:oauth:token-type:id_token'])
    .default('urn:ietf:params:oauth:token-type:jwt'),
  /** The slug of the workspace; needed where the rules name several. */
  workspace: z.string().min(1).max(64).optional(),
});

export const ExchangedToken = z.object({
  access_token: z.string(),
  issued_token_type: z.literal('urn:ietf:params:oauth:token-type:access_token'),
  token_type: z.literal('Bearer'),
  /** Seconds. */
  expires_in: z.number().int(),
  workspace: z.string(),
  role: z.enum(ROLES),
});
export type ExchangedToken = z.infer<typeof ExchangedToken>;

const path = '/v1/workspaces/{ws}/tokens';

export const tokenRoutes = {
  exchange: route({
    method: 'POST',
    path: '/v1/token-exchange',
    access: 'public',
    summary: 'Exchange the OIDC token of a CI job for a short-lived token, as the configured rules allow',
    body: TokenExchange,
    response: ExchangedToken,
    status: 200,
  }),
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
    summary: 'Create a token; only this response holds its value',
    body: NewToken,
    response: Token.extend({ token: z.string() }),
    status: 201,
    creates: true,
  }),
  get: route({
    method: 'GET',
    path: `${path}/{token_id}`,
    access: 'admin',
    operatorMay: true,
    summary: 'One token; never its value',
    response: Token,
    status: 200,
  }),
  revoke: route({
    method: 'DELETE',
    path: `${path}/{token_id}`,
    access: 'admin',
    operatorMay: true,
    summary: 'Revoke a token at once, unless it is the last admin token that does not expire',
    response: 'none',
    status: 204,
  }),
};
