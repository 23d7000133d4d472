import { Timestamp } from '@agentclash/contracts';
import { ROLES } from '@agentclash/domain';
import { z } from 'zod';
import { route } from './route.js';

/** Maximum duration of a browser session, in hours. */
export const SESSION_HOURS_MAX = 720;

const SignInCodeRequest = z.strictObject({
  /** Duration of the session that the code opens; never beyond the token of the request. */
  session_hours: z.number().int().min(1).max(SESSION_HOURS_MAX).default(12),
});

const SignInCode = z.object({ code: z.string(), expires_at: Timestamp });

export const BrowserSession = z.object({
  /** Belongs to one browser; it expires, and ends with the token that created the code. */
  token: z.string(),
  expires_at: Timestamp,
  workspace: z.string(),
  role: z.enum(ROLES),
});
export type BrowserSession = z.infer<typeof BrowserSession>;

export const sessionRoutes = {
  createCode: route({
    method: 'POST',
    path: '/v1/workspaces/{ws}/sign-in-codes',
    access: 'viewer',
    summary: 'Create a code that signs one browser in, once, within ten minutes, with the role of the token',
    body: SignInCodeRequest,
    response: SignInCode,
    status: 201,
  }),
  open: route({
    method: 'POST',
    path: '/v1/sessions',
    access: 'public',
    summary:
      'Open a browser session with a sign-in code; 401 for a code that was used, has expired or is unknown',
    body: z.strictObject({ code: z.string().min(1).max(256) }),
    response: BrowserSession,
    status: 201,
  }),
  close: route({
    method: 'POST',
    path: '/v1/sign-out',
    access: 'any_token',
    summary: 'End the browser session of this token; any other token stays as it is',
    response: 'none',
    status: 204,
  }),
};
