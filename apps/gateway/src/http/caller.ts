import type { Role, Workspace } from '@agentclash/api';

/** A workspace that a person may use, and as what. */
interface Membership {
  workspace: Workspace;
  role: Role;
}

/** Whoever sent a request, as the token says. */
export interface Caller {
  /** Null for the operator and for people who bring a token of their own issuer. */
  tokenId: string | null;
  /** The same for every request of whoever asks: limits and idempotency keys are theirs. */
  owner: string;
  name: string;
  role: Role | 'operator';
  /** Null for the operator, who belongs to none. */
  workspace: Workspace | null;
  /** All workspaces of a person; absent for a token, which has one. */
  memberships?: readonly Membership[];
  expiresAt: string | null;
  /** A key of 32 bytes that only this token's holder has; never stored. */
  privateKey: () => Buffer;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; absent where no token is needed and none was sent. */
    caller?: Caller;
    /** The workspace of the path, when the caller may see it. */
    workspace?: Workspace;
  }
}
